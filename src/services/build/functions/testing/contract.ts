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
import { functionErrors, Line, Phases, Ran } from '../contract.ts'
import { limits, namePattern } from '../rules.ts'

const TestEvent = shape({ name: text(64), content: text(limits.testEventBytes), updatedAt: Instant })
const Qualifier = text(64, 1)
const EventName = pattern('^[A-Za-z0-9_ -]{1,64}$', 64, 'a large picture')
const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const Event = shape({ content: text(limits.testEventBytes, 1) })
const one = shape({ functionId: Id, name: EventName })

const Call = shape({
  requestId: Id,
  qualifier: text(64),
  version: text(20),
  source: oneOf(['TEST', 'APP', 'CONSOLE', 'TRIGGER', 'FUNCTION']),
  outcome: oneOf(['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED']),
  errorType: nullable(text(200)),
  errorMessage: nullable(text(4000)),
  isCold: flag(),
  phases: Phases,
  memPeakMb: integer(0, 1_000_000),
  startedAt: Instant,
  lines: list(Line),
})

const LiveLine = shape({
  lineId: Id,
  requestId: nullable(Id),
  version: text(20),
  ...Line.properties,
  end: nullable(shape({ outcome: Call.properties.outcome, durationMs: integer(0, 1e9) })),
})

/** Trying functions out, and what became of calls. */
export const functionTesting = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: {
    noFunction: functionErrors.noFunction,
    noVersion: functionErrors.noVersion,
    tooMany: functionErrors.tooMany,
  },
  calls: {
    testFunction: {
      ...edit,
      method: 'POST',
      path: '/test/:a/:b',
      transaction: false,
      bodyLimit: limits.eventBytes + 1024,
      summary: 'Calls a version with an event and answers all that is known of the call',
      params: shape({ a: pattern(namePattern, 63, 'resize-pictures'), b: Qualifier }),
      query: shape({ projectId: Id }),
      body: shape({ event: optional(AnyJson), testParam: optional(EventName) }),
      answer: Ran,
    },
    listTestEvents: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/test-params',
      summary: 'Events to try a function with',
      params: shape({ functionId: Id }),
      answer: shape({ total: integer(0, 1000), list: list(TestEvent), nextCursor: nullable(text(64)) }),
    },
    createTestEvent: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/test-params/:name',
      summary: 'Keeps an event',
      params: one,
      body: Event,
      answer: shape({ event: TestEvent }),
    },
    updateTestEvent: {
      ...edit,
      method: 'PUT',
      path: '/function/:functionId/test-params/:name',
      summary: 'Changes an event',
      params: one,
      body: Event,
      answer: shape({ event: TestEvent }),
    },
    deleteTestEvent: {
      ...edit,
      method: 'DELETE',
      path: '/function/:functionId/test-params/:name',
      summary: 'Takes an event away',
      params: one,
    },
    listCalls: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/calls',
      summary: 'Calls of the last seven days with their lines, the newest first',
      params: shape({ functionId: Id }),
      query: shape({
        keyword: optional(text(200)),
        requestId: optional(Id),
        outcome: optional(oneOf(['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED'])),
        ...PageQuery,
      }),
      answer: pageOf(Call),
    },
    listLiveLines: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/live',
      transaction: false,
      summary:
        'What copies write while they run, and how calls end, the oldest first: from the first look on, of ten minutes, at most 300',
      params: shape({ functionId: Id }),
      answer: shape({ list: list(LiveLine) }),
    },
    countCalls: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/statistics',
      summary: 'Calls, failures, those not started, cold starts and times of the last day by hour',
      params: shape({ functionId: Id }),
      answer: shape({
        points: list(
          shape({
            at: Instant,
            calls: integer(0, 1e9),
            failures: integer(0, 1e9),
            /** Of the failures, those of which nothing ran. */
            refused: integer(0, 1e9),
            cold: integer(0, 1e9),
            medianMs: integer(0, 1e9),
            p95Ms: integer(0, 1e9),
          }),
        ),
      }),
    },
  },
})
