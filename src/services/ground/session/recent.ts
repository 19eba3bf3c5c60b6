import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { session } from './contract.ts'
import { recentMs } from './rules.ts'
import { hasSecondFactorOf } from './second-factor.ts'
import { sessions } from './tables.home.ts'

/** When the person of this session last proved who they are; epoch milliseconds. */
export async function authenticatedAt(ctx: Context): Promise<number> {
  const [row] = await ctx.home
    .select({ at: sessions.authenticatedAt })
    .from(sessions)
    .where(eq(sessions.sessionId, ctx.caller.sessionId ?? ''))
  return row?.at ?? 0
}

/**
 * Refuses with 403 unless the person of this session proved who they are within the last five minutes. `withoutFactor` is
 * called where that was by one step only and the account has no second one to ask for.
 */
export async function assertRecent(ctx: Context, withoutFactor?: () => never): Promise<void> {
  if (ctx.caller.kind === 'system') return
  if (ctx.caller.clientId !== undefined) refuse(commonErrors.personNeeded)
  if (ctx.now() - (await authenticatedAt(ctx)) > recentMs) refuse(session.errors.recentNeeded)
  if (!withoutFactor || (await isOfTwoSteps(ctx))) return
  if (await hasSecondFactorOf(ctx, ctx.accountId)) refuse(session.errors.recentNeeded)
  withoutFactor()
}

async function isOfTwoSteps(ctx: Context): Promise<boolean> {
  const [row] = await ctx.home
    .select({ has: sessions.hasSecondFactor })
    .from(sessions)
    .where(eq(sessions.sessionId, ctx.caller.sessionId ?? ''))
  return row?.has ?? false
}

/** The person of this session has just proven who they are. */
export async function markRecent(ctx: Context, isSecondFactor: boolean): Promise<number> {
  const now = ctx.now()
  const sessionId = ctx.caller.sessionId ?? ''
  await ctx.home
    .update(sessions)
    .set({ authenticatedAt: now, ...(isSecondFactor ? { hasSecondFactor: true } : {}) })
    .where(eq(sessions.sessionId, sessionId))
  ctx.signal('home', 'sessions', sessionId)
  ctx.audit({ action: 'session.confirmed', entity: 'session', entityId: sessionId }, 'home')
  return now
}

/** The same for a session that a provider sent back, where no caller is known. */
export async function markRecentOf(ctx: Context, sessionId: string): Promise<void> {
  await ctx.home.update(sessions).set({ authenticatedAt: ctx.now() }).where(eq(sessions.sessionId, sessionId))
  ctx.audit({ action: 'session.confirmed', entity: 'session', entityId: sessionId }, 'home')
}
