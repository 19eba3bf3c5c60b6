import { type CallSpec, service } from '../../../../kernel/contract.ts'
import type { ErrorRow } from '../../../../kernel/errors.ts'
import {
  AnyJson,
  flag,
  Id,
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
import { ObjectId, Sha256 } from '../../../ground/files/contract.ts'
import { functionErrors } from '../contract.ts'
import { imageLimits } from '../images/rules.ts'
import { limits, namePattern } from '../rules.ts'
import { typeCodes } from './rules.ts'

/** What is refused in words of the field's other interface, beside the refusals of functions. */
export const newerErrors = {
  ...functionErrors,
  noUrn: [210404005, 404, 'There is no function {urn} here.'],
  unknownRuntime: [
    210400013,
    400,
    'The runtime {runtime} is not here; take Node.js24, or Node.js16 to Node.js22, which it runs, or Isolate.',
  ],
  runtimeFixed: [210400018, 400, 'A function keeps its runtime, which is {runtime} here; create another function.'],
  notHere: [210400014, 400, '{what} cannot be set here; leave it out.'],
  badCode: [210400015, 400, 'The code cannot be taken: {problem}.'],
  notSigned: [210401001, 401, 'The request is not signed as it must be: {problem}.'],
  unknownKey: [210401002, 401, 'There is no key {access} that signs for functions.'],
  wrongSignature: [210401003, 401, 'The signature is not the one of this request by the secret of its key.'],
  skewed: [210401004, 401, 'The date {at} is more than 15 minutes away from the clock here, which says {now}.'],
  wrongBody: [210401005, 401, 'The body is not the one that was signed.'],
  badTrigger: [210400016, 400, 'The trigger cannot be set: {problem}.'],
  versionFixed: [210412006, 412, 'A published version stays as it is; change the latest and publish it.'],
  numbered: [
    210400017,
    400,
    'Versions are numbered here; leave the field version out and take the number that is answered.',
  ],
} as const satisfies Record<string, ErrorRow>

/** The field's clients send much that nobody here needs; what would change something is refused by name. */
const open = <P extends Parameters<typeof shape>[0]>(properties: P) => shape(properties, { additionalProperties: true })
const Seconds = integer(1, 1800)
const FuncCode = open({ file: optional(nullable(text(2 * limits.inlineBytes))), link: optional(nullable(text(2000))) })
const Strategy = open({
  /** Copies at most: -1 as many as there may be, 0 none. */
  concurrency: optional(nullable(integer(-1, 1000))),
  concurrent_num: optional(nullable(integer(1, 1000))),
})

const Code = {
  code_type: optional(text(40)),
  code_url: optional(nullable(text(300))),
  code_filename: optional(nullable(text(300))),
  func_code: optional(nullable(FuncCode)),
  depend_version_list: optional(nullable(list(text(120), { maxItems: 20 }))),
}

const Settings = {
  runtime: optional(text(40)),
  custom_image: optional(
    nullable(open({ enabled: optional(nullable(flag())), image: optional(nullable(text(imageLimits.reference))) })),
  ),
  timeout: optional(Seconds),
  handler: optional(text(170)),
  memory_size: optional(integer(1, 100_000)),
  user_data: optional(nullable(text(100_000))),
  encrypted_user_data: optional(nullable(text(100_000))),
  description: optional(nullable(text(512))),
  initializer_handler: optional(nullable(text(170))),
  initializer_timeout: optional(nullable(integer(1, 300))),
}

export const NewFunction = open({
  func_name: pattern(namePattern, 63, 'resize-pictures'),
  package: optional(text(64)),
  ...Settings,
  ...Code,
})
export const ChangedConfig = open({ ...Settings, strategy_config: optional(nullable(Strategy)) })
export const ChangedCode = open(Code)

const EventData = Type.Record(Type.String(), AnyJson)
const Status = oneOf(['ACTIVE', 'DISABLED'])
export const NewTrigger = open({
  trigger_type_code: oneOf(typeCodes),
  trigger_status: optional(Status),
  event_type_code: optional(nullable(text(64))),
  event_data: EventData,
})
export const ChangedTrigger = open({ trigger_status: optional(Status), event_data: optional(EventData) })

const Bytes = integer(0, Number.MAX_SAFE_INTEGER)
export const FunctionView = shape({
  func_id: text(20),
  func_urn: text(200),
  func_name: text(63),
  domain_id: text(20),
  namespace: text(20),
  project_name: text(20),
  package: text(20),
  runtime: text(40),
  timeout: Seconds,
  handler: text(170),
  memory_size: integer(1, 100_000),
  cpu: integer(1, 100_000),
  code_type: text(20),
  code_filename: text(100),
  code_size: Bytes,
  digest: text(64),
  user_data: text(100_000),
  version: text(20),
  description: text(512),
  last_modified: text(40),
  initializer_handler: nullable(text(170)),
  initializer_timeout: integer(1, 300),
  depend_version_list: list(text(40)),
  strategy_config: shape({ concurrency: integer(-1, 1000), concurrent_num: integer(1, 1000) }),
  reserved_instance_count: integer(0, 1000),
  custom_image: nullable(shape({ enabled: flag(), image: text(imageLimits.reference) })),
  type: text(10),
})

export const CodeView = shape({
  func_urn: text(200),
  func_name: text(63),
  domain_id: text(20),
  runtime: text(40),
  code_type: text(20),
  code_filename: text(100),
  code_size: Bytes,
  digest: text(64),
  last_modified: text(40),
  /** Null of an image, and where the package is too large to be told as text: download it. */
  func_code: nullable(shape({ file: text(20_000_000) })),
  depend_version_list: list(text(40)),
  strategy_config: shape({ concurrency: integer(-1, 1000), concurrent_num: integer(1, 1000) }),
})

export const TriggerView = shape({
  trigger_id: text(20),
  trigger_type_code: text(40),
  trigger_status: Status,
  event_data: EventData,
  created_time: text(40),
  last_updated_time: text(40),
})

export const ProxyCall = shape({
  qualifier: optional(text(64, 1)),
  method: optional(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])),
  path: optional(text(4000)),
  headers: optional(Type.Record(Type.String(), text(8000))),
  body: optional(text(limits.eventBytes)),
})
export const ProxyAnswer = shape({
  requestId: nullable(text(40)),
  status: integer(100, 599),
  headers: Type.Record(Type.String(), Type.String()),
  body: text(2 * limits.answerBytes),
  isBase64Encoded: flag(),
  durationMs: Bytes,
})

