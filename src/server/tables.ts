import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { count, id, instant } from './columns.ts'

/** Rows that every database has, the home one and each zone's. */

/** Written in the transaction of the change it tells of; the relay gives it to listeners at least once. */
export const outbox = pgTable(
  'outbox',
  {
    eventId: id().primaryKey(),
    type: text().notNull(),
    teamId: id(),
    entity: text().notNull(),
    entityId: text().notNull(),
    actor: text().notNull(),
    data: jsonb().notNull(),
    at: instant().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull().default(0),
    relayedAt: instant(),
    error: text(),
  },
  table => [index('outbox_waiting').on(table.nextAttemptAt, table.eventId).where(sql`${table.relayedAt} is null`)],
)

/** One row a listener and event: what makes a listener's effect happen once. */
export const eventReceipts = pgTable(
  'event_receipts',
  { listener: text().notNull(), eventId: id().notNull(), at: instant().notNull() },
  table => [primaryKey({ columns: [table.listener, table.eventId] })],
)

/** Long work as people see it; pg-boss delivers it. */
export const jobs = pgTable(
  'jobs',
  {
    jobId: id().primaryKey(),
    teamId: id(),
    kind: text().notNull(),
    subject: text().notNull(),
    input: jsonb().notNull(),
    state: text({ enum: ['queued', 'running', 'done', 'failed', 'canceled'] }).notNull(),
    step: text(),
    percent: integer().notNull().default(0),
    error: text(),
    attempts: integer().notNull().default(0),
    owner: text(),
    leaseUntil: instant(),
    deadlineAt: instant().notNull(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  table => [index('jobs_open').on(table.leaseUntil).where(sql`${table.state} in ('queued', 'running')`)],
)

/** Who did what; the application's own role may add rows, read them and take network addresses out, nothing else. */
export const audit = pgTable(
  'audit',
  {
    auditId: id().primaryKey(),
    at: instant().notNull(),
    teamId: id(),
    actor: text().notNull(),
    ip: text(),
    action: text().notNull(),
    entity: text().notNull(),
    entityId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    requestId: text(),
  },
  table => [
    index('audit_of_team').on(table.teamId, table.auditId),
    index('audit_of_entity').on(table.entityId),
    index('audit_with_address').on(table.actor).where(sql`${table.ip} is not null`),
  ],
)

/** Answers kept for 24 hours, so that a repeated POST does its work once. */
export const idempotency = pgTable(
  'idempotency',
  {
    owner: text().notNull(),
    call: text().notNull(),
    key: text().notNull(),
    bodySha256: text().notNull(),
    answer: jsonb(),
    isDone: boolean().notNull().default(false),
    expiresAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.owner, table.call, table.key] }), index().on(table.expiresAt)],
)

/** What was used, by team, meter and UTC day; billing reads it. */
export const usage = pgTable(
  'usage',
  { teamId: id().notNull(), meter: text().notNull(), day: text().notNull(), amount: count().notNull() },
  table => [primaryKey({ columns: [table.teamId, table.meter, table.day] })],
)
