import { and, asc, eq, gt, inArray, not, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { loadMember, moveMember, toMember } from '../members/moves.ts'
import { loadTeam, thingsOf } from '../queries.ts'
import { members, scopeThings } from '../tables.home.ts'
import { scopes as contract, scopesV2 } from './contract.ts'

const handlers: Handlers<typeof contract> = {
  listScopes: async (ctx, { query }) => {
    const { pageSize = 20, cursor, kind, search } = query
    const ids = query.ids?.split(',').filter(id => /^[1-9][0-9]{0,18}$/.test(id))
    const matches = and(
      eq(scopeThings.teamId, ctx.teamId),
      not(scopeThings.hasEnded),
      kind && eq(scopeThings.kind, kind),
      ids && inArray(scopeThings.thingId, ids.slice(0, 100)),
      search?.trim() ? named(search.trim()) : undefined,
      reached(ctx),
    )
    const rows = await ctx.home
      .select()
      .from(scopeThings)
      .where(and(matches, afterThing(cursor)))
      .orderBy(asc(scopeThings.thingId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(scopeThings, matches),
      list: list.map(({ thingId, kind, name, projectId, zone }) => ({ kind, id: thingId, name, projectId, zone })),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.thingId ?? null) : null,
    }
  },

  getAppPermission: async (ctx, { query }) => {
    const { appId, cursor, pageSize = 20 } = query
    const projectId = await projectOfApp(ctx, appId)
    const reaches = sql`(${members.scope} @> '{"all":true}' OR ${members.scope} -> 'apps' ? ${appId}
      OR ${members.scope} -> 'projects' ? ${projectId ?? ''})`
    const matches = and(eq(members.teamId, ctx.teamId), eq(members.status, 'active'), reaches)
    const rows = await ctx.home
      .select()
      .from(members)
      .where(and(matches, isId(cursor) ? gt(members.accountId, cursor) : undefined))
      .orderBy(asc(members.accountId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(members, matches),
      list: list.map(row => ({ ...row, via: viaOf(row.scope, appId) })),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.accountId ?? null) : null,
    }
  },

  setAppPermission: async (ctx, { body }) => {
    const { appId, accountId, isReached, revision } = body
    const projectId = await projectOfApp(ctx, appId)
    const { leaderAccountId } = await loadTeam(ctx)
    const row = await loadMember(ctx, accountId)
    const { scope } = row
    if ('all' in scope) refuse(contract.errors.scopeWider, { via: 'the whole team' })
    const isByProject = projectId !== null && scope.projects.includes(projectId)
    if (isByProject && !isReached) refuse(contract.errors.scopeWider, { via: 'its project' })
    const apps = isReached ? [...new Set([...scope.apps, appId])] : scope.apps.filter(one => one !== appId)
    const fields = { scope: { projects: scope.projects, apps } }
    const after = await moveMember(ctx, row, { leaderAccountId, action: 'change', revision, fields })
    return toMember(ctx, after, leaderAccountId)
  },
}

export default implement(contract, handlers)
export const secondGeneration = implement(scopesV2, handlers)

/** The project of an app that the caller reaches. Refuses 404. */
async function projectOfApp(ctx: Context, appId: string): Promise<string | null> {
  const thing = (await thingsOf(ctx, [appId])).get(appId)
  if (thing?.kind !== 'app') refuse(commonErrors.notFound, { entity: 'app', id: appId })
  ctx.assertScope({ appId, projectId: thing.projectId })
  return thing.projectId
}

function reached(ctx: Context): SQL | undefined {
  const own = ctx.withinScope({ appId: scopeThings.thingId, projectId: scopeThings.projectId })
  return own && or(own, ctx.withinScope({ projectId: scopeThings.thingId }))
}

function viaOf(scope: typeof members.$inferSelect.scope, appId: string): 'all' | 'project' | 'app' {
  if ('all' in scope) return 'all'
  return scope.apps.includes(appId) ? 'app' : 'project'
}

function named(search: string): SQL | undefined {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(sql`${scopeThings.name} ILIKE ${like}`, sql`${scopeThings.thingId}::text = ${search}`)
}

function isId(cursor: string | undefined): cursor is string {
  return cursor !== undefined && /^[0-9]{1,19}$/.test(cursor)
}

function afterThing(cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined
  if (!isId(cursor)) throw badField('/cursor', 'cursor', 'is not the nextCursor of a page', 'query')
  return gt(scopeThings.thingId, cursor)
}
