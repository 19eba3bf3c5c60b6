import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../../server/columns.ts'

/** Who is told when a call has ended: a function as `name` or `name:alias`, a topic, a file, people. */
export interface StoredDestination {
  kind: 'FUNCTION' | 'EVENT' | 'STORAGE' | 'ALARM'
  target: string
}

/** Whether a destination heard of the end of a call. */
export interface Told {
  outcome:
    | ('CALLED' | 'PUBLISHED' | 'MISSING' | 'NO_TRIGGER' | 'CIRCLE')
    | ('HANDED_OVER' | 'WRITTEN' | 'ALARMED' | 'REFUSED')
  target: string
}

/** Calls that nobody waits for, from when they are taken until a week after their end. */
export const asyncCalls = pgTable(
  'fn_async',
  {
    requestId: id().primaryKey(),
    functionId: id().notNull(),
    teamId: teamId(),
    projectId: id().notNull(),
    qualifier: text().notNull(),
    source: text({ enum: ['APP', 'CONSOLE', 'TRIGGER', 'FUNCTION'] }).notNull(),
    triggerId: id(),
    /** The same one twice is one call. */
    dedupeKey: text(),
    /** Of what a client sent under its key: another payload under it is refused. */
    payloadSha256: text(),
    /** Calls of one key run one after another, by their number. */
    orderKey: text(),
    orderNo: id(),
    /** How many functions and triggers led here. */
    depth: integer().notNull().default(0),
    caller: jsonb().$type<{ uid: string; claims: Record<string, unknown> }>(),
    /** JSON. */
    payload: text().notNull(),
    state: text({ enum: ['WAIT', 'RUNNING', 'SUCCESS', 'FAIL', 'DISCARD'] }).notNull(),
    attempt: integer().notNull().default(0),
    maxRetry: integer().notNull(),
    availableAt: instant().notNull(),
    expiresAt: instant().notNull(),
    owner: text(),
    leaseUntil: instant(),
    /** Why it ended as it did, for people. */
    reason: text(),
    errorType: text(),
    /** JSON; null where there is none, or too much. */
    result: text(),
    /** What became of telling its destination. */
    told: jsonb().$type<Told>(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  table => [
    uniqueIndex('fn_async_once').on(table.functionId, table.dedupeKey),
    index('fn_async_newest').on(table.functionId, table.requestId),
    index('fn_async_due').on(table.functionId, table.availableAt, table.requestId).where(sql`${table.state} = 'WAIT'`),
    index('fn_async_leased').on(table.leaseUntil).where(sql`${table.state} = 'RUNNING'`),
    index('fn_async_too_old').on(table.expiresAt).where(sql`${table.state} = 'WAIT'`),
    index('fn_async_in_order').on(table.orderKey, table.orderNo).where(sql`${table.state} in ('WAIT', 'RUNNING')`),
    index('fn_async_over').on(table.finishedAt),
  ],
)

/** Each try of a call, also those that a server died in. */
export const asyncAttempts = pgTable(
  'fn_async_attempts',
  {
    requestId: id().notNull(),
    attempt: integer().notNull(),
    functionId: id().notNull(),
    teamId: teamId(),
    /** The record of the run with its lines; null where nothing ran. */
    invocationId: id(),
    /** An attempt before this one may have run. */
    isRepeat: boolean().notNull(),
    startedAt: instant().notNull(),
    endedAt: instant(),
    /** Null while it runs. */
    outcome: text({ enum: ['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED', 'THROTTLED', 'LOST'] }),
    errorType: text(),
    errorMessage: text(),
  },
  table => [
    primaryKey({ columns: [table.requestId, table.attempt] }),
    index('fn_async_attempts_of_function').on(table.functionId),
  ],
)

/** How often a call of a version or alias is tried again, for how long, and who hears of its end. */
export const asyncSettings = pgTable(
  'fn_async_settings',
  {
    functionId: id().notNull(),
    qualifier: text().notNull(),
    teamId: teamId(),
    maxRetry: integer().notNull(),
    maxAgeSec: integer().notNull(),
    onSuccess: jsonb().$type<StoredDestination>(),
    onFailure: jsonb().$type<StoredDestination>(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.functionId, table.qualifier] })],
)
