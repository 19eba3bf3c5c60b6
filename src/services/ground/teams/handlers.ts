import { and, eq, gt, ne, not, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { toUserPermission } from '../../../kernel/permissions.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { accountsOf, assertRecentAuthentication, csrfTokensOf, renameAccount, setHomeTeam } from '../session/public.ts'
import { teams, teamsV2 } from './contract.ts'
import { deleteTeam } from './delete-team.ts'
import { assertTeamsLeft } from './limits.ts'
import { keepFace } from './members/faces.ts'
import { membershipsOf } from './memberships.ts'
import { foundTeam } from './public.ts'
import { loadTeam, type TeamRow } from './queries.ts'
import { limits, permissionsOf, staffMatrix, wholeTeam } from './rules.ts'
import { invitations, members, scopeThings, teamRows } from './tables.home.ts'

const handlers: Handlers<typeof teams> = {
  getUserInfo: async (ctx, { query }) => ctx.transact(inner => userInfo(inner, query.teamId), 'all'),

  updateUserInfo: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const name = body.name.trim()
      const { loginName } = await renameAccount(inner, ctx.accountId, name)
      await inner.home.update(members).set({ name }).where(eq(members.accountId, ctx.accountId))
      await keepFace(inner, ctx.accountId, name, loginName)
      return { accountId: ctx.accountId, name }
    }, 'all'),

  getUserPermission: async ctx => {
    const team = await loadTeam(ctx)
    const [me] = await ctx.home
      .select()
      .from(members)
      .where(and(eq(members.teamId, ctx.teamId), eq(members.accountId, ctx.accountId)))
    return {
      userRoles: me?.roles ?? [],
      userPermission: toUserPermission(ctx.caller.permissions) as Record<string, 'Y'>,
      scope: me?.scope ?? wholeTeam,
      permVersion: team.permVersion,
    }
  },

  getTeam: ctx => loadTeam(ctx),

  createTeam: async (ctx, { body }) =>
    ctx.transact(async inner => {
      await assertTeamsLeft(inner, ctx.accountId)
      const team = await foundTeam(inner, { ...body, leaderAccountId: ctx.accountId })
      const [account] = await accountsOf(inner, [ctx.accountId])
      if (!account?.homeTeamId) await setHomeTeam(inner, ctx.accountId, team.teamId, team.siteId)
      return team
    }, 'all'),

  updateTeam: (ctx, { body }) => change(ctx, body.revision, { name: body.name }),

  deleteTeam: async ctx => {
    ctx.assertScope({})
    await assertRecentAuthentication(ctx)
    await deleteTeam(ctx)
    return {}
  },

  getTeamInfo: async ctx => toInfo(ctx, await loadTeam(ctx)),

  updateTeamInfo: async (ctx, { body }) => {
    const { revision, ...fields } = body
    return toInfo(ctx, await change(ctx, revision, fields))
  },

  switchTeam: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const team = (await membershipsOf(inner.transaction('home'), ctx.accountId)).get(body.teamId)
      if (!team) refuse(commonErrors.notFound, { entity: 'team', id: body.teamId })
      await setHomeTeam(inner, ctx.accountId, body.teamId, team.siteId)
      inner.signal('home', 'teams', ctx.accountId)
      const { csrfToken, teamCsrfToken } = csrfTokensOf(ctx, body.teamId)
      return { teamId: body.teamId, siteID: team.siteId, csrfToken, teamCsrfToken: teamCsrfToken ?? '' }
    }, 'all'),
}

export default implement(teams, handlers)
export const secondGeneration = implement(teamsV2, handlers)

async function change(ctx: Context, revision: number, fields: Partial<typeof teamRows.$inferInsert>): Promise<TeamRow> {
  const before = await loadTeam(ctx)
  const [team] = await ctx.home
    .update(teamRows)
    .set({ ...fields, revision: sql`${teamRows.revision} + 1` })
    .where(and(eq(teamRows.teamId, ctx.teamId), eq(teamRows.revision, revision)))
    .returning()
  if (!team) refuse(commonErrors.stale, { revision: (await loadTeam(ctx)).revision })
  const was = Object.fromEntries(Object.keys(fields).map(key => [key, before[key as keyof TeamRow]]))
  ctx.audit({ action: 'team.update', entity: 'team', entityId: ctx.teamId, before: was, after: fields }, 'home')
  ctx.emit({ type: 'team.updated', entity: 'team', entityId: ctx.teamId, data: fields }, 'home')
  // The name stands in every member's list of teams.
  ctx.signal('home', 'teams', `team:${ctx.teamId}`)
  return team
}

const countsOfTeam = planned(db => {
  const teamId = sql.placeholder('teamId')
  const things = (kind: 'project' | 'app') =>
    db.$count(scopeThings, and(eq(scopeThings.teamId, teamId), eq(scopeThings.kind, kind), not(scopeThings.hasEnded)))
  const isOpen = gt(invitations.expiresAt, sql.placeholder('now'))
  const counts = {
    members: db.$count(members, and(eq(members.teamId, teamId), ne(members.status, 'removed'))),
    openInvitations: db.$count(invitations, and(eq(invitations.teamId, teamId), eq(invitations.state, 'open'), isOpen)),
    projects: things('project'),
    apps: things('app'),
  }
  return db.select(counts).from(teamRows).where(eq(teamRows.teamId, teamId))
})

async function toInfo(ctx: Context, team: TeamRow) {
  const { teamId } = ctx
  const [[leader], [counts]] = await Promise.all([
    accountsOf(ctx, [team.leaderAccountId]),
    countsOfTeam(ctx.transaction('home'), { teamId, now: ctx.now() }),
  ])
  return {
    ...team,
    leaderName: leader?.name ?? '',
    ...(counts ?? { members: 0, openInvitations: 0, projects: 0, apps: 0 }),
    limits: {
      members: limits.membersOfTeam,
      roles: limits.rolesOfTeam,
      openInvitations: limits.openInvitations,
      teamsOfAccount: limits.teamsOfAccount,
    },
  }
}

async function userInfo(ctx: Context, wantedTeamId: string | undefined) {
  const transaction = ctx.transaction('home')
  const [[account], memberships, { rows: times }] = await Promise.all([
    accountsOf(ctx, [ctx.accountId]),
    membershipsOf(transaction, ctx.accountId),
    transaction.query<{ soft: string; hard: string; real: number }>({
      name: 'teams own session',
      text: `SELECT s.soft_expire_at AS soft, s.hard_expire_at AS hard, a.verify_real_state AS real
        FROM sessions s JOIN accounts a USING (account_id) WHERE s.session_id = $1`,
      values: [ctx.caller.sessionId ?? ''],
    }),
  ])
  if (!account) refuse(commonErrors.noSession)
  const chosen = memberships.get(wantedTeamId ?? account.homeTeamId ?? '') ?? memberships.values().next().value
  return {
    account: { ...account, verifyRealState: times[0]?.real ?? 0 },
    teams: [...memberships.values()],
    teamId: chosen?.teamId ?? null,
    userRoles: chosen ? [...chosen.roles] : [],
    userPermission: toUserPermission([
      ...(chosen?.permissions ?? []),
      ...permissionsOf(account.staffRoles, staffMatrix),
    ]) as Record<string, 'Y'>,
    ...csrfTokensOf(ctx, chosen?.teamId ?? null),
    softExpireAt: Number(times[0]?.soft ?? 0),
    hardExpireAt: Number(times[0]?.hard ?? 0),
  }
}
