import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { sessions } from './tables.home.ts'

/** Ends the account's sessions on every process, but the one to keep. Returns how many. */
export async function endSessions(ctx: Context, accountId: string, keep: string | null = null): Promise<number> {
  const ended = await ctx.home
    .update(sessions)
    .set({ revokedAt: ctx.now() })
    .where(
      and(
        eq(sessions.accountId, accountId),
        isNull(sessions.revokedAt),
        ...(keep === null ? [] : [ne(sessions.sessionId, keep)]),
      ),
    )
    .returning({ sessionId: sessions.sessionId })
  ctx.signal('home', 'sessions', accountId)
  return ended.length
}
