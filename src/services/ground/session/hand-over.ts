import type { FastifyReply } from 'fastify'
import { hintCookies, type UserInfoCookie } from '../../../kernel/wire.ts'
import type { Context } from '../../../server/context.ts'
import { sessionCookieName } from '../../../server/http/credential.ts'
import type { accounts, sessions } from './tables.home.ts'
import { csrfTokenOf, tokenOf } from './tokens.ts'

/** Sets the credential and the hints that pages read, and answers what the specification lists. */
export function handOver(
  ctx: Context,
  reply: FastifyReply,
  account: typeof accounts.$inferSelect,
  row: typeof sessions.$inferSelect,
) {
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

/** Takes the credential and the hints away; the device stays known. */
export function takeBack(ctx: Context, reply: FastifyReply): void {
  for (const name of [sessionCookieName(ctx.server.config), ...Object.values(hintCookies)])
    reply.clearCookie(name, { path: '/' })
}
