import { and, desc, eq, ilike, inArray, lt, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { teamNamed, teamsFound } from '../../ground/teams/public.ts'
import { clues as contract } from './contract.ts'
import { attachVisit, digestOf, keepBehavior, visitorOf } from './keep.ts'
import { isClueCountry } from './rules.ts'
import { clueBehaviors as rows } from './tables.ts'

/** How many teams a word may name in a search. */
const teamsOfWord = 100

export default implement(contract, {
  reportBehavior: (ctx, { body }) =>
    ctx.transact(async inner => {
      const { teamId } = ctx
      if (!isClueCountry((await teamNamed(inner, teamId))?.countryCode)) return { isStored: false }
      const visit = body.visitId === undefined ? null : digestOf(ctx, 'visit', body.visitId)
      if (visit !== null) await attachVisit(inner, visit, teamId)
      const session = digestOf(ctx, 'session', ctx.caller.sessionId ?? '')
      return { isStored: await keepBehavior(inner, { ...body, session, visit, teamId }) }
    }, 'all'),

  // The header teamId proves nothing here: whoever is not signed in acts for no team until they sign in.
  reportAnonymousBehavior: async (ctx, { body }, { request }) => {
    if (!isClueCountry(ctx.zone)) return { isStored: false }
    const visit = body.visitId === undefined ? null : digestOf(ctx, 'visit', body.visitId)
    const session = visit ?? visitorOf(ctx, request.headers['user-agent'] ?? '')
    return { isStored: await keepBehavior(ctx, { ...body, session, visit, teamId: null }) }
  },

  listBehaviors: async (ctx, { query }) => {
    const { pageSize = 20, cursor, dataType } = query
    const search = query.search?.trim()
    const meant = and(
      dataType ? eq(rows.dataType, dataType) : undefined,
      search ? await saying(ctx, search) : undefined,
    )
    const found = await ctx.db
      .select()
      .from(rows)
      .where(and(meant, cursor ? lt(rows.behaviorId, idOf(cursor)) : undefined))
      .orderBy(desc(rows.behaviorId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    const names = await teamNames(ctx, list)
    return {
      total: await ctx.db.$count(rows, meant),
      list: list.map(row => ({ ...row, teamName: row.teamId === null ? null : (names.get(row.teamId) ?? null) })),
      nextCursor: found.length > pageSize ? (list.at(-1)?.behaviorId ?? null) : null,
    }
  },
})

async function teamNames(ctx: Context, list: readonly { teamId: string | null }[]): Promise<Map<string, string>> {
  const teamIds = [...new Set(list.flatMap(row => (row.teamId === null ? [] : [row.teamId])))]
  if (teamIds.length === 0) return new Map()
  const found = await teamsFound(ctx, { teamIds, limit: teamIds.length })
  return new Map(found.list.map(team => [team.teamId, team.name]))
}

/** Behaviours about a service or a menu entry called so, or of a team called so. */
async function saying(ctx: Context, search: string): Promise<SQL | undefined> {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const teams = await teamsFound(ctx, { search, limit: teamsOfWord })
  return or(
    ilike(rows.serviceId, like),
    ilike(rows.serviceCode, like),
    ilike(rows.menuId, like),
    inArray(
      rows.teamId,
      teams.list.map(team => team.teamId),
    ),
  )
}

function idOf(cursor: string): string {
  if (!/^[1-9]\d{0,18}$/.test(cursor)) throw badField('/cursor', 'cursor', 'is not the cursor of a list', 'query')
  return cursor
}
