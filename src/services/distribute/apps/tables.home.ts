import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant } from '../../../server/columns.ts'

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
