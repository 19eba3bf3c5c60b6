import type { Context } from '../../../../server/context.ts'

const mostOfSweep = 100_000

/** Writes the rows that a list by role is read from, after a member's own row was written. */
export async function keepRoleRows(ctx: Context, teamId: string, accountId: string): Promise<void> {
  const transaction = ctx.transaction('home')
  await transaction.query({
    name: 'teams role rows gone',
    text: 'DELETE FROM member_roles WHERE team_id = $1 AND account_id = $2',
    values: [teamId, accountId],
  })
  await transaction.query({
    name: 'teams role rows',
    text: `WITH kept AS (UPDATE members SET has_role_rows = true WHERE team_id = $1 AND account_id = $2
        RETURNING team_id, account_id, roles, status, joined_at)
      INSERT INTO member_roles (team_id, account_id, role, status, joined_at)
        SELECT DISTINCT team_id, account_id, role, status, joined_at FROM kept, unnest(kept.roles) AS role`,
    values: [teamId, accountId],
  })
}

/** The same for members that came before these rows were kept. */
export async function catchUpRoleRows(ctx: Context): Promise<void> {
  await ctx.transaction('home').query({
    text: `WITH missing AS (SELECT team_id, account_id FROM members WHERE NOT has_role_rows LIMIT $1 FOR UPDATE SKIP LOCKED),
      kept AS (UPDATE members m SET has_role_rows = true FROM missing
        WHERE m.team_id = missing.team_id AND m.account_id = missing.account_id
        RETURNING m.team_id, m.account_id, m.roles, m.status, m.joined_at)
      INSERT INTO member_roles (team_id, account_id, role, status, joined_at)
        SELECT DISTINCT team_id, account_id, role, status, joined_at FROM kept, unnest(kept.roles) AS role
        ON CONFLICT DO NOTHING`,
    values: [mostOfSweep],
  })
}
