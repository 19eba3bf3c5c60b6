import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { errors } from './contract.ts'
import { type DebugScope, type EndReason, limits } from './rules.ts'
import { debugSessions } from './tables.home.ts'

type SessionRow = typeof debugSessions.$inferSelect
const purpose = 'debugging token'

interface Wanted {
  target: string
  scopes: DebugScope[]
  projectId?: string
}

/** Makes a token for the member who asks. The one before for the same target ends. */
export async function issueToken(ctx: Context, { target, scopes, projectId }: Wanted) {
  if (projectId !== undefined) await projectOf(ctx, projectId)
  const { accountId, teamId } = ctx
  await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(405, hashtext($1))', [accountId])
  const isSame = and(eq(debugSessions.accountId, accountId), eq(debugSessions.target, target))
  await endWhere(ctx, and(isSame, eq(debugSessions.teamId, teamId)), 'REPLACED')
  const now = ctx.now()
  const isOpen = and(
    eq(debugSessions.accountId, accountId),
    isNull(debugSessions.endedAt),
    gt(debugSessions.expiresAt, now),
  )
  const [open] = await ctx.home.select({ all: count() }).from(debugSessions).where(isOpen)
  if ((open?.all ?? 0) >= limits.openSessions) refuse(errors.tooMany, { limit: limits.openSessions })
  const sessionId = ctx.newId()
  await ctx.home.insert(debugSessions).values({
    ...{ sessionId, teamId, accountId, target, scopes, zone: ctx.zone },
    projectId: projectId ?? null,
    consoleSessionId: ctx.caller.sessionId,
    createdAt: now,
    expiresAt: now + limits.tokenSeconds * 1000,
  })
  ctx.audit({ action: 'debug.token', entity: 'debugSession', entityId: sessionId, after: { target, scopes } }, 'home')
  const { publicUrl } = ctx.server.config
  return {
    token: `lgd_${sessionId}_${ctx.server.masterKey.sign(purpose, sessionId)}`,
    expiresIn: limits.tokenSeconds,
    scopes,
    wsUrl: `${publicUrl.replace(/^http/, 'ws')}/debug/${sessionId}`,
    sessionId,
  }
}

/** The open session of a bearer token, with its use counted. Refuses every other with one word. */
export async function sessionOfToken(
  ctx: Context,
  { headers }: FastifyRequest,
  scope?: DebugScope,
): Promise<SessionRow> {
  const [, sessionId = '', sum = ''] =
    /^Bearer lgd_([1-9][0-9]{0,18})_([A-Za-z0-9_-]{43})$/.exec(headers.authorization ?? '') ?? []
  if (!ctx.server.masterKey.verify(purpose, sessionId, sum)) refuse(errors.expired)
  const now = ctx.now()
  const [row] = await systemContext(ctx.server, ctx.zone, { name: 'debug' }).transact(inner =>
    inner.home
      .update(debugSessions)
      .set({ lastUsedAt: now, uses: sql`${debugSessions.uses} + 1` })
      .where(
        and(eq(debugSessions.sessionId, sessionId), isNull(debugSessions.endedAt), gt(debugSessions.expiresAt, now)),
      )
      .returning(),
  )
  if (!row || (scope && !row.scopes.includes(scope))) refuse(errors.expired)
  return row
}

/** Ends open sessions; answers how many. */
export async function endWhere(ctx: Context, where: ReturnType<typeof and>, why: EndReason): Promise<number> {
  const ended = await ctx.home
    .update(debugSessions)
    .set({ endedAt: ctx.now(), endedBecause: why })
    .where(and(where, isNull(debugSessions.endedAt)))
    .returning({ sessionId: debugSessions.sessionId })
  return ended.length
}
