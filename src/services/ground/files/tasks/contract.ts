import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { ObjectId, Uploaded } from '../contract.ts'
import { bizTags, fileLimits } from '../rules.ts'
import { taskLimits, verdicts } from './rules.ts'

const largest = Number.MAX_SAFE_INTEGER
const Verdict = oneOf(verdicts)
const TaskQuery = shape({ taskId: Id, waitSeconds: optional(integer(0, taskLimits.waitSeconds)) })

const Task = {
  taskId: Id,
  state: oneOf(['RUNNING', 'DONE', 'FAILED']),
  percent: integer(0, 100),
  error: nullable(shape({ code: integer(1, 999_999_999), message: text(500) })),
}
const Fetched = shape({ ...Task, objectId: ObjectId, ...Uploaded })
const Item = shape({ itemId: text(30), verdict: Verdict, message: text(300) })
const Checked = shape({
  ...Task,
  results: list(shape({ objectId: ObjectId, result: Verdict, items: list(Item) })),
})
const Size = nullable(integer(0, largest))
const Video = shape({
  ...Task,
  objectId: ObjectId,
  width: Size,
  height: Size,
  durationMs: Size,
  container: nullable(text(50)),
  codec: nullable(text(50)),
  audioCodec: nullable(text(50)),
  bitRate: Size,
  frameRate: nullable(Type.Number({ minimum: 0 })),
  rotation: nullable(integer(-360, 360)),
  /** Pictures out of the film; empty, for this server has no decoder of films. */
  frameObjectIds: list(ObjectId),
})
const Words = shape({ zh: text(200), en: text(200), ru: text(200) })

/** What is done to files while people wait: fetching, checking, reading films. */
export const fileTasks = service({
  name: 'ground/files',
  prefix: '/cfs/file_service/v1',
  zone: 'current',
  permissions: ['files.read', 'files.upload'],
  errors: {
    // The first three are AppGallery Connect's own numbers.
    fetchFailed: [204144655, 422, 'The address {reason}; give another one.'],
    storeFailed: [204144657, 503, 'The file came, but could not be kept here; try again.'],
    tooManyFetches: [204144659, 429, 'The team has {limit} fetches under way; wait until one has ended.'],
    statusOfOther: [201020015, 422, 'The address answered HTTP {found}; give one that answers 200.'],
    noVideo: [201020016, 422, 'No video track was found in the file; send an MP4 or MOV.'],
    taskFailed: [201020017, 503, 'The work could not be done here; try again.'],
  },
  calls: {
    fetchByUrl: {
      method: 'POST',
      path: '/upload/object/by-url',
      who: 'cp',
      may: 'files.upload',
      transaction: false,
      summary: 'Fetches a file from a public address; answers it, or a task to ask for where it takes longer',
      body: shape({
        url: text(taskLimits.urlLength, 1),
        fileName: optional(text(fileLimits.nameLength, 1)),
        bizTag: optional(oneOf(bizTags)),
        sha256: optional(
          pattern('^[0-9a-f]{64}$', 64, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
        ),
        waitSeconds: optional(integer(0, taskLimits.waitSeconds)),
      }),
      answer: Fetched,
    },
    getFetched: {
      method: 'GET',
      path: '/upload/object/by-url',
      who: 'cp',
      may: 'files.read',
      transaction: false,
      summary: 'How far a fetch is, and the file once it is here',
      query: TaskQuery,
      answer: Fetched,
    },
    startCheck: {
      method: 'POST',
      path: '/objects/async/check',
      who: 'cp',
      may: 'files.upload',
      transaction: false,
      summary: 'Begins to check files: digest, kind, pictures, films, malware',
      body: shape({
        objectIds: Type.Array(ObjectId, { minItems: 1, maxItems: taskLimits.checkedAtOnce, uniqueItems: true }),
        waitSeconds: optional(integer(0, taskLimits.waitSeconds)),
      }),
      answer: Checked,
    },
    getChecked: {
      method: 'GET',
      path: '/objects/async/check',
      who: 'cp',
      may: 'files.read',
      transaction: false,
      summary: 'How far a check is, and what it found',
      query: TaskQuery,
      answer: Checked,
    },
    parseVideo: {
      method: 'POST',
      path: '/video/parse',
      who: 'cp',
      may: 'files.upload',
      transaction: false,
      summary: 'Begins to read a film: size, length, codecs',
      body: shape({ objectId: ObjectId, waitSeconds: optional(integer(0, taskLimits.waitSeconds)) }),
      answer: Video,
    },
    getVideo: {
      method: 'GET',
      path: '/video/result',
      who: 'cp',
      may: 'files.read',
      transaction: false,
      summary: 'What was read from a film',
      query: TaskQuery,
      answer: Video,
    },
    listCheckItems: {
      method: 'GET',
      path: '/app-check/checkItems',
      who: 'cp',
      may: 'files.read',
      summary: 'What checks look at',
      answer: shape({
        list: list(shape({ itemId: text(30), appliesTo: nullable(list(oneOf(bizTags))), name: Words, text: Words })),
      }),
    },
    getCheckDetails: {
      method: 'GET',
      path: '/app-check/checkDetails',
      who: 'cp',
      may: 'files.read',
      summary: 'What the last check of a file found, item by item',
      query: shape({ objectId: ObjectId }),
      answer: shape({
        objectId: ObjectId,
        checkState: nullable(Verdict),
        checkedAt: nullable(Instant),
        taskId: nullable(Id),
        items: list(Item),
      }),
    },
  },
})
