import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { withSite } from '../answer.ts'
import { loadForChange, loadProject, type ProjectRow } from '../queries.ts'
import { projectMappings, projectProperties, projects, teamProjects } from '../tables.home.ts'
import { projectSettings as contract } from './contract.ts'
import { settingsLimits } from './rules.ts'

const handlers: Handlers<typeof contract> = {
  getProperties: async (ctx, { query }) => propertiesOf(ctx, await loadProject(ctx, query.projectId), query.name),

  setProperties: async (ctx, { body }) => {
    const { projectId } = body
    const project = await raiseRevision(ctx, await loadForChange(ctx, projectId), body.revision)
    const now = ctx.now()
    const removed = body.properties.filter(one => one.value === null).map(one => one.name)
    const set = body.properties.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
    if (removed.length > 0) {
      await ctx.home
        .delete(projectProperties)
        .where(and(eq(projectProperties.projectId, projectId), inArray(projectProperties.name, removed)))
    }
    if (set.length > 0) {
      const rows = set.map(one => ({ ...one, projectId, teamId: ctx.teamId, updatedBy: ctx.accountId, updatedAt: now }))
      await ctx.home
        .insert(projectProperties)
        .values([...new Map(rows.map(row => [row.name, row])).values()])
        .onConflictDoUpdate({
          target: [projectProperties.projectId, projectProperties.name],
          set: { value: sql`excluded.value`, updatedBy: ctx.accountId, updatedAt: now },
        })
    }
    const answer = await propertiesOf(ctx, project)
    const limit = settingsLimits.properties
    if (answer.list.length > limit) refuse(contract.errors.tooManyProperties, { limit })
    const names = body.properties.map(one => one.name)
    ctx.audit({ action: 'project.properties', entity: 'project', entityId: projectId, after: { names } }, 'home')
    return answer
  },

  listMappings: async (ctx, { query }) => {
    if (query.projectId) await loadProject(ctx, query.projectId)
    return mappingsOf(ctx, query)
  },

  changeMappings: async (ctx, { body }) => {
    const { projectId, add = [], remove = [] } = body
    await loadForChange(ctx, projectId)
    for (const { system, externalId } of remove) {
      await ctx.home
        .delete(projectMappings)
        .where(
          and(
            eq(projectMappings.teamId, ctx.teamId),
            eq(projectMappings.system, system),
            eq(projectMappings.externalId, externalId),
            eq(projectMappings.projectId, projectId),
          ),
        )
    }
    const now = ctx.now()
    const rows = add.map(one => ({ ...one, projectId, teamId: ctx.teamId, createdBy: ctx.accountId, createdAt: now }))
    if (rows.length > 0) {
      await ctx.home.insert(projectMappings).values(rows).onConflictDoNothing()
      await refuseForeign(ctx, projectId, add)
    }
    const answer = await mappingsOf(ctx, { projectId })
    const limit = settingsLimits.mappings
    if (answer.total > limit) refuse(contract.errors.tooManyMappings, { limit })
    ctx.audit({ action: 'project.mappings', entity: 'project', entityId: projectId, after: { add, remove } }, 'home')
    return answer
  },

  getTeamProject: ctx => teamProject(ctx),

  setTeamProject: async (ctx, { body }) => {
    const { projectId } = await loadProject(ctx, body.projectId)
    const row = { projectId, updatedBy: ctx.accountId, updatedAt: ctx.now() }
    await ctx.home
      .insert(teamProjects)
      .values({ teamId: ctx.teamId, ...row })
      .onConflictDoUpdate({ target: teamProjects.teamId, set: row })
    ctx.audit({ action: 'team.project', entity: 'team', entityId: ctx.teamId, after: { projectId } }, 'home')
    return teamProject(ctx)
  },
}

export default implement(contract, handlers)

/** Properties are part of the project: who writes them has read it. */
async function raiseRevision(ctx: Context, before: ProjectRow, revision: number): Promise<ProjectRow> {
  const [project] = await ctx.home
    .update(projects)
    .set({ updatedAt: ctx.now(), revision: sql`${projects.revision} + 1` })
    .where(
      and(eq(projects.projectId, before.projectId), eq(projects.teamId, ctx.teamId), eq(projects.revision, revision)),
    )
    .returning()
  return project ?? refuse(commonErrors.stale, { revision: before.revision })
}

async function propertiesOf(ctx: Context, { projectId, revision }: ProjectRow, name?: string) {
  const list = await ctx.home
    .select()
    .from(projectProperties)
    .where(
      and(
        eq(projectProperties.projectId, projectId),
        eq(projectProperties.teamId, ctx.teamId),
        name === undefined ? undefined : eq(projectProperties.name, name),
      ),
    )
    .orderBy(asc(projectProperties.name))
  return { projectId, list, revision }
}

async function mappingsOf(ctx: Context, wanted: { projectId?: string; system?: string; externalId?: string }) {
  const { projectId, system, externalId } = wanted
  const list = await ctx.home
    .select()
    .from(projectMappings)
    .where(
      and(
        eq(projectMappings.teamId, ctx.teamId),
        projectId ? eq(projectMappings.projectId, projectId) : undefined,
        system ? eq(projectMappings.system, system) : undefined,
        externalId ? eq(projectMappings.externalId, externalId) : undefined,
        ctx.withinScope({ projectId: projectMappings.projectId }),
      ),
    )
    .orderBy(asc(projectMappings.system), asc(projectMappings.externalId))
    .limit(1000)
  return { total: list.length, list }
}

async function refuseForeign(ctx: Context, projectId: string, add: readonly { system: string; externalId: string }[]) {
  const { list } = await mappingsOf(ctx, {})
  const isAdded = (row: { system: string; externalId: string }) =>
    add.some(one => one.system === row.system && one.externalId === row.externalId)
  const other = list.find(row => row.projectId !== projectId && isAdded(row))
  if (other) refuse(contract.errors.mappedElsewhere, other)
}

async function teamProject(ctx: Context) {
  const [found] = await ctx.home
    .select({ project: projects })
    .from(teamProjects)
    .innerJoin(projects, eq(projects.projectId, teamProjects.projectId))
    .where(and(eq(teamProjects.teamId, ctx.teamId), ctx.withinScope({ projectId: projects.projectId })))
  return { project: found ? withSite(found.project) : null }
}
