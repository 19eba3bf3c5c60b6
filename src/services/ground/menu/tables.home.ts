import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

interface LocalText {
  zh: string
  en: string
  ru: string
}

/** What a person keeps at hand, over all teams. The key is a fraction: moving one row writes one row. */
export const favorites = pgTable(
  'menu_favorites',
  {
    accountId: id().notNull(),
    serviceId: text().notNull(),
    orderKey: text().notNull(),
    createdAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.accountId, table.serviceId] })],
)

export const serviceUsage = pgTable(
  'menu_service_usage',
  {
    teamId: teamId(),
    accountId: id().notNull(),
    serviceId: text().notNull(),
    uses: integer().notNull().default(1),
    lastUsedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.teamId, table.accountId, table.serviceId] })],
)

export const infoCenterConfigs = pgTable('info_center_configs', {
  accountId: id().primaryKey(),
  showsBanners: boolean().notNull(),
  panels: text({ enum: ['billboard', 'favorites', 'recent'] })
    .array()
    .notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

/** `seed` is made with the switch and stays: a team that was in a rollout stays in while it grows. */
export const featureSwitches = pgTable('feature_switches', {
  feature: text().primaryKey(),
  isOn: boolean().notNull(),
  percent: doublePrecision().notNull(),
  seed: text().notNull(),
  /** Where it holds; empty is everywhere. */
  zones: text({ enum: ['CN', 'SG', 'DE', 'RU', 'IR'] })
    .array()
    .notNull(),
  /** Teams of these groups get it whatever the percentage. */
  groups: text().array().notNull().default([]),
  note: text().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

export const announcementRows = pgTable(
  'announcements',
  {
    announcementId: id().primaryKey(),
    kind: text({ enum: ['news', 'warning', 'maintenance'] }).notNull(),
    title: jsonb().$type<LocalText>().notNull(),
    text: jsonb().$type<LocalText>().notNull(),
    href: text(),
    isBanner: boolean().notNull(),
    zones: text({ enum: ['CN', 'SG', 'DE', 'RU', 'IR'] })
      .array()
      .notNull(),
    state: text({ enum: ['draft', 'scheduled', 'live', 'ended'] }).notNull(),
    startAt: instant(),
    endAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('announcements_by_state').on(table.state, table.announcementId)],
)

export const dismissals = pgTable(
  'announcement_dismissals',
  { accountId: id().notNull(), announcementId: id().notNull(), dismissedAt: instant().notNull() },
  table => [
    primaryKey({ columns: [table.accountId, table.announcementId] }),
    index('announcement_dismissals_of').on(table.announcementId),
  ],
)

export const billboardSlots = pgTable('billboard_slots', {
  slotId: id().primaryKey(),
  title: jsonb().$type<LocalText>().notNull(),
  text: jsonb().$type<LocalText>().notNull(),
  href: text().notNull(),
  tone: text({ enum: ['blue', 'green', 'amber', 'grey'] }).notNull(),
  weight: integer().notNull(),
  zones: text({ enum: ['CN', 'SG', 'DE', 'RU', 'IR'] })
    .array()
    .notNull(),
  isOn: boolean().notNull(),
  startAt: instant(),
  endAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

/** Impressions by slot, person and UTC day. */
export const billboardViews = pgTable(
  'billboard_views',
  {
    slotId: id().notNull(),
    accountId: id().notNull(),
    day: text().notNull(),
    shown: integer().notNull().default(0),
    clicked: integer().notNull().default(0),
  },
  table => [primaryKey({ columns: [table.slotId, table.accountId, table.day] })],
)
