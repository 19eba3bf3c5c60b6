import { and, eq, lt } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'
import { limits } from './rules.ts'
import { debugSessions } from './tables.home.ts'
import { endWhere } from './tokens.ts'

export default {
  handover: { stays: { debug_sessions: 'of the member who debugs' } },
  listeners: [
    { name: 'debug.signedOut', on: ['session.signed_out'], run: endOfSession },
    {
      name: 'debug.lessRights',
      on: ['session.password_changed', 'session.status_changed', 'team.member_removed', 'team.roles_changed'],
      run: endOfRights,
    },
    { name: 'debug.forgotten', on: ['session.account_forgotten'], run: forget },
  ],
  sweeps: [{ name: 'debug.over', every: '5 */30 * * * *', database: 'home', run: forgetOver }],
} satisfies Work

async function endOfSession(ctx: Context, event: Event): Promise<void> {
  await endWhere(ctx, and(eq(debugSessions.consoleSessionId, event.entityId)), 'SIGNED_OUT')
}

/** What a member may do has changed, or who he is must be proven anew: his tools ask again. */
async function endOfRights(ctx: Context, { data, teamId, type }: Event): Promise<void> {
  const accountId = String(data['accountId'] ?? '')
  if (!/^[1-9][0-9]{0,18}$/.test(accountId)) return
  const isOfTeam = type.startsWith('team.') && teamId !== null ? eq(debugSessions.teamId, teamId) : undefined
  await endWhere(ctx, and(eq(debugSessions.accountId, accountId), isOfTeam), 'RIGHTS')
}

async function forget(ctx: Context, event: Event): Promise<void> {
  await ctx.home.delete(debugSessions).where(eq(debugSessions.accountId, event.entityId))
}

async function forgetOver(ctx: Context): Promise<void> {
  await ctx.home.delete(debugSessions).where(lt(debugSessions.expiresAt, ctx.now() - limits.keptMs))
}
