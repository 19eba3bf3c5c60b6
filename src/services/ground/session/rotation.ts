import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { accountStatus, judgeCounter, nextSoftExpiry } from './rules.ts'
import { accounts, sessions } from './tables.home.ts'
import type { SessionToken } from './tokens.ts'

/**
 * Rotates under a row lock. The token before gets the same new token within the grace; an older one ends the session:
 * somebody has a copy. Before soft expiry nothing rotates. Null with the account's status when there is nothing to renew.
 */
export async function renew(ctx: Context, token: SessionToken) {
  const [found] = await ctx.home
    .select({ session: sessions, account: accounts })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.accountId, sessions.accountId))
    .where(and(eq(sessions.sessionId, token.sessionId), isNull(sessions.revokedAt)))
    .for('update', { of: sessions })
  const now = ctx.now()
  if (!found || now >= found.session.hardExpireAt) return { renewed: null }
  if (found.account.status !== accountStatus.normal) return { renewed: null, accountStatus: found.account.status }
  const verdict = judgeCounter(token.counter, found.session, now)
  if (verdict === 'replayed') {
    await endReplayed(ctx, { ...found.session, accountId: found.account.accountId })
    return { renewed: null }
  }
  if (verdict === 'previous' || now < found.session.softExpireAt) return { renewed: found }
  const next = {
    counter: found.session.counter + 1,
    rotatedAt: now,
    lastSeenAt: now,
    softExpireAt: nextSoftExpiry(now, found.session.hardExpireAt),
  }
  await ctx.home.update(sessions).set(next).where(eq(sessions.sessionId, token.sessionId))
  ctx.signal('home', 'sessions', token.sessionId)
  return { renewed: { account: found.account, session: { ...found.session, ...next } } }
}

/** A token that a rotation used up came again: the family ends on every process, for good, and people are told. */
export async function endReplayed(ctx: Context, of: { sessionId: string; accountId: string }): Promise<void> {
  const { sessionId, accountId } = of
  const ended = await ctx.home
    .update(sessions)
    .set({ revokedAt: ctx.now() })
    .where(and(eq(sessions.sessionId, sessionId), isNull(sessions.revokedAt)))
    .returning({ sessionId: sessions.sessionId })
  ctx.signal('home', 'sessions', sessionId)
  if (ended.length === 0) return
  ctx.audit({ action: 'session.replay', entity: 'session', entityId: sessionId, after: { accountId } }, 'home')
  ctx.emit({ type: 'session.replayed', entity: 'account', entityId: accountId, data: { accountId } }, 'home')
}
