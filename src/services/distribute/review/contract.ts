import { service } from '../../../kernel/contract.ts'
import {
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
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { Clause, Policy, policyLimits } from './policies/contract.ts'
import { itemStates, limits, queues, releaseChoices, submissionStates, taskStates } from './rules.ts'

export const ObjectId = text(200, 1)
export const Queue = oneOf(queues)
export const TaskState = oneOf(taskStates)
export const Count = Type.Integer({ minimum: 0 })
export const ItemKind = oneOf(['VERSION', 'SHELF_OFF', 'TEST'])
const PolicyId = text(20, 1)
const Attachments = Type.Array(ObjectId, { maxItems: limits.attachments, uniqueItems: true })

export const Issue = shape({
  policyId: PolicyId,
  severity: oneOf(['MUST_FIX', 'ADVICE']),
  text: text(limits.textLength, 1),
  /** The rule as it read when it was named; the server adds them. */
  policyVersion: optional(integer(1, policyLimits.versions)),
  clause: optional(Clause),
  /** Where to look: a screen, a permission, a file of the package, a moment of a video. */
  where: optional(
    shape({
      screen: optional(text(200)),
      permission: optional(text(200)),
      file: optional(text(500)),
      timestamp: optional(text(20)),
    }),
  ),
})

const Attachment = shape({ objectId: ObjectId, fileName: text(255), mime: text(100), sizeBytes: Count })

const Message = shape({
  messageId: Id,
  sender: oneOf(['developer', 'reviewer']),
  kind: oneOf(['MESSAGE', 'QUESTION', 'ANSWER', 'APPROVAL', 'REJECTION', 'SUMMARY', 'APPEAL', 'EXPEDITE']),
  /** What it is about, where several things were handed in. */
  itemId: nullable(Id),
  text: text(limits.textLength),
  attachments: list(Attachment),
  issues: list(Issue),
  /** Of a summary: what became of each thing. */
  results: list(
    shape({
      itemId: Id,
      appId: Id,
      appName: text(200),
      versionName: nullable(text(500)),
      state: oneOf(['ACCEPTED', 'REJECTED', 'REMOVED']),
    }),
  ),
  createdAt: Instant,
})

const Item = shape({
  itemId: Id,
  kind: ItemKind,
  refId: Id,
  state: oneOf(itemStates),
  /** Accepted, and on shelf only with the others. */
  isHeldBack: flag(),
  allowedActions: list(oneOf(['remove', 'appeal', 'expedite'])),
  /** How often the app can still be expedited, of the times it has in half a year. */
  expeditesLeft: Count,
  appId: Id,
  appName: text(200),
  versionName: nullable(text(500)),
  versionCode: nullable(text(20)),
  queue: nullable(Queue),
  taskState: nullable(TaskState),
  slaDueAt: nullable(Instant),
  pausedAt: nullable(Instant),
})

const threadFields = {
  submissionId: Id,
  appId: Id,
  versionId: Id,
  title: text(limits.titleLength),
  lane: oneOf(['FORMAL', 'TEST']),
  state: oneOf(submissionStates),
  release: oneOf(releaseChoices),
  items: list(Item),
  waitingFor: nullable(oneOf(['developer'])),
  urgeCount: Count,
  /** When the store should have decided; null while nothing is queued. */
  slaDueAt: nullable(Instant),
  /** The clock stands since then, because the developer was asked. */
  pausedAt: nullable(Instant),
  submittedAt: Instant,
  /** The oldest first. */
  messages: list(Message),
  allowedActions: list(oneOf(['message', 'answer'])),
}
export const Thread = shape(threadFields)
export const Submission = shape({
  ...threadFields,
  /** Of the thing that is next; 1 is next, null while nothing waits in the queue. */
  queuePosition: nullable(Count),
  positions: list(shape({ itemId: Id, queuePosition: Count })),
  /** From queue to decision, the median of the last decisions of the same queue, in working and other hours; null before there are any. */
  medianWaitMs: nullable(Type.Integer({ minimum: 0 })),
})

const SubmissionLine = shape({
  submissionId: Id,
  title: text(limits.titleLength),
  state: oneOf(submissionStates),
  waitingFor: nullable(oneOf(['developer'])),
  appId: Id,
  appName: text(200),
  versionId: Id,
  itemCount: Count,
  messageCount: Count,
  submittedAt: Instant,
  updatedAt: Instant,
})

const { policyId, version, titles, texts } = Policy.properties
const pickPolicy = shape({ policyId, version, titles, texts })

/** The developer's side of a review. */
export const submissions = service({
  name: 'distribute/review',
  prefix: '/amis/review-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.submit', 'versions.withdraw', 'review.message'],
  errors: {
    threadClosed: [202040005, 422, 'This review is over ({state}); hand the version in again to go on.'],
    oneOfThese: [202040009, 400, 'Name a submission, a version or an app.'],
    notRefused: [202040010, 422, 'Only what was refused is taken out ({state}); withdraw the version instead.'],
    threadFull: [202040006, 422, 'A thread has at most {limit} messages.'],
  },
  calls: {
    getSubmission: {
      method: 'GET',
      path: '/submission',
      who: 'cp',
      may: 'versions.read',
      transaction: false,
      summary: 'Where a review stands: thread, place in the queue, when it is due; of a version or an app the newest',
      query: shape({ submissionId: optional(Id), versionId: optional(Id), appId: optional(Id) }),
      answer: Submission,
    },
    sendMessage: {
      method: 'POST',
      path: '/submission/message',
      who: 'cp',
      may: 'review.message',
      summary: 'Writes to the reviewer; answers a question and lets the clock run again',
      body: shape({
        versionId: optional(Id),
        submissionId: optional(Id),
        text: text(limits.textLength, 1),
        attachments: optional(Attachments),
      }),
      answer: Thread,
    },
    createSubmission: {
      method: 'POST',
      path: '/submission',
      who: 'cp',
      may: 'versions.submit',
      summary: 'Submits versions of several apps together: all of them or none, in one thread, each decided by itself',
      body: shape({
        versionIds: Type.Array(Id, { minItems: 1, maxItems: limits.itemsOfSubmission, uniqueItems: true }),
        title: optional(text(limits.titleLength)),
        remark: optional(text(300)),
        /** EACH, unless told otherwise: on shelf when it is accepted. TOGETHER: all of them when the last one is. */
        release: optional(oneOf(releaseChoices)),
      }),
      answer: Thread,
    },
    removeItem: {
      method: 'POST',
      path: '/submission/item/remove',
      who: 'cp',
      may: 'versions.withdraw',
      summary: 'Takes out what was refused, so that the rest goes on without it',
      body: shape({ submissionId: Id, itemId: Id }),
      answer: Thread,
    },
    listSubmissions: {
      method: 'GET',
      path: '/submission/list',
      who: 'cp',
      may: 'versions.read',
      summary: 'Submissions of the team or of one app, the newest first',
      query: shape({ appId: optional(Id), state: optional(oneOf(submissionStates)), ...PageQuery }),
      answer: pageOf(SubmissionLine),
    },
    listPolicyTitles: {
      method: 'GET',
      path: '/policies',
      who: 'cp',
      may: 'versions.read',
      summary: 'The rules that a rejection may name',
      answer: shape({
        list: list(pickPolicy),
      }),
    },
  },
})
