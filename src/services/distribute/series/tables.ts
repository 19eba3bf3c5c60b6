import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** The editions of one product: the store shows one page for them. */
export const appSeries = pgTable(
  'app_series',
  {
    seriesId: id().primaryKey(),
    teamId: teamId(),
    name: text().notNull(),
    /** DOUBLE shows every edition; SINGLE only that for HarmonyOS, in `singleIn`, or everywhere when that is empty. */
    mode: text({ enum: ['DOUBLE', 'SINGLE'] }).notNull(),
    singleIn: text().array().notNull().default([]),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('app_series_name').on(table.teamId, sql`lower(${table.name})`),
    index('app_series_of_team').on(table.teamId, table.seriesId),
  ],
)

/** An app is in one series at most. */
export const seriesMembers = pgTable(
  'app_series_members',
  {
    appId: id().primaryKey(),
    seriesId: id().notNull(),
    teamId: teamId(),
    role: text({ enum: ['MAIN', 'SUB'] }).notNull(),
    packageType: text().notNull(),
    deviceTypes: integer().array().notNull(),
    addedAt: instant().notNull(),
  },
  table => [
    index('app_series_members_of_series').on(table.seriesId, table.appId),
    uniqueIndex('app_series_members_main').on(table.seriesId).where(sql`${table.role} = 'MAIN'`),
  ],
)

/** From when on the edition for HarmonyOS is shown in the place of the others, in `countries` or, where those are empty, everywhere. */
export const seriesCutovers = pgTable(
  'app_series_cutovers',
  {
    cutoverId: id().primaryKey(),
    teamId: teamId(),
    seriesId: id().notNull(),
    startAt: instant().notNull(),
    countries: text().array().notNull().default([]),
    state: text({ enum: ['PLANNED', 'ACTIVE', 'CANCELED'] }).notNull(),
    reason: text({ enum: ['BY_TEAM', 'NO_HARMONY', 'MODE_CHANGED', 'SERIES_ENDED'] }),
    /** What people saw until it started. */
    before: jsonb().$type<{ mode: 'DOUBLE' | 'SINGLE'; singleIn: readonly string[] }>(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('app_series_cutovers_of_series').on(table.seriesId, table.cutoverId),
    uniqueIndex('app_series_cutovers_planned').on(table.seriesId).where(sql`${table.state} = 'PLANNED'`),
    index('app_series_cutovers_due').on(table.startAt).where(sql`${table.state} = 'PLANNED'`),
  ],
)
