import { and, eq, ne } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { checkRoles, lackedFor, ownRolesOf, permissionsById, scopeSent } from '../queries.ts'
import { limits, wholeTeam } from '../rules.ts'
import { members as rows } from '../tables.home.ts'
import { members } from './contract.ts'

const { errors } = members

/** What is to be granted: roles of the team that hold nothing the caller lacks, for what he reaches himself. */
export async function assertGrantable(
  ctx: Context,
  wanted: { roles: readonly string[]; scope?: { all?: boolean; projects?: string[]; apps?: string[] } },
) {
  await grantableRoles(ctx, wanted.roles)
  return scopeSent(ctx, wanted.scope ?? wholeTeam)
}

/** The roles, when the team has them and they hold nothing that the caller lacks. */
export async function grantableRoles(ctx: Context, roles: readonly string[]): Promise<string[]> {
  const own = permissionsById(await ownRolesOf(ctx))
  checkRoles(roles, own)
  const lacked = lackedFor(ctx, roles, own)
  if (lacked.length > 0) refuse(errors.aboveOwnRights, { lacked: lacked.join(', ') })
  if (roles.includes('leader')) throw badField('/roles', 'leader', 'the lead is handed over, not granted')
  return [...roles]
}

/** Room for one more; the team must be locked. */
export async function assertRoom(ctx: Context, teamId = ctx.teamId): Promise<void> {
  const count = await ctx.home.$count(rows, and(eq(rows.teamId, teamId), ne(rows.status, 'removed')))
  if (count >= limits.membersOfTeam) refuse(errors.tooManyMembers, { limit: limits.membersOfTeam })
}
