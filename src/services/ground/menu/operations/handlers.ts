import { zoneOfSite } from '../../../../kernel/zones.ts'
import { implement } from '../../../../server/implement.ts'
import { teamsFound } from '../../teams/public.ts'
import { overseasFeature } from '../rules.ts'
import { answerHandlers } from '../support.ts'
import { groupsOfTeams, listedSwitches, setSwitch, switchesOf } from '../switches.ts'
import { idCursor } from '../tag-sets.ts'
import { menuOperations } from './contract.ts'
import { groupHandlers } from './groups.ts'

export default implement(menuOperations, {
  ...groupHandlers,
  ...answerHandlers,

  listSwitches: async (ctx, { query }) => {
    const wanted = (query.search ?? '').trim().toLowerCase()
    const matching = (await listedSwitches(ctx)).filter(
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
})
