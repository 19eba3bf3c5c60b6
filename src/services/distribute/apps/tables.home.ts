import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

/**
 * One package name belongs to one app in the whole store, over all zones and teams. The holder's column is not called
 * team_id: everybody must be able to see that a name is taken.
 */
export const packageNames = pgTable(
  'package_names',
  {
    packageType: text().notNull(),
    /** The name in lower case. */
    nameKey: text().notNull(),
    packageName: text().notNull(),
    appId: id().notNull(),
    holderTeamId: id().notNull(),
    zone: text().notNull(),
    /** Set when the app was deleted: until then only the same team may take the name again. */
    reservedUntil: instant(),
    createdAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.packageType, table.nameKey] }), index('package_names_of_app').on(table.appId)],
)

/** An app as it was when its move was asked for: what the other team sees of it before it has it. */
export interface MovingApp {
  appId: string
  name: string
  packageName: string | null
  packageType: string
  isOnShelf: boolean
}

/**
 * Apps on their way to another team, or another project. Two teams see a row, so no column is called team_id: whoever reads
 * names a side.
 */
export const appMoves = pgTable(
  'app_moves',
  {
    moveId: id().primaryKey(),
    fromTeamId: id().notNull(),
    toTeamId: id().notNull(),
    /** Chosen by who takes the apps. */
    toProjectId: id(),
    zone: text().notNull(),
    appIds: id().array().notNull(),
    apps: jsonb().$type<MovingApp[]>().notNull(),
    keepsTesters: boolean().notNull(),
    note: text().notNull().default(''),
    state: text({
      enum: ['WAIT_ACCEPT', 'EXECUTING', 'DONE', 'FAILED', 'CANCELED', 'REFUSED', 'EXPIRED'],
    }).notNull(),
    /** What kept the apps from going, where it failed. */
    blocks: jsonb().$type<{ appId: string; block: string }[]>().notNull().default([]),
    jobId: id(),
    expiresAt: instant().notNull(),
    createdBy: id().notNull(),
    answeredBy: id(),
    finishedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('app_moves_from').on(table.fromTeamId, table.moveId),
    index('app_moves_to').on(table.toTeamId, table.moveId),
    index('app_moves_open').on(table.expiresAt).where(sql`${table.state} IN ('WAIT_ACCEPT', 'EXECUTING')`),
    index('app_moves_done').on(table.finishedAt).where(sql`${table.state} = 'DONE'`),
  ],
)