const read = { who: 'cp', may: 'functions.read', transaction: false } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit', transaction: false } as const satisfies Partial<CallSpec>
const Urn = text(220, 1, { examples: ['urn:fss:cn:736430079244000001:function:default:resize-pictures:latest'] })
const ofProject = shape({ projectId: Id })
const ofUrn = shape({ urn: Urn })
const ofTrigger = shape({ urn: Urn, triggerTypeCode: text(40, 1), triggerId: Id })
const codeLimit = 2 * limits.inlineBytes + 65_536

/** Functions in the field's other words: URNs and its own names of fields, over the same functions. */
export const functionsNewer = service({
  name: 'build/functions',
  prefix: '/fgs/function-service/v2',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: newerErrors,
  calls: {
    listNewerFunctions: {
      ...read,
      method: 'GET',
      path: '/functions',
      summary: 'Functions of a project, the newest first',
      query: shape({
        projectId: Id,
        marker: optional(text(40)),
        maxitems: optional(integer(1, 100)),
        func_name: optional(text(63)),
      }),
      answer: shape({
        functions: list(FunctionView),
        next_marker: nullable(text(40)),
        count: integer(0, 1_000_000),
      }),
    },
    createNewerFunction: {
      ...edit,
      method: 'POST',
      path: '/functions',
      bodyLimit: codeLimit,
      summary: 'A new function, with its code as a zip, as one file, or as an uploaded object',
      query: ofProject,
      body: NewFunction,
      answer: FunctionView,
    },
    deleteNewerFunction: {
      ...edit,
      method: 'DELETE',
      path: '/functions/:urn',
      summary: 'Deletes a version, or the function with everything of it',
      params: ofUrn,
    },
    showFunctionCode: {
      ...read,
      method: 'GET',
      path: '/functions/:urn/code',
      summary: 'The package of a version in base64',
      params: ofUrn,
      answer: CodeView,
    },
    changeFunctionCode: {
      ...edit,
      method: 'PUT',
      path: '/functions/:urn/code',
      bodyLimit: codeLimit,
      summary: 'Changes the code of the latest',
      params: ofUrn,
      body: ChangedCode,
      answer: CodeView,
    },
    showFunctionConfig: {
      ...read,
      method: 'GET',
      path: '/functions/:urn/config',
      summary: 'The settings of a version',
      params: ofUrn,
      answer: FunctionView,
    },
    changeFunctionConfig: {
      ...edit,
      method: 'PUT',
      path: '/functions/:urn/config',
      summary: 'Changes settings of the latest; what is not named stays',
      params: ofUrn,
      body: ChangedConfig,
      answer: FunctionView,
    },
    listTriggersOfUrn: {
      ...read,
      method: 'GET',
      path: '/functions/:urn/trigger',
      summary: 'Triggers of a version or alias',
      params: ofUrn,
      answer: shape({ total: integer(0, 10_000), list: list(TriggerView), nextCursor: nullable(text(20)) }),
    },
    createTriggerOfUrn: {
      ...edit,
      method: 'POST',
      path: '/functions/:urn/trigger',
      summary: 'A new trigger of a version or alias',
      params: ofUrn,
      body: NewTrigger,
      answer: TriggerView,
    },
    deleteTriggersOfUrn: {
      ...edit,
      method: 'DELETE',
      path: '/functions/:urn/trigger',
      summary: 'Takes away all triggers of a version or alias; of the latest, all that the function has',
      params: ofUrn,
    },
    showTriggerOfUrn: {
      ...read,
      method: 'GET',
      path: '/functions/:urn/trigger/:triggerTypeCode/:triggerId',
      summary: 'One trigger',
      params: ofTrigger,
      answer: TriggerView,
    },
    changeTriggerOfUrn: {
      ...edit,
      method: 'PUT',
      path: '/functions/:urn/trigger/:triggerTypeCode/:triggerId',
      summary: 'Changes a trigger, or switches it on or off',
      params: ofTrigger,
      body: ChangedTrigger,
      answer: TriggerView,
    },
    deleteTriggerOfUrn: {
      ...edit,
      method: 'DELETE',
      path: '/functions/:urn/trigger/:triggerTypeCode/:triggerId',
      summary: 'Takes a trigger away',
      params: ofTrigger,
    },
    uploadFunctionObject: {
      ...edit,
      method: 'PUT',
      path: '/function/object/upload',
      summary: 'An address to send a package to; `code_url` then names it by its key',
      body: shape({ file_name: text(255, 1), size: integer(1, limits.zipBytes), sha256: optional(Sha256) }),
      answer: shape({
        object_key: ObjectId,
        upload_url: text(2000),
        method: text(10),
        headers: Type.Record(Type.String(), Type.String()),
        expires_in: integer(0, 86_400),
      }),
    },
    downloadFunctionObject: {
      ...read,
      method: 'POST',
      path: '/function/object/download',
      kind: 'download',
      summary: 'The package of a version as a zip',
      body: shape({ func_urn: Urn }),
    },
    proxyFunction: {
      ...edit,
      method: 'POST',
      path: '/functions/:functionName/proxy',
      bodyLimit: limits.eventBytes + 65_536,
      summary: 'Makes an HTTP call of a function and shows the whole answer, failed or not',
      params: shape({ functionName: pattern(namePattern, 63, 'resize-pictures') }),
      query: ofProject,
      body: ProxyCall,
      answer: ProxyAnswer,
    },
  },
})
