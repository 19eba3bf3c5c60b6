import { type CallSpec, type RefusalForm, service } from '../../../kernel/contract.ts'
import type { ErrorRow, Refusal } from '../../../kernel/errors.ts'
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
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { ObjectId } from '../../ground/files/contract.ts'
import { digestPattern, imageLimits } from './images/rules.ts'
import {
  engineLacks,
  furtherMemorySizes,
  handlerPattern,
  limits,
  memorySizes,
  namePattern,
  runtimeIds,
} from './rules.ts'

/** Refusals of functions, whoever calls; numbers of the 210 family are the field's own. */
export const functionErrors = {
  badHandler: [210400010, 400, 'The handler {handler} cannot be used: {problem}. The file exports: {exports}.'],
  handlerLeadsOut: [210400020, 400, 'The handler {handler} cannot be used: {problem}.'],
  badPackage: [210400011, 400, 'The package cannot be taken: {problem}.'],
  badImage: [210400021, 400, 'The image {image} cannot be used: {problem}.'],
  badEnv: [210400012, 400, 'The environment key {key} cannot be set: {problem}.'],
  noFunction: [210404001, 404, 'There is no function {name}.'],
  noVersion: [210404002, 404, 'The function has no version or alias {qualifier}.'],
  nameTaken: [210409001, 409, 'There is a function {name} in this project; choose another name.'],
  noTrigger: [210404003, 404, 'Nothing listens at this address.'],
  tooLarge: [210413001, 413, 'The package has {bytes} bytes; at most {limit} are taken.'],
  payloadTooLarge: [210413003, 413, 'The payload has {bytes} bytes; at most {limit} are taken for later.'],
  bodyTooLarge: [210413004, 413, 'The body has {bytes} bytes; at most {limit} are taken.'],
  eventTooLarge: [
    210413006,
    413,
    'As JSON the event has {bytes} bytes, as control characters take six each; at most {limit} are passed on.',
  ],
  notWaiting: [210412002, 412, 'In state {state} this cannot be done with a call.'],
  inUse: [210412001, 412, 'It is used by {users}; change these first, or delete all with force.'],
  isImage: [210412021, 412, 'The function runs from the image {image}: there are no files of it here.'],
  canaryRuns: [210412004, 412, 'A canary moves the alias {name}; finish it or roll it back first.'],
  notJson: [210422001, 422, 'The function answered what cannot be JSON: {message}'],
  codeFails: [210422002, 422, 'The code cannot be started: {message}'],
  projectFull: [
    210429001,
    429,
    'This project runs {limit} calls at once, and as many as may wait for them do; try again.',
  ],
  breakerOpen: [
    210429004,
    429,
    'The circuit breaker of this function is open, for too many of its calls failed or were slow; try again in {retryAfterSeconds} s.',
  ],
  queueFull: [210429003, 429, 'Too many calls wait for this function; try again.'],
  uncaught: [210500002, 500, 'The function failed: {message}'],
  outOfMemory: [210500003, 500, 'The function used more than its {memoryMb} MB.'],
  runtimeNotHere: [210503005, 503, 'The runtime {runtime} is not on this server: {why}'],
  cannotStart: [210503001, 503, 'The function could not be started: {message}'],
  crashLoop: [
    210503002,
    503,
    'The function could not be started several times in a row; it is tried again shortly. {message}',
  ],
  disabled: [210503003, 503, 'The function is switched off.'],
  triggerOff: [210503004, 503, 'This address is switched off.'],
  timeout: [210504001, 504, 'The function did not answer within {timeoutMs} ms.'],
  answerTooLarge: [210413002, 500, 'The function answered {bytes} bytes; at most {limit} are passed on.'],
  loop: [210508001, 508, 'Functions call each other in a circle: {hops} in a row.'],
  tooMany: [204060001, 422, 'Delete one first: {problem}.'],
} as const satisfies Record<string, ErrorRow>

/** Of the record of the call that was refused or failed; where there is none, of the request. */
export const recordOf = ({ detail }: Pick<Refusal, 'detail'>, requestId: string): string =>
  String(detail['requestId'] ?? requestId)

/** What whoever calls a function is told where there is no result: the status, and `ret`, which the public client reads. */
export const callRefusal: RefusalForm = ({ status, number, message, detail }, { method, id }) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': recordOf({ detail }, id),
    ...(status === 429 || status === 503 ? { 'retry-after': Number(detail['retryAfterSeconds'] ?? 1) } : {}),
  },
  body: method === 'HEAD' ? null : JSON.stringify({ ret: { code: number, msg: message } }),
})

const exampleDigest = `sha256:${'0'.repeat(64)}`

