import { and, desc, eq, gt, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { implement } from '../../../server/implement.ts'
import { debugging } from './contract.ts'
import { type DebugState, defaultTarget, limits, stateOf } from './rules.ts'
import { debugSessions } from './tables.home.ts'
import { endWhere, issueToken, sessionOfToken } from './tokens.ts'

export default implement(debugging, {
  issueDebugToken: (ctx, { query }) =>
    issueToken(ctx, {
      target: query.target ?? defaultTarget,
      scopes: ['functions.debug', 'device.debug', 'logs.tail'],
      ...(query.projectId === undefined ? {} : { projectId: query.projectId }),
    }),

  readDebugToken: (ctx, _input, { request }) => sessionOfToken(ctx, request),

  listDebugSessions: async (ctx, { query }) => {
    const { state, cursor, pageSize = 20 } = query
    const now = ctx.now()
    const matches = and(
      eq(debugSessions.accountId, ctx.accountId),
      eq(debugSessions.teamId, ctx.teamId),
      gt(debugSessions.createdAt, now - limits.keptMs),
      state && ofState(state, now),
    )
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.home
      .select()
      .from(debugSessions)
      .where(and(matches, isCursor ? lt(debugSessions.sessionId, cursor) : undefined))
      .orderBy(desc(debugSessions.sessionId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(debugSessions, matches),
      list: list.map(row => ({
        ...row,
        state: stateOf(row, now),
        isOwn: row.consoleSessionId === ctx.caller.sessionId,
      })),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.sessionId ?? null) : null,
    }
  },

  endDebugSession: async (ctx, { query }) => {
    const { sessionId } = query
    const isOwn = and(
      eq(debugSessions.sessionId, sessionId),
      eq(debugSessions.accountId, ctx.accountId),
      eq(debugSessions.teamId, ctx.teamId),
    )
    if ((await ctx.home.$count(debugSessions, isOwn)) === 0)
      refuse(commonErrors.notFound, { entity: 'debugging session', id: sessionId })
    await endWhere(ctx, isOwn, 'MEMBER')
    ctx.audit({ action: 'debug.end', entity: 'debugSession', entityId: sessionId }, 'home')
    return {}
  },
})

function ofState(state: DebugState, now: number) {
  if (state === 'CLOSED') return isNotNull(debugSessions.endedAt)
  const isLive = state === 'OPEN' ? gt(debugSessions.expiresAt, now) : lte(debugSessions.expiresAt, now)
  return and(isNull(debugSessions.endedAt), isLive)
}
