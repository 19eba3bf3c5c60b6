import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { hintCookies, type UserInfoCookie } from '../../../kernel/wire.ts'
import type { Context } from '../../../server/context.ts'
import { credentialOf, sessionCookieName } from '../../../server/http/credential.ts'
import { implement } from '../../../server/implement.ts'
import { session } from './contract.ts'
import { isHashingBusy, isPassword } from './passwords.ts'
import {
  accountStatus,
  failureWindowMs,
  hardExpiryFrom,
  judgeCounter,
  lockMsAfter,
  loginKeyOf,
  nextSoftExpiry,
} from './rules.ts'
import { accounts, sessions, signInFailures } from './tables.home.ts'
import { csrfTokenOf, readToken, tokenOf } from './tokens.ts'

type AccountRow = typeof accounts.$inferSelect
type SessionRow = typeof sessions.$inferSelect

export default implement(session, {
  login: async (ctx, { body }, { request, reply }) => {
    if (isHashingBusy()) refuse(commonErrors.unavailable, { retryAfterSeconds: 2 })
    const key = failureKey(ctx, body.account)
    await refuseWhileLocked(ctx, key)
    const [account] = await ctx.transact(inner =>
      inner.home
        .select()
        .from(accounts)
        .where(eq(accounts.loginKey, loginKeyOf(body.account))),
    )
    if (!(await isPassword(body.password, account?.passwordHash)) || !account) {
      await countFailure(ctx, key)
      refuse(session.errors.badCredentials)
    }
    if (account.status !== accountStatus.normal && account.status !== accountStatus.mustSignIn) {
      refuse(session.errors.accountClosed)
    }
    const row = await ctx.transact(inner => openSession(inner, account, key, request.headers['user-agent'] ?? null))
    return handOver(ctx, reply, account, row)
  },

  refresh: async (ctx, _input, { request, reply }) => {
    const token = readToken(ctx.server.masterKey, credentialOf(request, ctx.server.config) ?? '')
    if (!token) refuse(session.errors.refreshRefused)
    const renewed = await ctx.transact(inner => renew(inner, token))
    if (!renewed) refuse(session.errors.refreshRefused)
    return handOver(ctx, reply, renewed.account, renewed.session)
  },

  logout: async (ctx, _input, { reply }) => {
    const sessionId = ctx.caller.sessionId ?? ''
    await ctx.home.update(sessions).set({ revokedAt: ctx.now() }).where(eq(sessions.sessionId, sessionId))
    ctx.signal('home', 'sessions', sessionId)
    ctx.audit({ action: 'session.logout', entity: 'session', entityId: sessionId }, 'home')
    for (const name of [sessionCookieName(ctx.server.config), ...Object.values(hintCookies)])
      reply.clearCookie(name, { path: '/' })
    return {}
  },
})

/** Name and address together, hashed: the table holds no names that were only guessed. */
function failureKey(ctx: Context, account: string): string {
  return ctx.server.masterKey.sign('sign-in failures', `${loginKeyOf(account)} ${ctx.place.ip}`)
}

