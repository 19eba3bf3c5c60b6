import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { createAccount, setHomeTeam } from '../../session/public.ts'
import { foundTeam } from '../public.ts'
import { teamRows } from '../tables.home.ts'
import { type VisitorPlace, visitorPlace } from './place.ts'

/**
 * Where people without a session look around: a team with a demo project, and the account they read as. Made when there
 * is none; the project is the caller's to make. The scope of rows must be all.
 */
export async function openVisitorPlace(
  ctx: Context,
  wanted: { countryCode: string; siteId: number },
): Promise<VisitorPlace> {
  await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(1030, 1)')
  const before = await visitorPlace(ctx)
  if (before) return before
  const { siteId } = wanted
  const account = { loginName: `visitor.${ctx.newId()}`, name: 'Visitor', password: null, siteId }
  const accountId = await createAccount(ctx, account)
  const { teamId } = await foundTeam(ctx, { ...wanted, name: 'Demo', leaderAccountId: accountId })
  await ctx.home.update(teamRows).set({ isForVisitors: true }).where(eq(teamRows.teamId, teamId))
  await setHomeTeam(ctx, accountId, teamId, siteId)
  return { accountId, teamId, projectIds: [] }
}
