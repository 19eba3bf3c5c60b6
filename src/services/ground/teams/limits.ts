import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { teams } from './contract.ts'
import { limits } from './rules.ts'

/** Room for one more team of an account. Joins of one account take turns; the context must reach every team. */
export async function assertTeamsLeft(ctx: Context, accountId: string): Promise<void> {
  const transaction = ctx.transaction('home')
  await transaction.query('SELECT pg_advisory_xact_lock(110, hashtext($1))', [accountId])
  const { rows } = await transaction.query<{ teams: number }>({
    name: 'teams of account',
    text: `SELECT count(*)::int AS teams FROM members m JOIN teams t ON t.team_id = m.team_id
      WHERE m.account_id = $1 AND m.status <> 'removed' AND t.deleted_at IS NULL`,
    values: [accountId],
  })
  if ((rows[0]?.teams ?? 0) >= limits.teamsOfAccount)
    refuse(teams.errors.tooManyTeams, { limit: limits.teamsOfAccount })
}
