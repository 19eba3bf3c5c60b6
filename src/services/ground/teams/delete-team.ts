import { and, count, eq, not } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { teams } from './contract.ts'
import { lockTeam, tellRights } from './queries.ts'
import { scopeThings, teamRows } from './tables.home.ts'

/** Ends a team without projects and apps: its row stays for its audit, every right in it ends with the commit. */
export async function deleteTeam(ctx: Context): Promise<void> {
  const team = await lockTeam(ctx)
  const { revision } = ctx.place
  if (revision !== undefined && revision !== team.revision) refuse(commonErrors.stale, { revision: team.revision })
  const things = await ctx.home
    .select({ kind: scopeThings.kind, count: count() })
    .from(scopeThings)
    .where(and(eq(scopeThings.teamId, ctx.teamId), not(scopeThings.hasEnded)))
    .groupBy(scopeThings.kind)
  const projects = things.find(one => one.kind === 'project')?.count ?? 0
  const apps = things.find(one => one.kind === 'app')?.count ?? 0
  if (projects + apps > 0) refuse(teams.errors.teamInUse, { projects, apps })
  const now = ctx.now()
  await ctx.home.update(teamRows).set({ deletedAt: now }).where(eq(teamRows.teamId, ctx.teamId))
  const transaction = ctx.transaction('home')
  const ended = `revision = revision + 1, updated_at = $2 WHERE team_id = $1`
  await transaction.query(`UPDATE invitations SET state = 'canceled', ${ended} AND state = 'open'`, [ctx.teamId, now])
  await transaction.query(`UPDATE leader_offers SET state = 'canceled', ${ended} AND state = 'open'`, [ctx.teamId, now])
  await transaction.query(`UPDATE provider_bindings SET state = 'ended', ${ended} AND state <> 'ended'`, [
    ctx.teamId,
    now,
  ])
  await tellRights(ctx, ctx.teamId, null)
  const said = { entity: 'team', entityId: ctx.teamId }
  ctx.audit({ action: 'team.delete', ...said, before: { name: team.name } }, 'home')
  ctx.emit({ type: 'team.deleted', ...said, data: { teamId: ctx.teamId, name: team.name } }, 'home')
}
