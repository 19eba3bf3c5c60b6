import { type CallSpec, service } from '../../../../kernel/contract.ts'
import {
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
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors } from '../contract.ts'
import { aliasPattern } from '../rules.ts'
import { canaryActions, canaryLimits, canaryStates } from './rules.ts'

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const Count = integer(0, 1_000_000_000)
const AliasName = pattern(aliasPattern, 63, 'live')

const Steps = list(shape({ weight: integer(1, 99), holdMinutes: integer(1, canaryLimits.holdMinutes) }), {
  minItems: 1,
  maxItems: canaryLimits.steps,
})
const Limits = shape({
  /** More failures of a hundred calls than this end it. */
  errorPercent: integer(0, 100),
  p95Ms: nullable(integer(1, 1_800_000)),
  minimumCalls: integer(1, 100_000),
})
const HealthShape = { calls: Count, failures: Count, p95Ms: nullable(Count) }

const Canary = shape({
  canaryId: Id,
  functionId: Id,
  aliasName: text(63),
  fromVersion: text(20),
  toVersion: text(20),
  steps: Steps,
  limits: Limits,
  state: oneOf(canaryStates),
  step: integer(0, canaryLimits.steps),
  /** Of a hundred calls, now. */
  weight: integer(0, 100),
  stepStartedAt: Instant,
  nextAt: nullable(Instant),
  health: shape(HealthShape),
  createdAt: Instant,
  endedAt: nullable(Instant),
  revision: Revision,
  allowedActions: list(oneOf(canaryActions)),
})

const Entry = shape({ entryId: Id, at: Instant, action: text(40), weight: integer(0, 100), ...HealthShape })
const one = shape({ functionId: Id, canaryId: Id })

/** A second version that gets more and more of an alias's calls while it does well, and none when it does not. */
export const functionCanary = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: { noVersion: functionErrors.noVersion, canaryRuns: functionErrors.canaryRuns },
  calls: {
    startCanary: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/aliases/:name/canary',
      summary: 'Leads an alias to a second version step by step',
      params: shape({ functionId: Id, name: AliasName }),
      body: shape({ version: pattern('^[1-9][0-9]{0,8}$', 9, '3'), steps: Steps, limits: Limits }),
      answer: shape({ canaryId: Id, canary: Canary }),
    },
    listCanaries: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/canaries',
      summary: 'Canaries of a function, the newest first',
      params: shape({ functionId: Id }),
      query: shape({ aliasName: optional(AliasName), ...PageQuery }),
      answer: pageOf(Canary),
    },
    getCanary: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/canaries/:canaryId',
      summary: 'One canary with its history, the newest first',
      params: one,
      answer: shape({ canary: Canary, history: list(Entry) }),
    },
    moveCanary: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/canaries/:canaryId/:action',
      summary: 'Pauses, resumes or finishes a canary, or rolls it back',
      params: shape({ functionId: Id, canaryId: Id, action: oneOf(canaryActions) }),
      body: shape({ revision: Revision }),
      answer: shape({ canary: Canary }),
    },
  },
})
