import { and, asc, eq, gt, ilike, inArray, or, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import type { Handlers } from '../../../../server/implement.ts'
import { teamsFound } from '../../teams/public.ts'
import { menuErrors } from '../contract.ts'
import { switchesOf } from '../switches.ts'
import { userGroups, userGroupTeams } from '../tables.ts'
import { idCursor } from '../tag-sets.ts'
import type { menuOperations } from './contract.ts'

type GroupCalls = 'listGroups' | 'getGroup' | 'listGroupTeams' | 'changeGroup' | 'deleteGroup'

const columns = {
  groupCode: userGroups.groupCode,
  name: userGroups.name,
  updatedAt: userGroups.updatedAt,
  teams: sql<number>`(SELECT count(*)::int FROM user_group_teams t WHERE t.group_code = user_groups.group_code)`,
}

export const groupHandlers: Pick<Handlers<typeof menuOperations>, GroupCalls> = {
  listGroups: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const like = `%${(query.search ?? '').replace(/[\\%_]/g, '\\$&')}%`
    const named = query.search ? or(ilike(userGroups.groupCode, like), ilike(userGroups.name, like)) : undefined
    const found = await ctx.db
      .select(columns)
      .from(userGroups)
      .where(and(named, query.cursor ? gt(userGroups.groupCode, query.cursor) : undefined))
      .orderBy(asc(userGroups.groupCode))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.db.$count(userGroups, named),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.groupCode ?? null) : null,
    }
  },

  getGroup: (ctx, { params }) => load(ctx, params.groupCode),

  listGroupTeams: async (ctx, { params, query }) => {
    const { groupCode, teams: total } = await load(ctx, params.groupCode)
    const pageSize = query.pageSize ?? 20
    const found = await ctx.db
      .select({ teamId: userGroupTeams.teamId, joinedAt: userGroupTeams.joinedAt })
      .from(userGroupTeams)
      .where(
        and(
          eq(userGroupTeams.groupCode, groupCode),
          query.cursor ? gt(userGroupTeams.teamId, idCursor(query.cursor)) : undefined,
        ),
      )
      .orderBy(asc(userGroupTeams.teamId))
      .limit(pageSize + 1)
    const page = found.slice(0, pageSize)
    const known = await knownTeams(ctx, page)
    return {
      total,
      list: page.map(row => {
        const team = known.get(row.teamId)
        return { ...row, name: team?.name ?? null, zone: team ? zoneOfSite(team.siteId) : null }
      }),
      nextCursor: found.length > pageSize ? (page.at(-1)?.teamId ?? null) : null,
    }
  },

  changeGroup: async (ctx, { body }) => {
    const { groupCode, name, join, leave } = body
    const now = ctx.now()
    const known = await knownTeams(
      ctx,
      join.map(teamId => ({ teamId })),
    )
    const joined = join.filter(teamId => known.has(teamId))
    await ctx.db
      .insert(userGroups)
      .values({ groupCode, name, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: userGroups.groupCode,
        set: { name, updatedAt: now, revision: sql`${userGroups.revision} + 1` },
      })
    if (joined.length > 0) {
      await ctx.db
        .insert(userGroupTeams)
        .values(joined.map(teamId => ({ groupCode, teamId, joinedAt: now })))
        .onConflictDoNothing()
    }
    const isIn = eq(userGroupTeams.groupCode, groupCode)
    if (leave.length > 0) await ctx.db.delete(userGroupTeams).where(and(isIn, inArray(userGroupTeams.teamId, leave)))
    ctx.audit({ action: 'group.change', entity: 'group', entityId: groupCode, after: { name, join: joined, leave } })
    const unknown = join.filter(teamId => !known.has(teamId))
    return { groupCode, name, teams: await ctx.db.$count(userGroupTeams, isIn), updatedAt: now, unknown }
  },

  deleteGroup: async (ctx, { params }) => {
    const before = await load(ctx, params.groupCode)
    const { groupCode } = before
    const user = [...(await switchesOf(ctx)).values()].find(row => row.groups.includes(groupCode))
    if (user) refuse(menuErrors.groupInUse, { feature: user.feature, groupCode })
    await ctx.db.delete(userGroupTeams).where(eq(userGroupTeams.groupCode, groupCode))
    await ctx.db.delete(userGroups).where(eq(userGroups.groupCode, groupCode))
    const { name, teams } = before
    ctx.audit({ action: 'group.delete', entity: 'group', entityId: groupCode, before: { name, teams } })
    return {}
  },
}

async function load(ctx: Context, groupCode: string) {
  const [row] = await ctx.db.select(columns).from(userGroups).where(eq(userGroups.groupCode, groupCode))
  return row ?? refuse(commonErrors.notFound, { entity: 'group', id: groupCode })
}

async function knownTeams(ctx: Context, rows: readonly { teamId: string }[]) {
  if (rows.length === 0) return new Map<string, never>()
  const { list } = await teamsFound(ctx, { teamIds: rows.map(row => row.teamId), limit: rows.length })
  return new Map(list.map(team => [team.teamId, team]))
}
