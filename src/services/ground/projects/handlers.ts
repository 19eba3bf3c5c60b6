import { and, count, eq, sql, sum } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { siteOfZone, type ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { storageUsed } from '../files/public.ts'
import { memberCountOf } from '../teams/public.ts'
import { projects as contract, cpmsDelegates, dgsDelegates } from './contract.ts'
import { loadProject, type ProjectRow, pageOfProjects } from './queries.ts'
import { nameProblem, projectLimits, projectName, projectNameKey } from './rules.ts'
import { projects } from './tables.home.ts'

const handlers: Handlers<typeof contract> = {
  listProjects: async (ctx, { query }) => {
    const page = await pageOfProjects(ctx, query)
    return { ...page, list: page.list.map(withSite) }
  },

  createProject: async (ctx, { body }) => {
    const zone = servedZone(ctx, body.zone)
    const name = checkedName(body.name)
    await checkRoom(ctx)
    const now = ctx.now()
    const row = {
      projectId: ctx.newId(),
      teamId: ctx.teamId,
      ...name,
      zone,
      appCount: 0,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    }
    await ctx.home.insert(projects).values(row).catch(orNameTaken(row.name))
    const after = { name: row.name, zone }
    ctx.audit({ action: 'project.create', entity: 'project', entityId: row.projectId, after }, 'home')
    ctx.emit({ type: 'project.created', entity: 'project', entityId: row.projectId, data: after }, 'home')
    return withSite(row)
  },

  getProject: async (ctx, { query }) => withSite(await loadProject(ctx, query.projectId)),

  updateProject: async (ctx, { body }) => {
    const before = await loadProject(ctx, body.projectId)
    const name = checkedName(body.name)
    const [row] = await ctx.home
      .update(projects)
      .set({ ...name, updatedAt: ctx.now(), revision: sql`${projects.revision} + 1` })
      .where(and(isOwn(ctx, body.projectId), eq(projects.revision, body.revision)))
      .returning()
      .catch(orNameTaken(name.name))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    const change = { before: { name: before.name }, after: { name: row.name } }
    ctx.audit({ action: 'project.update', entity: 'project', entityId: row.projectId, ...change }, 'home')
    ctx.emit({ type: 'project.updated', entity: 'project', entityId: row.projectId, data: { name: row.name } }, 'home')
    return withSite(row)
  },

  deleteProject: async (ctx, { query }) => {
    const { projectId } = query
    const before = await loadProject(ctx, projectId)
    const { revision } = ctx.place
    if (revision !== undefined && revision !== before.revision) {
      refuse(commonErrors.stale, { revision: before.revision })
    }
    const gone = await ctx.home
      .delete(projects)
      .where(and(isOwn(ctx, projectId), eq(projects.appCount, 0)))
      .returning({ projectId: projects.projectId })
    if (gone.length === 0) refuse(contract.errors.hasApps, { apps: (await loadProject(ctx, projectId)).appCount })
    const { name, zone } = before
    ctx.audit({ action: 'project.delete', entity: 'project', entityId: projectId, before: { name, zone } }, 'home')
    ctx.emit({ type: 'project.deleted', entity: 'project', entityId: projectId, data: { name, zone } }, 'home')
    return {}
  },
}

export default implement(contract, handlers)

const ofHomePage: Handlers<typeof dgsDelegates> = {
  getAggregate: async ctx => {
    const [counted] = await ctx.home
      .select({ projects: count(), apps: sum(projects.appCount) })
      .from(projects)
      .where(eq(projects.teamId, ctx.teamId))
    const members = await memberCountOf(ctx)
    const stored = await Promise.all(ctx.server.config.zones.map(zone => storageUsed(ctx, zone)))
    return {
      projects: counted?.projects ?? 0,
      apps: Number(counted?.apps ?? 0),
      members,
      storedObjects: stored.reduce((all, one) => all + one.objects, 0),
      storedBytes: stored.reduce((all, one) => all + one.bytes, 0),
    }
  },
}

export const delegatesOfDgs = implement(dgsDelegates, ofHomePage)
export const delegatesOfCpms = implement(cpmsDelegates, ofHomePage)

function isOwn(ctx: Context, projectId: string) {
  return and(eq(projects.projectId, projectId), eq(projects.teamId, ctx.teamId))
}

function withSite<Row extends { zone: ZoneId }>(row: Row) {
  return { ...row, siteId: siteOfZone(row.zone) }
}

function servedZone(ctx: Context, wanted: ZoneId | undefined): ZoneId {
  const zone = wanted ?? ctx.zone
  return ctx.server.config.zones.includes(zone) ? zone : refuse(commonErrors.zoneInvalid)
}

function checkedName(name: string): Pick<ProjectRow, 'name' | 'nameKey'> {
  const problem = nameProblem(name)
  if (problem) throw badField('/name', 'name', problem)
  return { name: projectName(name), nameKey: projectNameKey(name) }
}

/** Two that create at once take turns, so that the limit holds. */
async function checkRoom(ctx: Context): Promise<void> {
  const transaction = ctx.transaction('home')
  await transaction.query('SELECT pg_advisory_xact_lock(103, hashtext($1))', [ctx.teamId])
  const [counted] = await ctx.home.select({ projects: count() }).from(projects).where(eq(projects.teamId, ctx.teamId))
  const limit = projectLimits.projectsOfTeam
  if ((counted?.projects ?? 0) >= limit) refuse(contract.errors.tooManyProjects, { limit })
}

function orNameTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'projects_name')) refuse(contract.errors.nameTaken, { name })
    throw error
  }
}
