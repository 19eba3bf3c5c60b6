import type { IncomingHttpHeaders } from 'node:http'
import { and, asc, count, desc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { type AppOrServer, judgeAppOrServer } from './app-or-server.ts'
import { type AppCaller, callerJudgeOf } from './caller.ts'
import { engineOf } from './messages.ts'
import { appUsers } from './tables.ts'

export type { AppOrServer } from './app-or-server.ts'
export type { AppCaller } from './caller.ts'

/**
 * Who calls a data plane: the app or server by the client token in `Authorization`, the user by `access_token` or
 * `accessToken`. From memory once a token was seen; what is revoked bites within a second on every process. Refuses 401 with 205524993
 * for the client’s token and 205524994 for the user’s. A server names its project in the header `productId`.
 */
export function appCallerOf(server: Server, headers: IncomingHttpHeaders): Promise<AppCaller> {
  return callerJudgeOf(server).judge(headers)
}

/** As `appCallerOf`, without a wait; undefined where memory does not know. */
export const knownAppCallerOf = (server: Server, headers: IncomingHttpHeaders): AppCaller | undefined =>
  callerJudgeOf(server).known(headers)

/**
 * Who asks as an app or as a server of the team: by a key of the project for remote config, or by a token. From memory once
 * it was seen. Refuses 401, and a zone that is not here.
 */
export const appOrServerOf = (server: Server, headers: IncomingHttpHeaders): Promise<AppOrServer> =>
  judgeAppOrServer(server, headers)

/**
 * Hands a text message to the gateway of a project; `KEPT` where it has none, and nobody got it. A fault that may pass is
 * thrown. For jobs, outside a transaction.
 */
export async function sendText(
  ctx: Context,
  projectId: string,
  message: { messageId: string; phone: string; text: string },
): Promise<{ state: 'KEPT' | 'SENT' | 'FAILED'; reason: string | null }> {
  const engine = await ctx.transact(inner => engineOf(inner, projectId))
  return engine.send(ctx, { ...message, projectId })
}

const isUid = (text: string) => /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) < 2n ** 63n

/** Users of a project by uid, for who shows names beside rows; deleted ones are left out. In the zone of the call. */
export async function appUsersOf(
  ctx: Context,
  projectId: string,
  uids: readonly string[],
): Promise<Map<string, { uid: string; displayName: string; email: string | null; phone: string | null }>> {
  const known = uids.filter(isUid)
  if (known.length === 0) return new Map()
  const { uid, displayName, email, phone } = appUsers
  const rows = await ctx.db
    .select({ uid, displayName, email, phone })
    .from(appUsers)
    .where(and(eq(appUsers.projectId, projectId), inArray(uid, known), ne(appUsers.state, 'DELETED')))
  return new Map(rows.map(row => [row.uid, row]))
}

/** What rules may ask of a user of an app: his own fields, and his claims under their names where no field has that name. */
export interface UserAttributes extends Record<string, unknown> {
  userId: string
}

/**
 * Users of a project as attributes, for who asks rules about many of them: by uid behind `after`, or the newest before
 * `before`, at most `limit`; or those with some uids. Deleted and disabled ones are left out. In the zone of the call.
 */
export async function appUserAttributes(
  ctx: Context,
  projectId: string,
  wanted: { after: string; limit: number } | { before: string; limit: number } | { uids: readonly string[] },
): Promise<UserAttributes[]> {
  const { uid, email, emailVerified, phone, displayName, isAnonymous, claims, createdAt, lastSignInAt } = appUsers
  const named = 'uids' in wanted ? wanted.uids.filter(isUid) : []
  if ('uids' in wanted && named.length === 0) return []
  const which =
    'uids' in wanted ? inArray(uid, named) : 'after' in wanted ? gt(uid, wanted.after) : lt(uid, wanted.before)
  const list = await ctx.db
    .select({ uid, email, emailVerified, phone, displayName, isAnonymous, claims, createdAt, lastSignInAt })
    .from(appUsers)
    .where(and(activeOf(projectId), which))
    .orderBy('before' in wanted ? desc(uid) : asc(uid))
    .limit('uids' in wanted ? wanted.uids.length : wanted.limit)
  return list.map(row => ({
    ...row.claims,
    userId: row.uid,
    email: row.email,
    isEmailVerified: row.emailVerified,
    phone: row.phone,
    displayName: row.displayName,
    isAnonymous: row.isAnonymous,
    createdAt: row.createdAt,
    lastSignInAt: row.lastSignInAt,
  }))
}

/** How many users `appUserAttributes` walks through. */
export async function appUserTotal(ctx: Context, projectId: string): Promise<number> {
  const [counted] = await ctx.db.select({ total: count() }).from(appUsers).where(activeOf(projectId))
  return counted?.total ?? 0
}

const activeOf = (projectId: string) => and(eq(appUsers.projectId, projectId), eq(appUsers.state, 'ACTIVE'))
