import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant } from '../../../server/columns.ts'

/** Names on shelf over all zones and teams: what a new name is compared with. Everybody may see that a name is taken. */
export const shelfNames = pgTable(
  'shelf_names',
  {
    appId: id().notNull(),
    lang: text().notNull(),
    nameKey: text().notNull(),
    appName: text().notNull(),
    countries: text().array().notNull(),
    at: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.appId, table.lang] }), index('shelf_names_by_key').on(table.nameKey)],
)
