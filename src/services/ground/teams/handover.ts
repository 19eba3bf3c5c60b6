import type { Context } from '../../../server/context.ts'
import type { Handing, Handover } from '../../../server/handover.ts'
import { tellRights } from './queries.ts'

/** What scopes can name follows the apps; scopes in the old team name them no more. */
export const teamsHandover: Handover = {
  homeRows: [{ table: 'scope_things', by: 'thing_id = ANY($1::bigint[])' }],
  stays: {
    teams: 'a team is itself',
    members: 'scopes that name the apps lose them',
    member_roles: 'of the team',
    team_roles: 'of the team',
    invitations: 'scopes that name the apps lose them',
    leader_offers: 'of the team',
    provider_bindings: 'of the team',
    test_users: 'of the team',
    member_bulks: 'of the team',
    member_bulk_items: 'of the team',
  },
  home: async (ctx, handing) => {
    const { appIds, toProjectId, fromTeamId, toTeamId } = handing
    await ctx.transaction('home').query({
      text: 'UPDATE scope_things SET project_id = $2 WHERE thing_id = ANY($1::bigint[])',
      values: [appIds, toProjectId],
    })
    if (fromTeamId !== toTeamId) await narrowScopes(ctx, handing)
  },
}

async function narrowScopes(ctx: Context, { appIds, fromTeamId }: Handing): Promise<void> {
  for (const table of ['members', 'invitations']) {
    const { rowCount } = await ctx.transaction('home').query({
      text: `UPDATE ${table} SET revision = revision + 1, scope = jsonb_set(scope, '{apps}',
          (SELECT coalesce(jsonb_agg(app), '[]') FROM jsonb_array_elements_text(scope -> 'apps') AS app WHERE app <> ALL($1)))
        WHERE team_id = $2 AND scope -> 'apps' ?| $1`,
      values: [appIds, fromTeamId],
    })
    if (table === 'members' && rowCount) await tellRights(ctx, fromTeamId, null)
  }
}
