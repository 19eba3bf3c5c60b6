import { service } from '../../../../kernel/contract.ts'
import {
  AnyJson,
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  type Static,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { Count, DifferenceShape, remoteConfigErrors, Where } from '../contract.ts'
import { changeActions, changeLimits, changeStates } from './rules.ts'

const Title = text(changeLimits.titleLength, 1)
const Reason = text(changeLimits.reasonLength)
const Person = nullable(shape({ accountId: Id, name: text(200) }))

const Vote = shape({
  verdict: oneOf(['APPROVE', 'REJECT']),
  reason: Reason,
  /** Counts the times it was submitted; only votes of the last time count. */
  round: integer(1, 1_000_000),
  votedAt: Instant,
  /** Null where the account is gone. */
  by: Person,
})

const ChangeRequest = shape({
  changeRequestId: Id,
  ...Where,
  state: oneOf(changeStates),
  title: Title,
  description: Reason,
  baseVersion: Count,
  /** The version in force now. */
  version: Count,
  /** What it became. */
  publishedVersion: nullable(Count),
  round: integer(1, 1_000_000),
  approvals: Count,
  approvalsNeeded: Count,
  votes: list(Vote),
  /** When it is published by itself. */
  dueAt: nullable(Instant),
  createdAt: Instant,
  createdBy: Person,
  updatedAt: Instant,
  allowedActions: list(oneOf(changeActions)),
  revision: Revision,
})

const ThreeWay = shape({
  thing: oneOf(['parameter', 'condition', 'order', 'group']),
  name: text(300),
  base: AnyJson,
  theirs: AnyJson,
  mine: AnyJson,
  isConflict: flag(),
})

const read = { who: 'cp', may: 'remoteConfig.read' } as const
const edit = { who: 'cp', may: 'remoteConfig.edit' } as const
const publish = { who: 'cp', may: 'remoteConfig.publish' } as const
const byId = shape({ changeRequestId: Id })
const Read = shape({ revision: optional(Revision) })

/** What is published only when others agreed: requests with their difference, votes, times and conflicts. */
export const changeRequests = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1/changeRequests',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    listChangeRequests: {
      ...read,
      method: 'GET',
      path: '',
      summary: 'What is asked to be published, the newest first',
      query: shape({ ...Where, ...PageQuery, state: optional(oneOf(changeStates)), search: optional(text(100)) }),
      answer: pageOf(ChangeRequest),
    },
    createChangeRequest: {
      ...edit,
      method: 'POST',
      path: '',
      summary: 'Keeps the draft as it is now and asks others to agree; `submit` asks at once',
      body: shape({ ...Where, title: Title, description: optional(Reason), submit: optional(flag()) }),
      answer: ChangeRequest,
    },
    getChangeRequest: {
      ...read,
      method: 'GET',
      path: '/:changeRequestId',
      summary: 'A request with its votes and what can be done',
      params: byId,
      answer: ChangeRequest,
    },
    listRequestedChanges: {
      ...read,
      method: 'GET',
      path: '/:changeRequestId/changes',
      summary: 'What it has otherwise than the version it was made on',
      params: byId,
      query: shape(PageQuery),
      answer: pageOf(DifferenceShape),
    },
    listConflicts: {
      ...read,
      method: 'GET',
      path: '/:changeRequestId/conflicts',
      summary: 'What it and what is in force changed since its base, side by side; conflicts first',
      params: byId,
      query: shape(PageQuery),
      answer: pageOf(ThreeWay),
    },
    updateChangeRequest: {
      ...edit,
      method: 'PUT',
      path: '/:changeRequestId',
      summary: 'Names it otherwise; `takeDraft` keeps the template’s draft as it is now',
      params: byId,
      body: shape({
        title: optional(Title),
        description: optional(Reason),
        takeDraft: optional(flag()),
        revision: Revision,
      }),
      answer: ChangeRequest,
    },
    submitChangeRequest: {
      ...edit,
      method: 'POST',
      path: '/:changeRequestId/submit',
      summary: 'Asks others to agree; where nobody must, it is approved at once',
      params: byId,
      body: Read,
      answer: ChangeRequest,
    },
    approveChangeRequest: {
      ...publish,
      method: 'POST',
      path: '/:changeRequestId/approve',
      summary: 'Agrees; never who wrote it, and each once',
      params: byId,
      body: shape({ reason: optional(Reason), revision: Revision }),
      answer: ChangeRequest,
    },
    rejectChangeRequest: {
      ...publish,
      method: 'POST',
      path: '/:changeRequestId/reject',
      summary: 'Does not agree, and says why',
      params: byId,
      body: shape({ reason: Reason, revision: Revision }),
      answer: ChangeRequest,
    },
    withdrawChangeRequest: {
      ...edit,
      method: 'POST',
      path: '/:changeRequestId/withdraw',
      summary: 'Takes it back to be changed; who agreed is asked again',
      params: byId,
      body: Read,
      answer: ChangeRequest,
    },
    reviseChangeRequest: {
      ...edit,
      method: 'POST',
      path: '/:changeRequestId/revise',
      summary: 'Begins anew after a refusal or a conflict: its changes on the version in force. Says which side wins',
      params: byId,
      body: shape({ prefer: optional(oneOf(['mine', 'theirs'])), revision: optional(Revision) }),
      answer: ChangeRequest,
    },
    scheduleChangeRequest: {
      ...publish,
      method: 'POST',
      path: '/:changeRequestId/schedule',
      summary: 'Publishes it at a time; null takes the time back',
      params: byId,
      body: shape({ dueAt: nullable(Instant), revision: optional(Revision) }),
      answer: ChangeRequest,
    },
    publishChangeRequest: {
      ...publish,
      method: 'POST',
      path: '/:changeRequestId/publish',
      summary: 'Puts it into force; where the base has moved it becomes a conflict, which is the answer',
      params: byId,
      body: Read,
      answer: ChangeRequest,
    },
    discardChangeRequest: {
      ...edit,
      method: 'POST',
      path: '/:changeRequestId/discard',
      summary: 'Gives it up',
      params: byId,
      body: Read,
      answer: ChangeRequest,
    },
  },
})

export type ThreeWayView = Static<typeof ThreeWay>
export type ChangeRequestView = Static<typeof ChangeRequest>
