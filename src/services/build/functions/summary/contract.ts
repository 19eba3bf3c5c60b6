import { type CallSpec, service } from '../../../../kernel/contract.ts'
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
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { FunctionShape, functionErrors, Line, Phases, Qualifier, Ran } from '../contract.ts'
import { limits, namePattern } from '../rules.ts'

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
/** What is a view of other calls commits with each of them. */
const view = { ...read, transaction: false } as const
const Name = pattern(namePattern, 63, 'resize-pictures')
const ofFunction = shape({ functionName: Name })
const ofProject = shape({ projectId: Id })
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const hours = limits.keptLogsMs / 3_600_000
const Span = { projectId: Id, hours: optional(integer(1, hours)) }

const Counts = { calls: Count, failures: Count, refused: Count, cold: Count, runMs: Count }
const Point = shape({ at: Instant, ...Counts, medianMs: Count, p95Ms: Count })

const Log = shape({
  requestId: Id,
  startedAt: Instant,
  version: text(20),
  outcome: oneOf(['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED']),
  errorMessage: nullable(text(4000)),
  isCold: flag(),
  phases: Phases,
  memPeakMb: integer(0, 1_000_000),
  lines: list(Line),
})

/** Functions at a glance, all of it from calls that were recorded. */
export const functionSummary = service({
  name: 'build/functions',
  prefix: '/cloudfunction',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: { noFunction: functionErrors.noFunction, noVersion: functionErrors.noVersion },
  calls: {
    listSummaries: {
      ...view,
      method: 'GET',
      path: '/functions',
      summary: 'Functions of a project with what was called of each lately',
      query: shape({ ...Span, keyword: optional(text(63)), ...PageQuery }),
      answer: pageOf(
        shape({
          ...{ function: FunctionShape, ...Counts, lastCalledAt: nullable(Instant) },
          /** Calls of each hour, the one that runs last. */
          byHour: list(Count),
        }),
      ),
    },
    getSummary: {
      ...view,
      method: 'GET',
      path: '/functions/:functionName',
      summary: 'One function with its calls by hour',
      params: ofFunction,
      query: shape(Span),
      answer: shape({ function: FunctionShape, ...Counts, points: list(Point) }),
    },
    getQuota: {
      ...view,
      method: 'GET',
      path: '/quota',
      summary: 'What a project may have, and has',
      query: ofProject,
      answer: shape({ enabled: flag(), quotas: list(shape({ metric: text(40), limit: Count, used: Count })) }),
    },
    getUsage: {
      ...read,
      method: 'GET',
      path: '/usage',
      summary: 'What was called in a project, by hour and altogether',
      query: shape(Span),
      answer: shape({ from: Instant, until: Instant, ...Counts, functions: Count, points: list(Point) }),
    },
    testSummaryFunction: {
      ...view,
      may: 'functions.edit',
      method: 'POST',
      path: '/functions/:functionName/test',
      bodyLimit: limits.eventBytes + 1024,
      summary: 'Calls a version with an event and answers all that is known of the call',
      params: ofFunction,
      query: ofProject,
      body: shape({ qualifier: optional(Qualifier), event: optional(AnyJson) }),
      answer: Ran,
    },
    listSummaryLogs: {
      ...view,
      method: 'GET',
      path: '/functions/:functionName/logs',
      summary: 'Calls of the last seven days with their lines, the newest first',
      params: ofFunction,
      query: shape({ projectId: Id, keyword: optional(text(200)), requestId: optional(Id), ...PageQuery }),
      answer: pageOf(Log),
    },
  },
})
