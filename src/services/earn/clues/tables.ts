import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { id, instant } from '../../../server/columns.ts'

/**
 * What somebody looked at, once a session: what clues are made of. Who it was is not written down; the session is a keyed
 * digest that nobody can turn back.
 */
export const clueBehaviors = pgTable(
  'clue_behaviors',
  {
    behaviorId: id().primaryKey(),
    session: text().notNull(),
    dataType: text({
      enum: ['agcp_demoproject_browsing', 'agc_service_browsing', 'ecology_service_browsing'],
    }).notNull(),
    serviceId: text().notNull(),
    serviceCode: text().notNull(),
    menuId: text().notNull(),
    /** Of somebody not signed in: null until they sign in. */
    teamId: id(),
    /** The browser's visit, as a keyed digest: by it what came before signing in finds its team. */
    visit: text(),
    at: instant().notNull(),
  },
  table => [
    unique('clue_behaviors_once').on(table.session, table.dataType, table.serviceId),
    index('clue_behaviors_of_team').on(table.teamId, table.serviceId, table.at),
    index('clue_behaviors_unattached').on(table.visit).where(sql`${table.teamId} IS NULL`),
    index('clue_behaviors_at').on(table.at),
  ],
)
