import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

export const endpoints = pgTable(
  'webhook_endpoints',
  {
    endpointId: id().primaryKey(),
    teamId: teamId(),
    /** Null: events of the whole team. */
    projectId: id(),
    name: text().notNull(),
    url: text().notNull(),
    /** None means all. */
    eventTypes: text().array().notNull(),
    state: text({ enum: ['ENABLED', 'DISABLED', 'FAILED'] }).notNull(),
    /** Sealed with the master key, bound to id and address. */
    secret: text().notNull(),
    /** The one before, which signs too until then. */
    oldSecret: text(),
    oldSecretUntil: instant(),
    /** Since when nothing was accepted; null while the last try was. */
    failingSince: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('webhook_endpoints_of_team').on(table.teamId, table.endpointId)],
)

/** One row an endpoint and event; it is what a receiver gets under one `webhook-id`, however often. */
export const deliveries = pgTable(
  'webhook_deliveries',
  {
    deliveryId: id().primaryKey(),
    teamId: teamId(),
    endpointId: id().notNull(),
    /** Null for a test. */
    eventId: id(),
    type: text().notNull(),
    /** The body as it is signed and sent. */
    body: text().notNull(),
    state: text({ enum: ['WAITING', 'QUEUED', 'SENDING', 'DELIVERED', 'FAILED'] }).notNull(),
    /** Tries since it was made or replayed. */
    tries: integer().notNull().default(0),
    nextTryAt: instant(),
    lastStatus: integer(),
    lastTriedAt: instant(),
    createdAt: instant().notNull(),
  },
  table => [
    uniqueIndex('webhook_deliveries_once').on(table.endpointId, table.eventId),
    index('webhook_deliveries_of_endpoint').on(table.endpointId, table.deliveryId),
    index('webhook_deliveries_due').on(table.nextTryAt).where(sql`${table.state} = 'WAITING'`),
    index('webhook_deliveries_busy').on(table.endpointId).where(sql`${table.state} in ('QUEUED', 'SENDING')`),
    index('webhook_deliveries_age').on(table.createdAt),
  ],
)

export const tries = pgTable(
  'webhook_tries',
  {
    tryId: id().primaryKey(),
    teamId: teamId(),
    endpointId: id().notNull(),
    deliveryId: id().notNull(),
    at: instant().notNull(),
    durationMs: integer().notNull(),
    isAccepted: boolean().notNull(),
    /** Null when no answer came. */
    status: integer(),
    /** Why there was none, for people. */
    problem: text(),
    requestHeaders: jsonb().$type<Record<string, string>>().notNull(),
    answerHeaders: jsonb().$type<Record<string, string>>().notNull(),
    answerBody: text().notNull(),
    isCut: boolean().notNull(),
  },
  table => [
    index('webhook_tries_of_delivery').on(table.deliveryId, table.tryId),
    index('webhook_tries_of_endpoint').on(table.endpointId, table.at),
    index('webhook_tries_age').on(table.at),
  ],
)

/** Which project an app is in, as its events told: what lets an endpoint hear of one project only. */
export const webhookApps = pgTable('webhook_apps', {
  appId: id().primaryKey(),
  teamId: teamId(),
  projectId: id().notNull(),
})
