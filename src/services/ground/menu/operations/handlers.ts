import { and, desc, eq, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { teamsFound } from '../../teams/public.ts'
import { overseasFeature, supportCycle } from '../rules.ts'
import { groupsOfTeams, setSwitch, switchesOf } from '../switches.ts'
import { supportApplications } from '../tables.ts'
import { idCursor } from '../tag-sets.ts'
import { menuOperations } from './contract.ts'
import { groupHandlers } from './groups.ts'

export default implement(menuOperations, {
  ...groupHandlers,

  listSwitches: async (ctx, { query }) => {
    const wanted = (query.search ?? '').trim().toLowerCase()
    const matching = [...(await switchesOf(ctx)).values()].filter(
      row =>
        (query.state === undefined || row.isOn === (query.state === 'on')) &&
        `${row.feature} ${row.note}`.toLowerCase().includes(wanted),
    )
    const start = query.cursor === undefined ? 0 : matching.findIndex(row => row.feature === query.cursor) + 1
    const list = matching.slice(start, start + (query.pageSize ?? 20))
    const isMore = start + list.length < matching.length
    return { total: matching.length, list, nextCursor: isMore ? (list.at(-1)?.feature ?? null) : null }
  },

  setSwitch: (ctx, { body }) => setSwitch(ctx, body),

  listTeams: async (ctx, { query }) => {
    const limit = query.pageSize ?? 20
    const { cursor, search } = query
    const { total, list } = await teamsFound(ctx, {
      limit: limit + 1,
      ...(search && { search }),
      ...(cursor && { after: idCursor(cursor) }),
    })
    const page = list.slice(0, limit).map(({ teamId, name, siteId }) => ({ teamId, name, zone: zoneOfSite(siteId) }))
    const groups = await groupsOfTeams(ctx, page, (await switchesOf(ctx)).get(overseasFeature))
    return {
      total,
      list: page.map(team => ({ ...team, groups: groups.get(team.teamId) ?? [] })),
      nextCursor: list.length > limit ? (page.at(-1)?.teamId ?? null) : null,
    }
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
