import { Id, Instant, integer, nullable, oneOf, Type, text } from './shape.ts'

/** Of the job that carries an action on many things out; `done` when each thing was tried. */
const bulkStates = ['queued', 'running', 'done', 'failed', 'canceled'] as const
export type BulkState = (typeof bulkStates)[number]
const bulkResults = ['WAITING', 'DONE', 'REFUSED'] as const
export type BulkResult = (typeof bulkResults)[number]

/** What is told of an action on many things, whatever they are; at most so many at once. */
export const bulkSummary = (limit: number) => ({
  bulkId: Id,
  state: oneOf(bulkStates),
  percent: integer(0, 100),
  total: integer(0, limit),
  done: integer(0, limit),
  refused: integer(0, limit),
  createdBy: nullable(text(64)),
  createdAt: Instant,
  finishedAt: nullable(Instant),
})

/** What became of one of the things: with the number and sentence of a refusal. */
export const bulkOutcome = {
  result: oneOf(bulkResults),
  code: nullable(Type.Integer()),
  message: nullable(text(1000)),
  at: nullable(Instant),
}
