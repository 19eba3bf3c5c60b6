import { and, asc, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { supportCycle } from '../rules.ts'
import { setSwitch, switchesOf } from '../switches.ts'
import { supportApplications, userGroups, userGroupTeams } from '../tables.ts'
import { idCursor } from '../tag-sets.ts'
import { menuOperations } from './contract.ts'

export default implement(menuOperations, {
  listSwitches: async ctx => ({ list: [...(await switchesOf(ctx)).values()] }),

  setSwitch: (ctx, { body }) => setSwitch(ctx, body),

  listGroups: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const found = await ctx.db
      .select({
        groupCode: userGroups.groupCode,
        name: userGroups.name,
        updatedAt: userGroups.updatedAt,
        teams: sql<number>`(SELECT count(*)::int FROM user_group_teams t WHERE t.group_code = ${userGroups.groupCode})`,
      })
      .from(userGroups)
      .where(query.cursor ? gt(userGroups.groupCode, query.cursor) : undefined)
      .orderBy(asc(userGroups.groupCode))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.db.$count(userGroups),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.groupCode ?? null) : null,
    }
  },

  changeGroup: async (ctx, { body }) => {
    const { groupCode, name, join, leave } = body
    const now = ctx.now()
    await ctx.db
      .insert(userGroups)
      .values({ groupCode, name, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: userGroups.groupCode,
        set: { name, updatedAt: now, revision: sql`${userGroups.revision} + 1` },
      })
    if (join.length > 0) {
      await ctx.db
        .insert(userGroupTeams)
        .values(join.map(teamId => ({ groupCode, teamId, joinedAt: now })))
        .onConflictDoNothing()
    }
    const isIn = eq(userGroupTeams.groupCode, groupCode)
    if (leave.length > 0) await ctx.db.delete(userGroupTeams).where(and(isIn, inArray(userGroupTeams.teamId, leave)))
    ctx.audit({ action: 'group.change', entity: 'group', entityId: groupCode, after: { name, join, leave } })
    return { groupCode, name, teams: await ctx.db.$count(userGroupTeams, isIn), updatedAt: now }
  },

  listSupport: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const filter = query.state ? eq(supportApplications.state, query.state) : undefined
    const found = await ctx.db
      .select()
      .from(supportApplications)
      .where(and(filter, query.cursor ? lt(supportApplications.applyId, idCursor(query.cursor)) : undefined))
      .orderBy(desc(supportApplications.applyId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.db.$count(supportApplications, filter),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.applyId ?? null) : null,
    }
  },

  answerSupport: async (ctx, { params, body }) => {
    const is = eq(supportApplications.applyId, params.applyId)
    const [row] = await ctx.db.select().from(supportApplications).where(is)
    if (!row) refuse(commonErrors.notFound, { entity: 'support application', id: params.applyId })
    await transition(ctx, {
      cycle: supportCycle,
      table: 'support_applications',
      idColumn: 'apply_id',
      row: { id: row.applyId, state: row.state, revision: row.revision },
      action: body.action,
      data: { serviceId: row.serviceId, accountId: row.accountId },
      teamId: row.teamId,
    })
    const [after] = await ctx.db.update(supportApplications).set({ answer: body.answer }).where(is).returning()
    return after ?? row
  },
})
