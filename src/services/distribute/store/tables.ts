import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { count, id, instant, teamId } from '../../../server/columns.ts'

/** How often something happened to a version on one UTC day. */
export const storeCounts = pgTable(
  'store_counts',
  {
    versionId: id().notNull(),
    day: text().notNull(),
    type: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    amount: count().notNull(),
  },
  table => [
    primaryKey({ columns: [table.versionId, table.day, table.type] }),
    index('store_counts_of_app').on(table.teamId, table.appId, table.day),
  ],
)

/** Which device fetched which version, so that each is counted once. The device is a keyed digest. */
export const storeDownloads = pgTable(
  'store_downloads',
  { versionId: id().notNull(), device: text().notNull(), teamId: teamId(), at: instant().notNull() },
  table => [primaryKey({ columns: [table.versionId, table.device] })],
)
