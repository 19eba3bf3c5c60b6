import { type CallSpec, service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors, Qualifier } from '../contract.ts'
import { cidrPattern, egressModes, hostPattern, scalingLimits as limits, logLevels, metrics } from './rules.ts'

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const ofFunction = shape({ functionId: Id })
const ofQualifier = shape({ qualifier: optional(Qualifier) })

const EgressShape = shape({
  mode: oneOf(egressModes),
  /** Networks that the address must lie in; private ones stay closed whatever stands here. */
  cidrs: list(pattern(cidrPattern, 50, '203.0.113.0/24'), { maxItems: limits.cidrs }),
  /** Names as the code writes them; `*.` in front is every name below. */
  hosts: list(pattern(hostPattern, 253, 'api.example.org'), { maxItems: limits.hosts }),
})

const Config = {
  minInstances: integer(0, limits.minInstances),
  maxInstances: integer(1, limits.maxInstances),
  idleTimeoutSec: integer(10, 3600),
  logLevel: oneOf(logLevels),
  egress: EgressShape,
}

const ConfigAnswer = shape({
  qualifier: text(64),
  ...Config,
  /** 0 where nothing was set and these are the defaults. */
  revision: integer(0, 2_147_483_647),
  /** Of this machine's processes, now; with an alias, of the versions that it leads to. */
  live: shape({ instances: integer(0, 100_000), target: integer(0, 100_000), floor: integer(0, 100_000) }),
})

const cronPattern = '^\\S+( \\S+){4}$'
const CronShape = shape({
  cron: pattern(cronPattern, 100, '0 8 * * 1-5'),
  timezone: text(64, 1, { examples: ['Europe/Berlin'] }),
  holdMinutes: integer(1, limits.holdMinutes),
  count: integer(1, limits.minInstances),
  startTime: optional(Instant),
  expiredTime: optional(Instant),
})
const MetricShape = shape({
  metric: oneOf(metrics),
  threshold: integer(1, 10_000),
  min: integer(0, limits.minInstances),
  max: integer(1, limits.maxInstances),
})

const RuleBody = {
  name: text(64, 1),
  qualifier: Qualifier,
  kind: oneOf(['CRON', 'METRIC']),
  cron: optional(CronShape),
  metric: optional(MetricShape),
  isEnabled: optional(flag()),
}

const RuleAnswer = shape({
  ruleId: Id,
  name: text(64),
  qualifier: text(64),
  kind: oneOf(['CRON', 'METRIC']),
  cron: nullable(CronShape),
  metric: nullable(MetricShape),
  isEnabled: flag(),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

/** How many copies there are of a function, when, and what they may do. */
export const functionScaling = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: {
    noVersion: functionErrors.noVersion,
    tooMany: functionErrors.tooMany,
    reservedTooMuch: [
      210412005,
      412,
      'The minimums of this project would reserve {wanted} calls at once; at most {limit} of them may be reserved.',
    ],
  },
  calls: {
    getManagerConfig: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/managerconfig',
      summary: 'How many copies of a qualifier there may be, what of their lines is kept, where they may connect to',
      params: ofFunction,
      query: ofQualifier,
      answer: ConfigAnswer,
    },
    setManagerConfig: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/managerconfig',
      summary: 'Sets it; in force from the next second on, for copies that run, too',
      params: ofFunction,
      body: shape({ qualifier: optional(Qualifier), revision: optional(integer(0, 2_147_483_647)), ...Config }),
      answer: ConfigAnswer,
    },
    listScalingRules: {
      ...read,
      method: 'GET',
      path: '/function/rules/:functionId',
      summary: 'Scaling rules of a function, and the floors of the next 24 hours',
      params: ofFunction,
      query: ofQualifier,
      answer: shape({
        total: integer(0, 1000),
        list: list(RuleAnswer),
        nextCursor: nullable(text(64)),
        from: Instant,
        until: Instant,
        floors: list(shape({ ruleId: Id, from: Instant, until: Instant, count: integer(0, 1000) })),
      }),
    },
    createScalingRule: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/rules',
      summary: 'A new rule: a floor by the clock, or a size by what is measured',
      params: ofFunction,
      body: shape(RuleBody),
      answer: shape({ ruleId: Id, rule: RuleAnswer }),
    },
    updateScalingRule: {
      ...edit,
      method: 'PUT',
      path: '/function/rules/:functionId/:ruleId',
      summary: 'Changes a rule',
      params: shape({ functionId: Id, ruleId: Id }),
      body: shape({ revision: Revision, ...RuleBody }),
      answer: shape({ rule: RuleAnswer }),
    },
    deleteScalingRule: {
      ...edit,
      method: 'DELETE',
      path: '/function/rules/:functionId/:ruleId',
      summary: 'Takes a rule away',
      params: shape({ functionId: Id, ruleId: Id }),
    },
  },
})
