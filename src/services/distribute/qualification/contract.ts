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
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits, taskActions, taskStates } from './rules.ts'

export const Code = Type.String({ pattern: '^[A-Z0-9_]{2,40}$', examples: ['BUSINESS_LICENCE'] })
export const TagId = integer(1, 99_999_999)
const ObjectId = text(200, 1)
const Bit = integer(0, 1)
const Reason = text(limits.textLength, 2)

const Scan = shape({
  objectId: ObjectId,
  fileName: text(255),
  fileSize: integer(0, Number.MAX_SAFE_INTEGER),
  sha256: text(64),
  /** Good for some minutes; only where one task is asked for. */
  url: nullable(text(2000)),
})
const validity = { validityType: Bit, startTime: nullable(Instant), expireTime: nullable(Instant) }
const Info = shape({ qualificationCode: Code, files: list(Scan), ...validity })
const GivenInfo = shape({
  qualificationCode: Code,
  files: Type.Array(shape({ objectId: ObjectId }), { minItems: 1, maxItems: limits.filesOfInfo }),
  validityType: Bit,
  startTime: optional(nullable(Instant)),
  expireTime: optional(nullable(Instant)),
})
const GivenInfos = Type.Array(GivenInfo, { maxItems: limits.infosOfTask })
export const NameByLang = shape({ zhCN: text(100), enUS: text(100), ruRU: text(100) })

export const Task = shape({
  taskId: Id,
  appId: Id,
  appName: text(64),
  tagId: TagId,
  tagName: NameByLang,
  isMainTag: Bit,
  state: oneOf(taskStates),
  /** The number older tools know: 0 to submit, 1 waiting, 2 passed, 3 failed, 4 expired, 5 void. */
  status: integer(0, 5),
  qualificationInfos: list(Info),
  /** Sets of papers of which one is still to come, for each place that asks for some; empty for a place that is done. */
  missing: list(shape({ countries: list(text(2)), sets: list(list(Code)) })),
  lastAuditResult: nullable(text(limits.resultLength)),
  messages: list(
    shape({
      from: oneOf(['STORE', 'DEVELOPER']),
      kind: oneOf(['QUESTION', 'ANSWER', 'VERDICT']),
      text: text(limits.resultLength),
      at: Instant,
    }),
  ),
  /** The store has asked something and waits for the answer. */
  isAsked: flag(),
  expireAt: nullable(Instant),
  /** Until then apps stay on shelf although the approval ended. */
  graceUntil: nullable(Instant),
  submittedAt: nullable(Instant),
  /** When the store means to have decided. */
  slaDueAt: nullable(Instant),
  createTime: Instant,
  updateTime: Instant,
  revision: Revision,
  allowedActions: list(oneOf(taskActions)),
})

const OneTask = shape({ taskId: Id })
const permissions = ['qualification.read', 'qualification.edit', 'qualification.submit', 'review.decide'] as const

