import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { toUserPermission } from '../../../kernel/permissions.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { isDuplicate } from '../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { accountsOf, createAccount, csrfTokensOf, findAccount, setHomeTeam } from '../session/public.ts'
import { type Member, teams, teamsV2 } from './contract.ts'
import { foundTeam, joinTeam } from './public.ts'
import { loadTeam, type MemberRow, tellRights } from './queries.ts'
import { limits, mayGrant, permissionMatrix, permissionsOf, staffMatrix, type TeamRole, teamRoles } from './rules.ts'
import { members, teamRows } from './tables.home.ts'

const handlers: Handlers<typeof teams> = {
  getUserInfo: async (ctx, { query }) => ctx.transact(inner => userInfo(inner, query.teamId), 'all'),

  getUserPermission: async ctx => {
    const team = await loadTeam(ctx)
    const [me] = await ctx.home.select().from(members).where(memberIs(ctx.teamId, ctx.accountId))
    return {
      userRoles: me?.roles ?? [],
      userPermission: toUserPermission(ctx.caller.permissions) as Record<string, 'Y'>,
      permVersion: team.permVersion,
    }
  },

  getTeam: ctx => loadTeam(ctx),

  createTeam: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const led = await inner.home
        .select({ teamId: teamRows.teamId })
        .from(teamRows)
        .where(eq(teamRows.leaderAccountId, ctx.accountId))
      if (led.length >= limits.teamsOfAccount) refuse(teams.errors.tooManyTeams, { limit: limits.teamsOfAccount })
      const team = await foundTeam(inner, { ...body, leaderAccountId: ctx.accountId })
      if (led.length === 0) await setHomeTeam(inner, ctx.accountId, team.teamId, team.siteId)
      return team
    }, 'all'),

  updateTeam: async (ctx, { body }) => {
    const [team] = await ctx.home
      .update(teamRows)
      .set({ name: body.name, revision: sql`${teamRows.revision} + 1` })
      .where(and(eq(teamRows.teamId, ctx.teamId), eq(teamRows.revision, body.revision)))
      .returning()
    if (!team) refuse(commonErrors.stale, { revision: (await loadTeam(ctx)).revision })
    ctx.audit({ action: 'team.update', entity: 'team', entityId: ctx.teamId, after: { name: body.name } }, 'home')
    return team
  },

  switchTeam: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const [row] = await inner.home
        .select({ team: teamRows, member: members })
        .from(members)
        .innerJoin(teamRows, eq(teamRows.teamId, members.teamId))
        .where(memberIs(body.teamId, ctx.accountId))
      if (row?.member.status !== 'active') refuse(commonErrors.notFound, { entity: 'team', id: body.teamId })
      await setHomeTeam(inner, ctx.accountId, body.teamId, row.team.siteId)
      return { teamId: body.teamId, siteID: row.team.siteId, csrfToken: csrfTokensOf(ctx, null).csrfToken }
    }, 'all'),

  listRoles: async () => ({
    list: teamRoles.map(role => ({ role, builtIn: true, permissions: [...permissionsOf([role], permissionMatrix)] })),
  }),

  listPermissions: async () => ({
    list: Object.entries(permissionMatrix).map(([permission, roles]) => ({ permission, roles: [...roles] })),
  }),

  listMembers: async (ctx, { query }) => {
    const team = await loadTeam(ctx)
    const rows = await ctx.home.select().from(members).where(eq(members.teamId, ctx.teamId)).orderBy(members.joinedAt)
    const people = new Map(
      (
        await accountsOf(
          ctx,
          rows.map(row => row.accountId),
        )
      ).map(one => [one.accountId, one]),
    )
    const all = rows
      .map(row => toMember(row, people.get(row.accountId), team.leaderAccountId))
      .sort((a, b) => Number(b.isLeader) - Number(a.isLeader))
    const search = query.search?.toLowerCase() ?? ''
    const matching = all.filter(
      one =>
        (!query.role || one.roles.includes(query.role)) &&
        (one.name.toLowerCase().includes(search) || one.loginName.toLowerCase().includes(search)),
    )
    const start = Number(query.cursor ?? 0) || 0
    const end = start + (query.pageSize ?? 20)
    return {
      total: matching.length,
      list: matching.slice(start, end),
      nextCursor: end < matching.length ? String(end) : null,
    }
  },

  addMember: async (ctx, { body }) => {
    if (!mayGrant(ctx.caller.permissions, body.roles))
      refuse(teams.errors.aboveOwnRights, { roles: body.roles.join(', ') })
    const firstPassword = randomBytes(12).toString('base64url')
    return ctx.transact(async inner => {
      const team = await loadTeam(inner)
      const count = await inner.home.$count(members, eq(members.teamId, ctx.teamId))
      if (count >= limits.membersOfTeam) refuse(teams.errors.tooManyMembers, { limit: limits.membersOfTeam })
      const known = await findAccount(inner, body.loginName)
      const accountId =
        known?.accountId ??
        (await createAccount(inner, {
          loginName: body.loginName,
          name: body.name,
          password: firstPassword,
          siteId: team.siteId,
        }))
      await joinTeam(inner, ctx.teamId, accountId, body.roles).catch(error => {
        if (isDuplicate(error)) refuse(teams.errors.alreadyMember, { loginName: body.loginName })
        throw error
      })
      if (!known?.homeTeamId) await setHomeTeam(inner, accountId, ctx.teamId, team.siteId)
      inner.audit({ action: 'member.add', entity: 'member', entityId: accountId, after: { roles: body.roles } }, 'home')
      return {
        member: await loadMember(inner, accountId, team.leaderAccountId),
        firstPassword: known ? null : firstPassword,
      }
    })
  },

  updateMember: async (ctx, { body }) => {
    const team = await loadTeam(ctx)
    if (body.accountId === team.leaderAccountId) refuse(teams.errors.lastLeader)
    const before = await loadMember(ctx, body.accountId, team.leaderAccountId)
    if (body.roles && !mayGrant(ctx.caller.permissions, body.roles)) {
      refuse(teams.errors.aboveOwnRights, { roles: body.roles.join(', ') })
    }
    const [row] = await ctx.home
      .update(members)
      .set({
        ...(body.roles ? { roles: [...body.roles] } : {}),
        ...(body.status ? { status: body.status } : {}),
        revision: sql`${members.revision} + 1`,
      })
      .where(and(memberIs(ctx.teamId, body.accountId), eq(members.revision, body.revision)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    await tellRights(ctx, ctx.teamId, body.accountId)
    ctx.audit(
      {
        action: 'member.update',
        entity: 'member',
        entityId: body.accountId,
        before: { roles: before.roles, status: before.status },
        after: { roles: row.roles, status: row.status },
      },
      'home',
    )
    return loadMember(ctx, body.accountId, team.leaderAccountId)
  },

  removeMember: async (ctx, { query }) => {
    const team = await loadTeam(ctx)
    if (query.accountId === team.leaderAccountId) refuse(teams.errors.lastLeader)
    await loadMember(ctx, query.accountId, team.leaderAccountId)
    await ctx.home.delete(members).where(memberIs(ctx.teamId, query.accountId))
    await tellRights(ctx, ctx.teamId, query.accountId)
    ctx.audit({ action: 'member.remove', entity: 'member', entityId: query.accountId }, 'home')
    return {}
  },
}

export default implement(teams, handlers)
export const secondGeneration = implement(teamsV2, handlers)

const memberIs = (teamId: string, accountId: string) =>
  and(eq(members.teamId, teamId), eq(members.accountId, accountId))

async function loadMember(ctx: Context, accountId: string, leaderAccountId: string): Promise<Static<typeof Member>> {
  const [row] = await ctx.home.select().from(members).where(memberIs(ctx.teamId, accountId))
  if (!row) refuse(commonErrors.notFound, { entity: 'member', id: accountId })
  const [account] = await accountsOf(ctx, [accountId])
  return toMember(row, account, leaderAccountId)
}

function toMember(row: MemberRow, account: { loginName: string; name: string } | undefined, leaderAccountId: string) {
  return {
    accountId: row.accountId,
    loginName: account?.loginName ?? '',
    name: account?.name ?? '',
    status: row.status,
    roles: row.roles as TeamRole[],
    isLeader: row.accountId === leaderAccountId,
    joinedAt: row.joinedAt,
    revision: row.revision,
  }
}

async function userInfo(ctx: Context, wantedTeamId: string | undefined) {
  const [account] = await accountsOf(ctx, [ctx.accountId])
  if (!account) refuse(commonErrors.noSession)
  const rows = await ctx.home
    .select({ team: teamRows, member: members })
    .from(members)
    .innerJoin(teamRows, eq(teamRows.teamId, members.teamId))
    .where(and(eq(members.accountId, ctx.accountId), eq(members.status, 'active')))
    .orderBy(teamRows.name)
  const chosen = rows.find(row => row.team.teamId === (wantedTeamId ?? account.homeTeamId)) ?? rows[0]
  const sessionId = ctx.caller.sessionId ?? ''
  const { rows: times } = await ctx.transaction('home').query<{ soft: string; hard: string; real: number }>({
    text: `SELECT s.soft_expire_at AS soft, s.hard_expire_at AS hard, a.verify_real_state AS real
      FROM sessions s JOIN accounts a USING (account_id) WHERE s.session_id = $1`,
    values: [sessionId],
  })
  return {
    account: { ...account, verifyRealState: times[0]?.real ?? 0 },
    teams: rows.map(({ team }) => ({ ...team, isLeader: team.leaderAccountId === ctx.accountId })),
    teamId: chosen?.team.teamId ?? null,
    userRoles: chosen ? chosen.member.roles : [],
    userPermission: toUserPermission([
      ...permissionsOf(chosen?.member.roles ?? [], permissionMatrix),
      ...permissionsOf(account.staffRoles, staffMatrix),
    ]) as Record<string, 'Y'>,
    ...csrfTokensOf(ctx, chosen?.team.teamId ?? null),
    softExpireAt: Number(times[0]?.soft ?? 0),
    hardExpireAt: Number(times[0]?.hard ?? 0),
  }
}
