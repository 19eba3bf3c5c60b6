import { service } from '../../../../kernel/contract.ts'
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
} from '../../../../kernel/shape.ts'
import { Difference, Package } from '../../packages/contract.ts'
import { Finding, Listing, Version } from '../../versions/contract.ts'
import { autoReasons } from '../auto/rules.ts'
import { Count, Issue, ItemKind, ObjectId, Queue, TaskState, Thread } from '../contract.ts'
import { limits, seniorReasons, taskActions, verdicts } from '../rules.ts'

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
  priority: integer(0, limits.priority),
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
  seniorBecause: nullable(oneOf(seniorReasons)),
  seniorNote: nullable(text(limits.textLength)),
  /** What spoke for passing it without a look. */
  autoReasons: list(oneOf(autoReasons)),
  /** It would have passed by itself, and was drawn to be looked at. */
  isSampled: flag(),
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
  /** Devices that have the app now. */
  activeInstalls: Count,
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
    ownRejection: [202040011, 403, 'You rejected what is appealed from; somebody else must decide.'],
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
  },
})
