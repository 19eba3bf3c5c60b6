import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ZoneId } from '../../../kernel/zones.ts'
import { count, id, instant, teamId } from '../../../server/columns.ts'

/** A token for debugging and what was done with it; one open for each member and target. */
export const debugSessions = pgTable(
  'debug_sessions',
  {
    sessionId: id().primaryKey(),
    teamId: teamId(),
    accountId: id().notNull(),
    /** The session in the console: with it the token ends. */
    consoleSessionId: text(),
    projectId: id(),
    target: text().notNull(),
    scopes: text().array().$type<('functions.debug' | 'device.debug' | 'logs.tail' | 'switches.read')[]>().notNull(),
    zone: text().$type<ZoneId>().notNull(),
    uses: count().notNull().default(0),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    expiresAt: instant().notNull(),
    endedAt: instant(),
    endedBecause: text({ enum: ['MEMBER', 'REPLACED', 'SIGNED_OUT', 'RIGHTS'] }),
  },
  table => [
    uniqueIndex('debug_sessions_open')
      .on(table.accountId, table.teamId, table.target)
      .where(sql`${table.endedAt} IS NULL`),
    index('debug_sessions_of_member').on(table.accountId, table.teamId, table.sessionId),
    index('debug_sessions_of_session').on(table.consoleSessionId),
    index('debug_sessions_over').on(table.expiresAt),
  ],
)
