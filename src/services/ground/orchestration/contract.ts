import { service } from '../../../kernel/contract.ts'
import {
  AnyJson,
  flag,
  integer,
  list,
  oneOf,
  optional,
  pattern,
  type Static,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits, processNamePattern, stepIdPattern } from './rules.ts'

export const orchestrationPermissions = ['orchestration.read', 'orchestration.edit'] as const

/** Service number 113; those of the brief keep their numbers. */
export const orchestrationErrors = {
  unknownProcess: [204280004, 404, 'There is no process {definitionId}/{processId}.'],
  deadline: [204281001, 504, 'The process took longer than {deadlineMs} ms; try again, or ask for less.'],
  stepFailed: [204281002, 502, 'The step {step} failed with {code}: {message}'],
  notAvailable: [204281003, 503, '{service} is not available here'],
  tooMuch: [204281004, 502, 'The step {step} made more than {limitBytes} bytes; ask for less.'],
  mappingFailed: [204281005, 502, 'The mapping of the step {step} failed at {pointer}: {message}'],
  keyMissing: [201130001, 400, 'This process writes: send the header Idempotency-Key.'],
  unsound: [201130002, 400, 'The definition is not sound; see fields for each place.'],
  otherProcess: [201130003, 400, 'The definition says {said}, the address {address}; both must be the same.'],
} as const

const ProcessName = pattern(processNamePattern, 60, 'getHomePageInfo')
export const StepId = pattern(stepIdPattern, 40, 'app')
const ServiceName = pattern('^[a-z]+/[a-z][a-z0-9-]*$', 80, 'distribute/apps')

const CallByName = shape({ service: ServiceName, name: pattern('^[A-Za-z][A-Za-z0-9]*$', 80, 'getApp') })
const CallByAddress = shape({
  service: ServiceName,
  method: oneOf(['GET', 'POST', 'PUT', 'DELETE']),
  path: pattern('^/[A-Za-z0-9/:{}._-]*$', 300, '/mts/material-test/list'),
})

const Step = shape({
  id: StepId,
  call: optional(Type.Union([CallByName, CallByAddress])),
  apiName: optional(pattern('^[A-Za-z][A-Za-z0-9.]*$', 100, 'AppGallery.queryAppList')),
  dependsOn: optional(Type.Array(StepId, { maxItems: limits.steps, uniqueItems: true })),
  when: optional(AnyJson),
  input: optional(shape({ params: optional(AnyJson), query: optional(AnyJson), body: optional(AnyJson) })),
  timeoutMs: optional(integer(10, limits.longestDeadlineMs)),
  retries: optional(integer(0, limits.retries)),
  optional: optional(flag()),
  fallback: optional(AnyJson),
  cacheKey: optional(AnyJson),
  /** The call writes nothing though it is no GET. */
  reads: optional(flag()),
})

/** One process: its steps and what it answers; or `sameAs` another, with `constants` laid over the input. */
export const Definition = shape({
  definitionId: ProcessName,
  processId: ProcessName,
  title: text(limits.titleLength, 1),
  sameAs: optional(pattern('^[A-Za-z][A-Za-z0-9-]*/[A-Za-z][A-Za-z0-9-]*$', 130, 'app/queryAppList')),
  constants: optional(Type.Record(Type.String({ maxLength: 100 }), AnyJson)),
  /** Without an Idempotency-Key it is refused. */
  writes: optional(flag()),
  deadlineMs: optional(integer(50, limits.longestDeadlineMs)),
  steps: optional(Type.Array(Step, { minItems: 1, maxItems: limits.steps })),
  output: optional(AnyJson),
})
export type Definition = Static<typeof Definition>
export type Step = Static<typeof Step>

export const Trace = shape({
  step: StepId,
  startMs: Type.Number(),
  ms: Type.Number(),
  outcome: oneOf(['done', 'failed', 'skipped', 'reused']),
  code: optional(Type.Integer()),
})

export const Outcome = {
  data: AnyJson,
  partial: list(shape({ step: StepId, code: Type.Integer(), message: Type.String() })),
  trace: optional(list(Trace)),
}

const inPayload = {
  method: 'POST' as const,
  who: 'cp' as const,
  may: 'none' as const,
  openToPrograms: true as const,
  transaction: false as const,
  body: Type.Object({ definitionId: ProcessName, processId: ProcessName }, { additionalProperties: true }),
  answer: shape(Outcome),
}

export const orchestration = service({
  name: 'ground/orchestration',
  prefix: '/invokeService',
  zone: 'current',
  permissions: orchestrationPermissions,
  errors: orchestrationErrors,
  calls: {
    invoke: { ...inPayload, path: '', summary: 'Runs a process that the payload names, with the rest of it as input' },
    invokeAtRoot: { ...inPayload, path: '/', summary: 'The same with a slash at the end' },
    invokeByPath: {
      method: 'POST',
      path: '/:definition/:process',
      who: 'cp',
      may: 'none',
      openToPrograms: true,
      summary: 'Runs a process that the path names, with the body as input',
      transaction: false,
      params: shape({ definition: ProcessName, process: ProcessName }),
      body: Type.Object({}, { additionalProperties: true }),
      answer: shape(Outcome),
    },
  },
})