async function refuseWhileLocked(ctx: Context, key: string): Promise<void> {
  const [row] = await ctx.transact(inner => inner.home.select().from(signInFailures).where(eq(signInFailures.key, key)))
  const waitMs = (row?.lockedUntil ?? 0) - ctx.now()
  if (waitMs > 0) refuse(session.errors.locked, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

async function countFailure(ctx: Context, key: string): Promise<void> {
  await ctx.transact(async inner => {
    const now = ctx.now()
    const { rows } = await inner.transaction('home').query<{ failures: number }>({
      text: `INSERT INTO sign_in_failures AS f (key, failures, first_at) VALUES ($1, 1, $2)
        ON CONFLICT (key) DO UPDATE SET failures = CASE WHEN f.first_at < $3 THEN 1 ELSE f.failures + 1 END,
          first_at = CASE WHEN f.first_at < $3 THEN $2 ELSE f.first_at END
        RETURNING failures`,
      values: [key, now, now - failureWindowMs],
    })
    const lockMs = lockMsAfter(rows[0]?.failures ?? 0)
    if (lockMs > 0) {
      await inner.home
        .update(signInFailures)
        .set({ lockedUntil: now + lockMs, firstAt: now })
        .where(eq(signInFailures.key, key))
    }
    inner.audit({ action: 'session.refused', entity: 'signIn', entityId: key.slice(0, 16) }, 'home')
  })
}

async function openSession(
  ctx: Context,
  account: AccountRow,
  key: string,
  userAgent: string | null,
): Promise<SessionRow> {
  const now = ctx.now()
  const hardExpireAt = hardExpiryFrom(now)
  const row: SessionRow = {
    sessionId: randomBytes(18).toString('base64url'),
    accountId: account.accountId,
    counter: 1,
    rotatedAt: now,
    softExpireAt: nextSoftExpiry(now, hardExpireAt),
    hardExpireAt,
    revokedAt: null,
    ip: ctx.place.ip,
    userAgent: userAgent?.slice(0, 300) ?? null,
    createdAt: now,
  }
  await ctx.home.insert(sessions).values(row)
  await ctx.home.delete(signInFailures).where(eq(signInFailures.key, key))
  if (account.status === accountStatus.mustSignIn) {
    await ctx.home
      .update(accounts)
      .set({ status: accountStatus.normal })
      .where(eq(accounts.accountId, account.accountId))
  }
  ctx.audit(
    { action: 'session.login', entity: 'session', entityId: row.sessionId, after: { accountId: account.accountId } },
    'home',
  )
  return row
}

/**
 * Rotates under a row lock. The token before gets the same new token within the grace; an older one ends the session:
 * somebody has a copy. Before soft expiry nothing rotates.
 */
async function renew(ctx: Context, token: { sessionId: string; counter: number }) {
  const [found] = await ctx.home
    .select({ session: sessions, account: accounts })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.accountId, sessions.accountId))
    .where(and(eq(sessions.sessionId, token.sessionId), isNull(sessions.revokedAt)))
    .for('update', { of: sessions })
  const now = ctx.now()
  if (!found || now >= found.session.hardExpireAt || found.account.status !== accountStatus.normal) return null
  const verdict = judgeCounter(token.counter, found.session, now)
  if (verdict === 'replayed') {
    await ctx.home.update(sessions).set({ revokedAt: now }).where(eq(sessions.sessionId, token.sessionId))
    ctx.signal('home', 'sessions', token.sessionId)
    ctx.audit({ action: 'session.replay', entity: 'session', entityId: token.sessionId }, 'home')
    return null
  }
  if (verdict === 'previous' || now < found.session.softExpireAt) return found
  const next = {
    counter: found.session.counter + 1,
    rotatedAt: now,
    softExpireAt: nextSoftExpiry(now, found.session.hardExpireAt),
  }
  await ctx.home.update(sessions).set(next).where(eq(sessions.sessionId, token.sessionId))
  ctx.signal('home', 'sessions', token.sessionId)
  return { account: found.account, session: { ...found.session, ...next } }
}

/** Sets the credential and the hints that pages read, and answers what the specification lists. */
function handOver(ctx: Context, reply: FastifyReply, account: AccountRow, row: SessionRow) {
  const { masterKey, config } = ctx.server
  const csrfToken = csrfTokenOf(masterKey, row.sessionId)
  const base = { path: '/', sameSite: 'lax' as const, secure: config.publicUrl.startsWith('https:'), maxAge: 12 * 3600 }
  const userInfo: UserInfoCookie = {
    mainUserId: account.accountId,
    siteid: account.siteId,
    csrftoken: csrfToken,
    expiretime: row.softExpireAt,
    expiretime_real: row.hardExpireAt,
  }
  reply.setCookie(sessionCookieName(ctx.server.config), tokenOf(masterKey, row.sessionId, row.counter), {
    ...base,
    httpOnly: true,
  })
  reply.setCookie(hintCookies.userInfo, JSON.stringify(userInfo), base)
  reply.setCookie(hintCookies.uid, account.accountId, base)
  reply.setCookie(hintCookies.teamId, account.homeTeamId ?? '', base)
  reply.setCookie(hintCookies.teamSiteId, String(account.siteId), base)
  return {
    siteID: account.siteId,
    csrfToken,
    teamId: account.homeTeamId ?? '',
    accountId: account.accountId,
    expiretime: row.softExpireAt,
    expiretime_real: row.hardExpireAt,
  }
}
