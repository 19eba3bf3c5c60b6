import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { Count, permissions } from '../contract.ts'
import { limits } from '../rules.ts'
import { feedbackActions, feedbackLimits, feedbackStates } from './rules.ts'

const Fact = text(feedbackLimits.factLength)
const State = oneOf(feedbackStates)
export const FeedbackText = text(feedbackLimits.textLength, 1)
export const Device = shape({ model: optional(Fact), system: optional(Fact), language: optional(Fact) })

export const Feedback = shape({
  feedbackId: Id,
  appId: Id,
  versionId: Id,
  versionName: nullable(text(255)),
  versionCode: nullable(text(20)),
  /** Null of an open test. */
  tester: nullable(shape({ userId: Id, account: text(limits.accountLength), nickname: text(limits.nicknameLength) })),
  text: FeedbackText,
  device: Device,
  /** Addresses of the pictures, without what the camera wrote into them; for an hour. */
  screenshots: list(text(1000)),
  /** Addresses of the log files, for an hour. */
  logs: list(text(1000)),
  state: State,
  note: text(feedbackLimits.noteLength),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(feedbackActions)),
})

/** What testers say, and what the team makes of it. */
export const betaFeedback = service({
  name: 'distribute/beta-test',
  prefix: '/bts/beta-management/v1',
  zone: 'current',
  permissions,
  errors: {},
  calls: {
    listFeedback: {
      method: 'GET',
      path: '/feedback',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'What testers of an app said, the newest first',
      query: shape({
        appId: Id,
        versionId: optional(Id),
        state: optional(State),
        search: optional(text(100)),
        ...PageQuery,
      }),
      answer: pageOf(Feedback),
    },
    getFeedbackNumbers: {
      method: 'GET',
      path: '/feedback/numbers',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'How much of it stands where, and which versions it is about',
      query: shape({ appId: Id }),
      answer: shape({
        states: list(shape({ state: State, count: Count })),
        versions: list(shape({ versionId: Id, versionName: nullable(text(255)), count: Count })),
      }),
    },
    moveFeedback: {
      method: 'PUT',
      path: '/feedback',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Takes it up, resolves, dismisses or reopens it, or writes a note that no tester sees',
      body: shape({
        feedbackId: Id,
        action: oneOf(['take', 'resolve', 'dismiss', 'reopen', 'note']),
        note: optional(text(feedbackLimits.noteLength)),
        revision: Revision,
      }),
      answer: Feedback,
    },
    deleteFeedback: {
      method: 'DELETE',
      path: '/feedback',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Deletes what somebody said, with its pictures and logs',
      query: shape({ feedbackId: Id }),
    },
  },
})
