import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, teamId } from '../../../server/columns.ts'

/**
 * What people did in the console, a row an event, in the zone it was sent to. No address and no account: `person` is a random
 * id of the browser, or one that holds for a day.
 */
export const collectEvents = pgTable(
  'collect_events',
  {
    /** Made by the browser; one that comes again counts once. */
    eventId: uuid().primaryKey(),
    /** The UTC day it happened on: what rows are read and dropped by. */
    day: text().notNull(),
    name: text({ enum: ['page', 'click'] }).notNull(),
    at: instant().notNull(),
    sentAt: instant(),
    receivedAt: instant().notNull(),
    person: text().notNull(),
    isDailyPerson: boolean().notNull(),
    pageName: text().notNull(),
    page: text().notNull(),
    action: text(),
    face: text(),
    serviceItem: text().notNull(),
    language: text().notNull(),
    domain: text().notNull(),
    productId: text(),
    appId: text(),
    userType: text(),
    countryId: text(),
    /** As the browser says; nothing is granted or counted by it. */
    saidTeamId: text(),
    /** The team that the sender proved to act for. */
    teamId: id(),
    childType: text(),
    sourceChannel: text(),
    urlRef: text(),
    greyFlag: integer().notNull(),
    props: jsonb().notNull(),
    isBot: boolean().notNull(),
    isLate: boolean().notNull(),
    isClockFixed: boolean().notNull(),
    isCut: boolean().notNull(),
  },
  table => [index('collect_events_of_day').on(table.day), index('collect_events_of_team').on(table.teamId, table.day)],
)

/** The pages and buttons that a team's events have named, so that there are never more than a bound of them. */
export const collectNames = pgTable(
  'collect_names',
  {
    /** 0 for all who proved no team. */
    teamId: teamId(),
    kind: text({ enum: ['page', 'action'] }).notNull(),
    name: text().notNull(),
    /** The last UTC day it was reported on: its place is free when the events of that day are gone. */
    lastDay: text().notNull(),
  },
  table => [primaryKey({ columns: [table.teamId, table.kind, table.name] })],
)

/** Today's secret of the ids that hold for a day. It is destroyed after two days, and nobody can link them any more. */
export const collectSalts = pgTable('collect_salts', {
  day: text().primaryKey(),
  salt: text().notNull(),
  madeAt: instant().notNull(),
})
