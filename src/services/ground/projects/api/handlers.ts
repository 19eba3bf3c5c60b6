import { and, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { loadForChange, loadProject, type ProjectRow } from '../queries.ts'
import { standingOf } from '../services/queries.ts'
import { serviceCatalogue } from '../services/rules.ts'
import { projectApis, projects } from '../tables.home.ts'
import { cpmsProjectApis, dgsProjectApis, projectApiService } from './contract.ts'
import { changeKey, keysOf, makeKey, toKey } from './keys.ts'
import { apiCatalogue } from './rules.ts'

const handlers: Handlers<typeof dgsProjectApis> = {
  getServiceStatus: async (ctx, { query }) => {
    const project = await loadProject(ctx, query.projectId)
    const { enabled } = await standingOf(ctx, project)
    const apis = (await apisOf(ctx, project)).list
    const list = serviceCatalogue.map(({ serviceId, notIn }) => {
      const own = apis.filter(one => one.serviceId === serviceId)
      const open = own.filter(one => one.isEnabled && !one.isWaiting)
      const isOffered = !notIn.includes(project.zone)
      return { serviceId, isEnabled: enabled.has(serviceId), isOffered, openApis: open.length, apis: own.length }
    })
    return { projectId: project.projectId, zone: project.zone, list }
  },

  listProjectApis: async (ctx, { query }) => apisOf(ctx, await loadProject(ctx, query.projectId)),
  openProjectApis: (ctx, { body }) => switchApis(ctx, body.projectId, body.apiIds, []),
  closeProjectApi: (ctx, { query }) => switchApis(ctx, query.projectId, [], [query.apiId]),

  getAllianceAttr: async (ctx, { query }) => allianceOf(await loadProject(ctx, query.projectId)),

  setAllianceAttr: async (ctx, { body }) => {
    const { projectId, revision, ...alliance } = body
    const before = await loadForChange(ctx, projectId)
    const [row] = await ctx.home
      .update(projects)
      .set({ alliance, updatedAt: ctx.now(), revision: sql`${projects.revision} + 1` })
      .where(and(eq(projects.projectId, projectId), eq(projects.teamId, ctx.teamId), eq(projects.revision, revision)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    ctx.audit({ action: 'project.alliance', entity: 'project', entityId: projectId, after: alliance }, 'home')
    return allianceOf(row)
  },

  listApiKeys: async (ctx, { query }) => {
    const { projectId } = await loadProject(ctx, query.projectId)
    const list = (await keysOf(ctx, projectId)).map(row => toKey(ctx, row))
    return { total: list.length, list }
  },

  createApiKey: async (ctx, { body }) => {
    await loadForChange(ctx, body.projectId)
    return makeKey(ctx, body)
  },

  changeApiKey: (ctx, { body }) => changeKey(ctx, body),
}

export const ofDgs = implement(dgsProjectApis, handlers)
export const ofCpms = implement(cpmsProjectApis, handlers)

export default implement(projectApiService, {
  getApiService: async (ctx, { query }) => apisOf(ctx, await loadProject(ctx, query.projectId)),
  setApiService: (ctx, { body }) => {
    const opened = body.apis.filter(one => one.isEnabled).map(one => one.apiId)
    const closed = body.apis.filter(one => !one.isEnabled).map(one => one.apiId)
    return switchApis(ctx, body.projectId, opened, closed)
  },
})

async function switchApis(ctx: Context, projectId: string, opened: readonly string[], closed: readonly string[]) {
  const project = await loadForChange(ctx, projectId)
  const made = { teamId: ctx.teamId, enabledBy: ctx.accountId, enabledAt: ctx.now() }
  if (opened.length > 0) {
    const rows = opened.map(apiId => ({ projectId, apiId, ...made }))
    await ctx.home.insert(projectApis).values(rows).onConflictDoNothing()
  }
  if (closed.length > 0) {
    await ctx.home
      .delete(projectApis)
      .where(and(eq(projectApis.projectId, projectId), inArray(projectApis.apiId, [...closed])))
  }
  ctx.audit({ action: 'project.apis', entity: 'project', entityId: projectId, after: { opened, closed } }, 'home')
  return apisOf(ctx, project)
}

async function apisOf(ctx: Context, project: ProjectRow) {
  const { projectId } = project
  const rows = await ctx.home
    .select()
    .from(projectApis)
    .where(and(eq(projectApis.projectId, projectId), eq(projectApis.teamId, ctx.teamId)))
  const { enabled } = await standingOf(ctx, project)
  const list = apiCatalogue.map(({ apiId, name, serviceId }) => {
    const row = rows.find(one => one.apiId === apiId)
    const isWaiting = serviceId !== null && !enabled.has(serviceId)
    return { apiId, name, serviceId, isEnabled: row !== undefined, isWaiting, enabledAt: row?.enabledAt ?? null }
  })
  return { projectId, list }
}

function allianceOf({ projectId, alliance, revision }: ProjectRow) {
  const { isMember = false, allianceName = '', contact = '' } = alliance ?? {}
  return { projectId, isMember, allianceName, contact, revision }
}
