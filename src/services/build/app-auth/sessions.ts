import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { callerChannel, type KnownCaller } from './caller.ts'
import { errors } from './contract.ts'
import { authTickets } from './factors/tables.ts'
import { dayOf } from './messages.ts'
import { placeOf } from './product.ts'
import { judgeRotation, limits } from './rules.ts'
import { type AuthSettings, appUserDays, appUserSessions, appUsers } from './tables.ts'
import { readRefreshToken, refreshTokenOf, signToken } from './tokens.ts'

export type UserRow = typeof appUsers.$inferSelect
export type SessionRow = typeof appUserSessions.$inferSelect
export type EndReason = NonNullable<SessionRow['endedBecause']>

const dayMs = 86_400_000

/** Begins a family of tokens for a user who has proven himself; of more than a hundred the oldest ends. */
export async function openSession(
  ctx: Context,
  caller: Pick<KnownCaller, 'clientId' | 'projectId' | 'teamId'>,
  user: UserRow,
  wanted: { provider: number; device: string; settings: AuthSettings },
): Promise<SessionRow> {
  const { projectId, teamId, clientId } = caller
  const now = ctx.now()
  await markActive(ctx, user)
  const [row] = await ctx.db
    .insert(appUserSessions)
    .values({
      ...{ projectId, teamId, clientId, uid: user.uid, provider: wanted.provider },
      familyId: ctx.newId(),
      device: wanted.device.slice(0, 200),
      place: placeOf(ctx),
      authAt: now,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: now + wanted.settings.refreshDays * dayMs,
    })
    .returning()
  if (!row) throw new Error('no session was made')
  await ctx.db.update(appUsers).set({ lastSignInAt: now }).where(eq(appUsers.uid, user.uid))
  const data = { projectId, uid: user.uid, provider: wanted.provider }
  ctx.emit({ type: 'app_auth.signed_in', entity: 'appUser', entityId: user.uid, data })
  await endOldest(ctx, user.uid)
  return row
}

async function endOldest(ctx: Context, uid: string): Promise<void> {
  const open = await ctx.db
    .select({ familyId: appUserSessions.familyId })
    .from(appUserSessions)
    .where(and(eq(appUserSessions.uid, uid), isNull(appUserSessions.endedAt)))
    .orderBy(asc(appUserSessions.familyId))
  const over = open.slice(0, Math.max(0, open.length - limits.sessionsOfUser)).map(one => one.familyId)
  if (over.length > 0) await endFamilies(ctx, over, 'TOO_MANY')
}

async function endFamilies(ctx: Context, familyIds: readonly string[], why: EndReason): Promise<void> {
  await ctx.db
    .update(appUserSessions)
    .set({ endedAt: ctx.now(), endedBecause: why })
    .where(and(inArray(appUserSessions.familyId, [...familyIds]), isNull(appUserSessions.endedAt)))
  for (const familyId of familyIds) ctx.signal(ctx.zone, callerChannel, `f ${familyId}`)
}

/** Ends the sessions of users, or all but one of them; their tokens are void within a second. Answers how many ended. */
export async function endSessions(
  ctx: Context,
  wanted: { uids: readonly string[]; but?: string; familyId?: string },
  why: EndReason,
): Promise<number> {
  const ended = await ctx.db
    .update(appUserSessions)
    .set({ endedAt: ctx.now(), endedBecause: why })
    .where(
      and(
        inArray(appUserSessions.uid, [...wanted.uids]),
        isNull(appUserSessions.endedAt),
        wanted.but === undefined ? undefined : ne(appUserSessions.familyId, wanted.but),
        wanted.familyId === undefined ? undefined : eq(appUserSessions.familyId, wanted.familyId),
      ),
    )
    .returning({ familyId: appUserSessions.familyId })
  for (const { familyId } of ended) ctx.signal(ctx.zone, callerChannel, `f ${familyId}`)
  // Who stands between the two steps of a sign-in has none yet, and gets none.
  if (wanted.familyId === undefined)
    await ctx.db
      .update(authTickets)
      .set({ usedAt: ctx.now() })
      .where(and(inArray(authTickets.uid, [...wanted.uids]), isNull(authTickets.usedAt)))
  return ended.length
}

/** Has every process read a user anew. */
export function tellUser(ctx: Context, uid: string): void {
  ctx.signal(ctx.zone, callerChannel, `u ${uid}`)
}

/** Remembers that a user was active today: what charts count. */
async function markActive(ctx: Context, { projectId, teamId, uid }: UserRow): Promise<void> {
  await ctx.db
    .insert(appUserDays)
    .values({ projectId, teamId, uid, day: dayOf(ctx.now()) })
    .onConflictDoNothing()
}

/** The tokens of a session as the public SDK reads them. */
export async function tokensOf(ctx: Context, user: UserRow, session: SessionRow, settings: AuthSettings, next = 0) {
  const seconds = settings.accessSeconds
  const token = await signToken(ctx.server, ctx.zone, 'user', {
    projectId: user.projectId,
    subject: user.uid,
    seconds,
    claims: {
      ...user.claims,
      fam: session.familyId,
      provider: session.provider,
      anonymous: user.isAnonymous,
      email: user.email ?? undefined,
      email_verified: user.email === null ? undefined : user.emailVerified,
      phone: user.phone ?? undefined,
      auth_time: Math.floor(session.authAt / 1000),
    },
  })
  return {
    accessToken: { token, validPeriod: seconds },
    refreshToken: {
      token: refreshTokenOf(ctx.server, session.familyId, session.generation + next),
      validPeriod: Math.max(0, Math.floor((session.expiresAt - ctx.now()) / 1000)),
    },
  }
}

/** A new access token for a refresh token. One that was used before its successor ends the whole family. */
export async function refreshSession(ctx: Context, caller: KnownCaller, token: string, settings: AuthSettings) {
  const read = readRefreshToken(ctx.server, token)
  if (!read) refuse(errors.refreshInvalid)
  const { familyId, generation } = read
  const now = ctx.now()
  const found = await ctx.transact(async inner => {
    const [session] = await inner.db
      .select()
      .from(appUserSessions)
      .where(and(eq(appUserSessions.familyId, familyId), eq(appUserSessions.projectId, caller.projectId)))
      .for('update')
    if (!session || session.endedAt !== null || session.expiresAt <= now) return null
    const [user] = await inner.db.select().from(appUsers).where(eq(appUsers.uid, session.uid))
    if (user?.state !== 'ACTIVE' || user.tokensAfter > session.authAt) return null
    const verdict = judgeRotation(generation, session, settings.rotation, now)
    if (verdict === 'late') return null
    if (verdict === 'stolen') {
      await endFamilies(inner, [familyId], 'REUSE')
      const data = { projectId: caller.projectId, uid: user.uid, familyId }
      inner.emit({ type: 'app_auth.token_reused', entity: 'appUser', entityId: user.uid, data })
      return null
    }
    await markActive(inner, user)
    const isNew = settings.rotation === 'strict' || verdict === 'fresh'
    const [kept] = await inner.db
      .update(appUserSessions)
      .set({
        lastUsedAt: now,
        ...(isNew ? { rotatedAt: now, generation: sql`${appUserSessions.generation} + 1` } : {}),
      })
      .where(eq(appUserSessions.familyId, familyId))
      .returning()
    return kept ? { user, session: kept } : null
  })
  if (!found) refuse(errors.refreshInvalid)
  // In the mode of the public SDK the successor is handed out each time and counts from its first use.
  const next = settings.rotation === 'byUse' ? 1 : 0
  return { ...found, tokens: await tokensOf(ctx, found.user, found.session, settings, next) }
}