export const qualification = service({
  name: 'distribute/qualification',
  prefix: '/amis/qualification-manage/v1',
  zone: 'current',
  permissions,
  errors: {
    passedStays: [
      204144781,
      422,
      'These papers have passed; an approval cannot be taken back, only the store revokes it.',
    ],
    validity: [204144786, 422, 'The validity of {qualificationCode} cannot be: {says}.'],
    tooLarge: [204144787, 422, 'The file {fileName} has {sizeBytes} bytes; this kind may have {limitBytes}.'],
    wrongType: [204144788, 422, 'The file {fileName} is {mime}; a scan is a picture or a PDF, uploaded as app_qual.'],
    fileMissing: [204144789, 422, 'Papers are missing for the tag {tagId}: {missing}.'],
    unknownCode: [204144791, 422, 'There is no qualification {qualificationCode} for the tag {tagId}; see qual-def.'],
    duplicate: [204144828, 409, 'The app has papers for the tag {tagId} already: task {taskId} is {state}.'],
    wrongState: [204144831, 422, 'In state {state} this cannot be done; allowed now: {allowedActions}.'],
    notATag: [202090001, 422, 'The app does not carry the tag {tagId}; it carries: {tags}.'],
    notRequired: [202090002, 422, 'The tag {tagId} needs no qualification anywhere.'],
    notAsked: [202090003, 422, 'The store has asked nothing; there is nothing to answer.'],
    ofOwnTeam: [202090004, 422, 'You are a member of the team that handed this in; somebody else has to decide.'],
    overBefore: [202090005, 422, 'A paper ended on {expireAt}; ask for a new one, or refuse.'],
    twice: [202090006, 422, 'The qualification {qualificationCode} stands here twice; put its files together.'],
    tooManyMessages: [202090007, 422, 'More than {limit} messages; decide, or begin anew.'],
  },
  calls: {
    createTasks: {
      method: 'POST',
      path: '/qualification-review-task',
      who: 'cp',
      may: 'qualification.edit',
      summary: 'Hands in papers for tags of an app, at most five tags at once; with submit they go to the store',
      body: shape({
        appId: Id,
        tags: Type.Array(shape({ tagId: TagId, qualificationInfos: GivenInfos }), {
          minItems: 1,
          maxItems: limits.tagsAtOnce,
        }),
        submit: optional(flag()),
      }),
      answer: shape({ list: list(Task) }),
    },
    updateTask: {
      method: 'PUT',
      path: '/qualification-review-task',
      who: 'cp',
      may: 'qualification.edit',
      summary: 'Changes the papers of a task that is not with the store; with submit it goes there',
      body: shape({ taskId: Id, qualificationInfos: GivenInfos, submit: optional(flag()), revision: Revision }),
      answer: Task,
    },
    deleteTask: {
      method: 'DELETE',
      path: '/qualification-review-task',
      who: 'cp',
      may: 'qualification.edit',
      summary: 'Deletes a task that is neither with the store nor in force',
      query: OneTask,
    },
    getTask: {
      method: 'GET',
      path: '/qualification-review-task',
      who: 'cp',
      may: 'qualification.read',
      summary: 'A task with addresses of its files',
      query: OneTask,
      answer: Task,
    },
    listTasks: {
      method: 'GET',
      path: '/qualification-review-task/list',
      who: 'cp',
      may: 'qualification.read',
      summary: 'Tasks of the team or of one app, the newest first',
      query: shape({
        appId: optional(Id),
        tagId: optional(TagId),
        status: optional(integer(0, 5)),
        ...PageQuery,
      }),
      answer: pageOf(Task),
    },
    cancelTask: {
      method: 'PUT',
      path: '/qualification-review-task/cancel',
      who: 'cp',
      may: 'qualification.submit',
      summary: 'Takes a task back from the store before it has decided',
      body: shape({ taskId: Id, revision: optional(Revision) }),
      answer: Task,
    },
    getTaskStatus: {
      method: 'GET',
      path: '/qualification-review-task/status',
      who: 'cp',
      may: 'qualification.read',
      summary: 'Where a task stands and how long its approval lasts',
      query: OneTask,
      answer: shape({
        taskId: Id,
        status: integer(0, 5),
        state: oneOf(taskStates),
        lastAuditResult: nullable(text(limits.resultLength)),
        expireAt: nullable(Instant),
        daysLeft: nullable(integer(0, 100_000)),
        graceUntil: nullable(Instant),
      }),
    },
    updateTaskStatus: {
      method: 'PUT',
      path: '/qualification-review-task/status',
      who: 'cp',
      may: 'qualification.submit',
      summary: 'Hands a task in (status 1) or takes it back (status 0)',
      body: shape({ taskId: Id, status: Bit, revision: optional(Revision) }),
      answer: Task,
    },
    answerQuestion: {
      method: 'PUT',
      path: '/qualification-review-task/answer',
      who: 'cp',
      may: 'qualification.submit',
      summary: 'Answers what the store asked',
      body: shape({ taskId: Id, text: Reason, revision: Revision }),
      answer: Task,
    },
  },
})
