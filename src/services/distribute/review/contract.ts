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
import { Difference, Package } from '../packages/contract.ts'
import { Finding, Listing, Version } from '../versions/contract.ts'
import {
  itemStates,
  limits,
  queues,
  releaseChoices,
  submissionStates,
  taskActions,
  taskStates,
  verdicts,
} from './rules.ts'

const ObjectId = text(200, 1)
const Queue = oneOf(queues)
const TaskState = oneOf(taskStates)
const Count = Type.Integer({ minimum: 0 })
const ItemKind = oneOf(['VERSION', 'SHELF_OFF'])
const PolicyId = text(20, 1)
const Attachments = Type.Array(ObjectId, { maxItems: limits.attachments, uniqueItems: true })

export const Issue = shape({
  policyId: PolicyId,
  severity: oneOf(['MUST_FIX', 'ADVICE']),
  text: text(limits.textLength, 1),
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
  kind: oneOf(['MESSAGE', 'QUESTION', 'ANSWER', 'APPROVAL', 'REJECTION', 'SUMMARY']),
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
  allowedActions: list(oneOf(['remove'])),
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
  lane: oneOf(['FORMAL']),
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

const TaskFields = {
  taskId: Id,
  submissionId: Id,
  itemKind: ItemKind,
  appId: Id,
  versionId: Id,
  teamId: Id,
  appName: text(200),
  packageName: nullable(text(255)),
  versionName: nullable(text(500)),
  versionCode: nullable(text(20)),
  queue: Queue,
  priority: integer(0, 1000),
  state: TaskState,
  slaDueAt: Instant,
  pausedAt: nullable(Instant),
  queuePosition: nullable(Count),
  claimedBy: nullable(Id),
  claimedAt: nullable(Instant),
  claimExpiresAt: nullable(Instant),
  isMine: flag(),
  /** Two reviewers must agree; when they differ a senior one decides. */
  needsSecond: flag(),
  needsSenior: flag(),
  opinionCount: Count,
  /** One's own; all of them for a senior reviewer, and for everybody when it is decided. */
  opinions: list(
    shape({
      reviewerId: Id,
      verdict: oneOf(['APPROVE', 'APPROVE_WITH_NOTES', 'REJECT']),
      note: nullable(text(limits.textLength)),
      issues: list(Issue),
      at: Instant,
    }),
  ),
  verdict: nullable(oneOf(['APPROVE', 'APPROVE_WITH_NOTES', 'REJECT'])),
  note: nullable(text(limits.textLength)),
  issues: list(Issue),
  decidedBy: nullable(Id),
  decidedAt: nullable(Instant),
  queuedAt: Instant,
  allowedActions: list(oneOf(taskActions)),
}
export const Task = shape(TaskFields)

const Decision = shape({
  taskId: Id,
  versionId: Id,
  versionName: nullable(text(500)),
  versionCode: nullable(text(20)),
  verdict: nullable(oneOf(['APPROVE', 'APPROVE_WITH_NOTES', 'REJECT'])),
  note: nullable(text(limits.textLength)),
  issues: list(Issue),
  decidedBy: nullable(Id),
  decidedAt: nullable(Instant),
})

const { isDefault: _isDefault, ...listingFields } = Listing.properties
const { isHeld: _isHeld, successStatus: _status, allowedActions: _actions, ...packageFields } = Package.properties
const { versionId, appId, state, isFirst, versionCode, versionName, releaseMode, onShelfTime } = Version.properties
const { countries, privacyPolicyUrl, remark, submittedAt, approvedAt, onShelfAt, aiContent } = Version.properties
const versionFields = {
  ...{ versionId, appId, state, isFirst, versionCode, versionName, releaseMode, onShelfTime },
  ...{ countries, privacyPolicyUrl, remark, submittedAt, approvedAt, onShelfAt, aiContent },
}

export const Evidence = shape({
  version: shape(versionFields),
  app: shape({
    appId: Id,
    teamId: Id,
    name: text(200),
    packageName: nullable(text(255)),
    packageType: text(40),
    defaultLang: text(20),
    isGame: flag(),
    kindMainTag: nullable(Type.Integer()),
    kindSubTags: list(Type.Integer()),
    deviceTypes: list(Type.Integer()),
  }),
  package: nullable(shape(packageFields)),
  listings: list(shape(listingFields)),
  /** What is on shelf now, when it is another version. */
  predecessor: nullable(shape({ version: shape(versionFields), listings: list(shape(listingFields)) })),
  findings: list(Finding),
  testAccount: shape({
    isNeeded: flag(),
    account: text(200),
    password: nullable(text(200)),
  }),
})

const TaskBody = shape({ taskId: Id })
const desk = '/manage/app/uad/review/task'

/** The desk: what the store's reviewers see and do. */
export const reviewDesk = service({
  name: 'distribute/review',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.decide'],
  errors: {
    taskAlreadyClaimed: [202040001, 409, 'Somebody else has claimed this task until {claimExpiresAt}.'],
    taskNotYours: [202040002, 422, 'You do not hold this task (any more); claim it first.'],
    issueRequired: [
      202040003,
      422,
      'A rejection names at least one issue, so that the developer knows what to change.',
    ],
    alreadyJudged: [202040007, 403, 'You gave an opinion on this task; somebody else must give the next.'],
    seniorNeeded: [202040008, 403, 'Two reviewers differ about this task; a senior reviewer decides it.'],
    conflictOfInterest: [202040004, 403, 'You are a member of the team that owns this app; somebody else must decide.'],
  },
  calls: {
    listTasks: {
      method: 'GET',
      path: desk,
      who: 'manage',
      may: 'review.read',
      summary: 'The desk: tasks by queue, state and app, the most urgent first',
      query: shape({
        queue: optional(Queue),
        state: optional(TaskState),
        /** Claimed or decided by the caller. */
        mine: optional(flag()),
        search: optional(text(100)),
        sort: optional(oneOf(['priority', 'due'])),
        ...PageQuery,
      }),
      answer: pageOf(Task),
    },
    claimTask: {
      method: 'POST',
      path: desk,
      who: 'manage',
      may: 'review.decide',
      summary: 'Claims a task for 30 minutes',
      body: TaskBody,
      answer: Task,
    },
    getTask: {
      method: 'GET',
      path: `${desk}/detail`,
      who: 'manage',
      may: 'review.read',
      summary: 'A task with its evidence, thread and the decisions before',
      query: shape({ taskId: Id }),
      answer: shape({
        task: Task,
        submission: Thread,
        /** False: the caller is a member of the owning team and may not decide. */
        isImpartial: flag(),
        evidence: Evidence,
        /** Against what is on shelf; null for an app's first package. */
        difference: nullable(Difference),
        history: list(Decision),
      }),
    },
    keepTask: {
      method: 'POST',
      path: `${desk}/heartbeat`,
      who: 'manage',
      may: 'review.decide',
      summary: 'Keeps a claim for 30 more minutes',
      body: TaskBody,
      answer: shape({ taskId: Id, claimExpiresAt: Instant }),
    },
    releaseTask: {
      method: 'POST',
      path: `${desk}/release`,
      who: 'manage',
      may: 'review.decide',
      summary: 'Gives a claimed task back to the queue',
      body: TaskBody,
      answer: Task,
    },
    submitTask: {
      method: 'POST',
      path: `${desk}/submit`,
      who: 'manage',
      may: 'review.decide',
      summary: 'The verdict: approve, approve with notes, reject with issues, or ask the developer',
      body: shape({
        taskId: Id,
        verdict: oneOf(verdicts),
        /** The question of ASK, the notes of APPROVE_WITH_NOTES; else what to say besides the issues. */
        text: optional(text(limits.textLength)),
        issues: optional(Type.Array(Issue, { maxItems: limits.issues })),
      }),
      answer: Task,
    },
    getTaskObject: {
      method: 'GET',
      path: `${desk}/object`,
      who: 'manage',
      may: 'review.read',
      summary: 'An address to read a file of the task from: package, screenshot, attachment',
      query: shape({ taskId: Id, objectId: ObjectId }),
      answer: shape({ url: text(2000), fileName: text(255), mime: text(100), sizeBytes: Count }),
    },
    listTaskObjects: {
      method: 'GET',
      path: `${desk}/object/list`,
      who: 'manage',
      may: 'review.read',
      summary: 'Addresses to read every picture and attachment of the task from, at once',
      query: shape({ taskId: Id }),
      answer: shape({
        list: list(
          shape({ objectId: ObjectId, url: text(2000), fileName: text(255), mime: text(100), sizeBytes: Count }),
        ),
      }),
    },
    listPolicies: {
      method: 'GET',
      path: `${desk}/policies`,
      who: 'manage',
      may: 'review.read',
      summary: 'What a rejection may name',
      answer: shape({
        list: list(shape({ policyId: PolicyId, titles: shape({ zh: text(200), en: text(200), ru: text(200) }) })),
      }),
    },
  },
})

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
        list: list(shape({ policyId: PolicyId, titles: shape({ zh: text(200), en: text(200), ru: text(200) }) })),
      }),
    },
  },
})
