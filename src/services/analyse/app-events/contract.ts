import { service } from '../../../kernel/contract.ts'
import type { ErrorRow } from '../../../kernel/errors.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  optional,
  PageQuery,
  pageOf,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits } from './rules.ts'

const Amount = Type.Number({ minimum: 0 })

export const EventNameView = shape({
  name: Type.String(),
  count: Amount,
  /** Distinct, counted exactly. */
  units: Amount,
  hasValue: flag(),
  /** How many on each of the days of the answer. */
  days: list(Amount),
})

export const LiveEventView = shape({
  eventId: Id,
  name: Type.String(),
  unit: Type.String(),
  /** When it happened, and when it was taken. */
  at: Instant,
  receivedAt: Instant,
  value: nullable(Type.Number()),
  variant: nullable(Type.String()),
  /** The beginning of a JSON object. */
  props: Type.String(),
})

const Names = shape({
  ...pageOf(EventNameView).properties,
  /** UTC days, the last one today. */
  days: list(Type.String()),
  completeThrough: Instant,
})

export const appEventsErrors = {
  engineMissing: [204410001, 503, 'Events are kept, but this server cannot count them: DuckDB is missing. {install}'],
  engineFailed: [204410002, 503, 'The events could not be counted: {reason}'],
  badBatch: [204410003, 400, 'This is no batch of events: {reason}'],
} as const satisfies Record<string, ErrorRow>

/** What apps report: events and exposures of experiments. */
export const appEvents = service({
  name: 'analyse/app-events',
  prefix: '/app-events/v1',
  zone: 'current',
  permissions: ['appEvents.read', 'appEvents.edit'],
  errors: appEventsErrors,
  calls: {
    listEventNames: {
      method: 'GET',
      path: '/names',
      who: 'cp',
      may: 'appEvents.read',
      transaction: false,
      summary:
        'The names of the events of a project in the last days, the most frequent first, with units and counts by day',
      query: shape({
        projectId: Id,
        days: optional(integer(1, 90)),
        search: optional(text(limits.nameLength)),
        ...PageQuery,
      }),
      answer: Names,
    },
    listLiveEvents: {
      method: 'GET',
      path: '/live',
      who: 'cp',
      may: 'appEvents.read',
      transaction: false,
      summary:
        'The events of the last minute as they come, the newest first, at most 100: from the first question on, and for 15 seconds after the last one',
      query: shape({ projectId: Id }),
      answer: shape({ list: list(LiveEventView) }),
    },
    eraseUnit: {
      method: 'POST',
      path: '/units/erase',
      who: 'cp',
      may: 'appEvents.edit',
      summary: 'Takes every event of one unit out of what is kept, as a job',
      body: shape({ projectId: Id, unit: text(limits.unitLength, 1) }),
      answer: shape({ jobId: Id }),
    },
  },
})
