import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { endSessions } from '../ending.ts'
import { knownDevices, sessions } from '../tables.home.ts'
import { deviceCalls } from './contract.ts'

export default implement(deviceCalls, {
  listSessions: async ctx => {
    const rows = await ctx.home
      .select()
      .from(sessions)
      .where(
        and(eq(sessions.accountId, ctx.accountId), isNull(sessions.revokedAt), gt(sessions.hardExpireAt, ctx.now())),
      )
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
      .limit(100)
    return {
      list: rows.map(row => ({ ...row, isThis: row.sessionId === ctx.caller.sessionId, expiresAt: row.hardExpireAt })),
    }
  },

  endSession: async (ctx, { params }) => {
    const { sessionId } = params
    const [ended] = await ctx.home
      .update(sessions)
      .set({ revokedAt: ctx.now() })
      .where(and(eq(sessions.sessionId, sessionId), eq(sessions.accountId, ctx.accountId), isNull(sessions.revokedAt)))
      .returning({ deviceId: sessions.deviceId })
    if (!ended) refuse(commonErrors.notFound, { entity: 'session', id: sessionId })
    if (ended.deviceId) {
      await ctx.home
        .delete(knownDevices)
        .where(and(eq(knownDevices.deviceId, ended.deviceId), eq(knownDevices.accountId, ctx.accountId)))
    }
    ctx.signal('home', 'sessions', sessionId)
    ctx.audit({ action: 'session.end', entity: 'session', entityId: sessionId }, 'home')
    return {}
  },

  endOtherSessions: async ctx => {
    const { accountId } = ctx
    const sessionId = ctx.caller.sessionId ?? ''
    const [own] = await ctx.home.select().from(sessions).where(eq(sessions.sessionId, sessionId))
    const ended = await endSessions(ctx, accountId, sessionId)
    await ctx.home
      .delete(knownDevices)
      .where(and(eq(knownDevices.accountId, accountId), ne(knownDevices.deviceId, own?.deviceId ?? '')))
    ctx.audit({ action: 'session.endOthers', entity: 'account', entityId: accountId, after: { ended } }, 'home')
    return { ended }
  },
})
