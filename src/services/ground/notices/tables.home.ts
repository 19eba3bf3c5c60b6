import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

/** What a person chose; who chose nothing has no row. */
export const noticeSettings = pgTable('notice_settings', {
  accountId: id().primaryKey(),
  /** Only what differs from the usual. */
  cells: jsonb().$type<Record<string, boolean>>().notNull(),
  digest: text({ enum: ['off', 'daily', 'weekly'] }).notNull(),
  digestAt: text().notNull(),
  timeZone: text().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})