const File = shape({ path: text(500, 1), content: text(limits.inlineBytes), encoding: oneOf(['utf8', 'base64']) })
const Files = list(File, { minItems: 1, maxItems: 2000 })
/** One of these. */
const Code = {
  files: optional(Files),
  /** Of an uploaded package. */
  fileKey: optional(ObjectId),
  /** A package in base64. */
  zip: optional(text(2 * limits.inlineBytes, 1)),
  /** For the runtime `image`; with a digest, only while the reference leads to it. */
  image: optional(
    shape({ reference: text(imageLimits.reference, 1), digest: optional(pattern(digestPattern, 71, exampleDigest)) }),
  ),
}
const Env = Type.Record(Type.String(), Type.String({ maxLength: 32_768 }))
/** `$latest`, a number or the name of an alias. */
export const Qualifier = pattern('^(\\$latest|[1-9][0-9]{0,8}|[A-Za-z][A-Za-z0-9_-]{0,62})$', 64, '$latest')
const Name = pattern(namePattern, 63, 'resize-pictures')
const Handler = pattern(handlerPattern, 170, 'index.handler')

/** A version of a layer; of several that have the same file the last one wins. */
const LayerRef = shape({ layerId: Id, number: integer(1, 1_000_000) })

/** A function keeps the runtime it was created with. */
const Runtime = optional(oneOf(runtimeIds))

const Settings = {
  description: optional(text(512)),
  handler: optional(Handler),
  initHandler: optional(nullable(Handler)),
  initTimeoutMs: optional(integer(100, 300_000)),
  memoryMb: optional(Type.Unsafe<number>({ type: 'integer', enum: [...memorySizes, ...furtherMemorySizes] })),
  timeoutMs: optional(integer(100, 1_800_000)),
  instanceConcurrency: optional(integer(1, 1000)),
  env: optional(Env),
  layers: optional(list(LayerRef, { maxItems: limits.layers })),
  /** Values that are kept sealed and never answered; null takes one away, what is not named stays. */
  secrets: optional(Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 32_768 }), Type.Null()]))),
}

const Config = shape({
  runtime: oneOf(runtimeIds),
  handler: text(170),
  functionType: integer(0, 1),
  memoryMb: integer(1, 100_000),
  timeoutMs: integer(1, 1_800_000),
  instanceConcurrency: integer(1, 1000),
  initHandler: nullable(text(170)),
  initTimeoutMs: integer(1, 300_000),
  env: Env,
  image: optional(shape({ reference: text(imageLimits.reference), digest: text(71) })),
  layers: optional(list(shape({ layerId: Id, name: text(63), number: integer(1, 1_000_000) }))),
})

const Bytes = integer(0, Number.MAX_SAFE_INTEGER)
export const FunctionShape = shape({
  functionId: Id,
  projectId: Id,
  functionName: text(63),
  description: text(512),
  config: Config,
  secretKeys: list(text(128)),
  codeSha256: text(64),
  codeBytes: Bytes,
  isEnabled: flag(),
  latestRevision: integer(0, 2_147_483_647),
  /** Whether `$latest` differs from the newest published version. */
  hasChanges: flag(),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const Version = shape({
  version: text(20),
  description: text(512),
  config: Config,
  codeSha256: text(64),
  codeBytes: Bytes,
  publishedAt: nullable(Instant),
  aliases: list(text(64)),
})

const Instances = shape({
  podId: text(40),
  state: oneOf(['READY', 'BUSY', 'DRAINING']),
  inFlight: integer(0, 1_000_000),
  served: Bytes,
  startedAt: Instant,
  lastUsedAt: Instant,
  memMb: integer(0, 1_000_000),
  cpuMs: Bytes,
  bootMs: Bytes,
  initMs: Bytes,
})

/** `lack` is what is missing in a word, where that is known; `install` the line that brings it, where one does. */
const Found = {
  isThere: flag(),
  lack: nullable(oneOf(engineLacks)),
  why: nullable(text(300)),
  install: nullable(text(200)),
}

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const ofFunction = shape({ functionId: Id })

/** Functions of a project: code, configuration and versions. */
export const functionsIde = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: functionErrors,
  calls: {
    listFunctions: {
      ...read,
      method: 'GET',
      path: '/function/latestList',
      summary: 'Functions of a project, the newest first',
      query: shape({ projectId: Id, keyword: optional(text(63)), ...PageQuery }),
      answer: pageOf(FunctionShape),
    },
    getFunction: {
      ...read,
      method: 'GET',
      path: '/function/:functionId',
      summary: 'One function as it is now',
      params: ofFunction,
      answer: shape({ function: FunctionShape }),
    },
    listVersions: {
      ...read,
      method: 'GET',
      path: '/function/list/:name',
      summary: 'Versions of a function, `$latest` first',
      params: shape({ name: Name }),
      query: shape({ projectId: Id }),
      answer: shape({ total: Bytes, list: list(Version), nextCursor: nullable(text(20)) }),
    },
    createFunction: {
      ...edit,
      method: 'POST',
      path: '/function/new',
      transaction: false,
      summary: 'A new function that greets',
      body: shape({
        projectId: Id,
        functionName: Name,
        functionType: optional(integer(0, 1)),
        runtime: Runtime,
        ...Settings,
      }),
      answer: shape({ functionId: Id, function: FunctionShape }),
    },
    createFunctionWithCode: {
      ...edit,
      method: 'POST',
      path: '/function/newcode',
      transaction: false,
      summary: 'A new function with its code, from files or from an uploaded package',
      bodyLimit: 2 * limits.inlineBytes,
      body: shape({
        projectId: Id,
        functionName: Name,
        functionType: optional(integer(0, 1)),
        runtime: Runtime,
        ...Code,
        ...Settings,
      }),
      answer: shape({ functionId: Id, function: FunctionShape }),
    },
    updateFunction: {
      ...edit,
      method: 'POST',
      path: '/function/update/:functionId',
      transaction: false,
      summary: 'Changes the configuration; it is started once first, and the old one serves until the new one can',
      params: ofFunction,
      body: shape({ revision: Revision, isEnabled: optional(flag()), ...Settings }),
      answer: shape({ function: FunctionShape }),
    },
    updateCode: {
      ...edit,
      method: 'POST',
      path: '/function/updatecode/:functionId',
      transaction: false,
      summary: 'Changes the code; it is started once first, and the old one serves until the new one can',
      bodyLimit: 2 * limits.inlineBytes,
      params: ofFunction,
      body: shape({ revision: Revision, ...Code }),
      answer: shape({ function: FunctionShape }),
    },
    publishVersion: {
      ...edit,
      method: 'POST',
      path: '/function/publish',
      summary: 'Makes `$latest` a version; what is the newest version already stays that version',
      body: shape({ functionId: Id, description: optional(text(512)), expectedDigest: optional(text(64)) }),
      answer: shape({ version: text(20), isNew: flag() }),
    },
    deleteFunction: {
      ...edit,
      method: 'DELETE',
      path: '/function/:functionId',
      summary: 'Deletes a version, or the function with everything of it',
      params: ofFunction,
      query: shape({ version: optional(text(20, 1)), force: optional(oneOf(['true', 'false'])) }),
    },
    getCode: {
      ...read,
      method: 'GET',
      path: '/function/code',
      transaction: false,
      summary: 'The files of a version for the editor',
      query: shape({ functionId: Id, version: optional(text(20, 1)) }),
      answer: shape({ files: list(File), size: Bytes, truncated: flag(), editable: flag() }),
    },
    downloadCode: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/download',
      kind: 'download',
      transaction: false,
      summary: 'The package of a version as a zip',
      params: ofFunction,
      query: shape({ version: optional(text(20, 1)) }),
    },
    listPods: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/version/:version/pods',
      summary: 'The copies that run now on this server',
      params: shape({ functionId: Id, version: text(20, 1) }),
      answer: shape({ total: Bytes, list: list(Instances), nextCursor: nullable(text(20)) }),
    },
    listRuntimes: {
      ...read,
      method: 'GET',
      path: '/runtime',
      summary: 'What functions can be written for, and until when',
      answer: shape({
        runtimes: list(
          shape({
            id: oneOf(runtimeIds),
            label: text(40),
            state: oneOf(['GA', 'DEPRECATED', 'EOL']),
            eolDate: nullable(Instant),
            /** Whether functions of it run on this server. */
            ...Found,
            /** What it has, and what it lacks of what code may look for. */
            capabilities: list(shape({ name: text(40), ...Found })),
          }),
        ),
        isolation: shape(Found),
      }),
    },
    getStore: {
      ...read,
      method: 'GET',
      path: '/storage',
      summary: 'How much room the packages of a project take',
      query: shape({ projectId: Id }),
      answer: shape({ usedBytes: Bytes, limitBytes: Bytes }),
    },
    getTenant: {
      ...read,
      method: 'GET',
      path: '/tenant',
      summary: 'What a project may have, and has',
      query: shape({ projectId: Id }),
      answer: shape({ enabled: flag(), quotas: list(shape({ metric: text(40), limit: Bytes, used: Bytes })) }),
    },
  },
})

export const Line = shape({ at: Instant, level: oneOf(['debug', 'info', 'warn', 'error']), line: text(20_000) })
export const Phases = shape({ queueMs: Bytes, bootMs: Bytes, initMs: Bytes, runMs: Bytes })
export const Ran = shape({
  requestId: Id,
  statusCode: integer(100, 599),
  outcome: oneOf(['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED']),
  result: AnyJson,
  error: nullable(shape({ type: text(200), message: text(4000), stack: text(8000) })),
  logs: list(Line),
  durationMs: Bytes,
  billedMs: Bytes,
  memPeakMb: Bytes,
  coldStart: flag(),
  resolvedVersion: text(20),
  phases: Phases,
})
