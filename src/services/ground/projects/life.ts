import { and, count, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { isFeatureOn } from '../menu/public.ts'
import { tellClientEnded } from './config-files/app-client.ts'
import { projects as contract } from './contract.ts'
import { loadForChange, loadProject, type ProjectRow } from './queries.ts'
import { isZoneOpen, nameProblem, projectLimits, projectName, projectNameKey } from './rules.ts'
import {
  configFiles,
  projectAgreements,
  projectApiKeys,
  projectApis,
  projectMappings,
  projectMembers,
  projectProperties,
  projects,
  serviceOrders,
  teamProjects,
} from './tables.home.ts'

const p = (name: string) => sql.placeholder(name)

const insertProject = planned(db =>
  db
    .insert(projects)
    .values({
      projectId: p('projectId'),
      teamId: p('teamId'),
      name: p('name'),
      nameKey: p('nameKey'),
      description: p('description'),
      zone: p('zone'),
      createdBy: p('createdBy'),
      createdAt: p('now'),
      updatedAt: p('now'),
    })
    .returning(),
)

const countOfTeam = planned(db =>
  db
    .select({ projects: count() })
    .from(projects)
    .where(eq(projects.teamId, p('teamId'))),
)

/** Makes a project in the zone asked for, the call's unless said. */
export async function createProject(
  ctx: Context,
  wanted: { name: string; description?: string; zone?: ZoneId },
): Promise<ProjectRow> {
  ctx.assertScope({})
  const zone = servedZone(ctx, wanted.zone)
  await checkZoneOpen(ctx, zone)
  const name = checkedName(wanted.name)
  await checkRoom(ctx)
  const projectId = ctx.newId()
  const values = { projectId, teamId: ctx.teamId, ...name, description: wanted.description ?? '', zone }
  const made = { createdBy: ctx.accountId, now: ctx.now() }
  const [row] = await insertProject(ctx.transaction('home'), { ...values, ...made }).catch(orNameTaken(name.name))
  if (!row) throw new Error('no project was made')
  const after = { name: row.name, zone }
  ctx.audit({ action: 'project.create', entity: 'project', entityId: projectId, after }, 'home')
  ctx.emit({ type: 'project.created', entity: 'project', entityId: projectId, data: after }, 'home')
  return row
}

/** Changes name and description of the revision that was read. */
export async function updateProject(
  ctx: Context,
  wanted: { projectId: string; name: string; description?: string; revision: number },
): Promise<ProjectRow> {
  const { projectId, description } = wanted
  const before = await loadForChange(ctx, projectId)
  const name = checkedName(wanted.name)
  const change = { ...name, ...(description === undefined ? {} : { description }) }
  const [row] = await ctx.home
    .update(projects)
    .set({ ...change, updatedAt: ctx.now(), revision: sql`${projects.revision} + 1` })
    .where(and(isOwn(ctx, projectId), eq(projects.revision, wanted.revision)))
    .returning()
    .catch(orNameTaken(name.name))
  if (!row) refuse(commonErrors.stale, { revision: before.revision })
  const audited = {
    before: { name: before.name, description: before.description },
    after: { name: row.name, description: row.description },
  }
  ctx.audit({ action: 'project.update', entity: 'project', entityId: projectId, ...audited }, 'home')
  ctx.emit({ type: 'project.updated', entity: 'project', entityId: projectId, data: { name: row.name } }, 'home')
  return row
}

const belongings = [
  configFiles,
  projectAgreements,
  projectApiKeys,
  projectApis,
  projectMappings,
  projectMembers,
  projectProperties,
  serviceOrders,
  teamProjects,
] as const

/** Deletes a project without apps, with everything that belongs to it: its keys stop working at once. */
export async function deleteProject(ctx: Context, projectId: string): Promise<void> {
  const before = await loadForChange(ctx, projectId)
  const { revision } = ctx.place
  if (revision !== undefined && revision !== before.revision) {
    refuse(commonErrors.stale, { revision: before.revision })
  }
  const gone = await ctx.home
    .delete(projects)
    .where(and(isOwn(ctx, projectId), eq(projects.appCount, 0)))
    .returning({ projectId: projects.projectId })
  if (gone.length === 0) refuse(contract.errors.hasApps, { apps: (await loadProject(ctx, projectId)).appCount })
  for (const table of belongings) await ctx.home.delete(table).where(eq(table.projectId, projectId))
  tellClientEnded(ctx, { clientId: '' })
  const { name, zone } = before
  ctx.audit({ action: 'project.delete', entity: 'project', entityId: projectId, before: { name, zone } }, 'home')
  ctx.emit({ type: 'project.deleted', entity: 'project', entityId: projectId, data: { name, zone } }, 'home')
}

function isOwn(ctx: Context, projectId: string) {
  return and(eq(projects.projectId, projectId), eq(projects.teamId, ctx.teamId))
}

/** The zone named, if this installation serves it; else the call's. */
export function servedZone(ctx: Context, wanted: ZoneId | undefined): ZoneId {
  const zone = wanted ?? ctx.zone
  const { zones, zonesElsewhere } = ctx.server.config
  return zones.includes(zone) || zonesElsewhere.includes(zone) ? zone : refuse(commonErrors.zoneInvalid)
}

/** Refuses a zone that the operator closed for new projects. */
export async function checkZoneOpen(ctx: Context, zone: ZoneId): Promise<void> {
  if (isZoneOpen(zone, await isFeatureOn(ctx, 'chinaSideSwitch'))) return
  throw badField('/zone', 'closed', 'China is closed for new projects here; choose another zone')
}

function checkedName(name: string): Pick<ProjectRow, 'name' | 'nameKey'> {
  const problem = nameProblem(name)
  if (problem) throw badField('/name', 'name', problem)
  return { name: projectName(name), nameKey: projectNameKey(name) }
}

/** Two that create at once take turns, so that the limit holds. */
async function checkRoom(ctx: Context): Promise<void> {
  const transaction = ctx.transaction('home')
  const lock = { name: 'projects in turns', text: 'SELECT pg_advisory_xact_lock(103, hashtext($1))' }
  await transaction.query({ ...lock, values: [ctx.teamId] })
  const [counted] = await countOfTeam(transaction, { teamId: ctx.teamId })
  const limit = projectLimits.projectsOfTeam
  if ((counted?.projects ?? 0) >= limit) refuse(contract.errors.tooManyProjects, { limit })
}

function orNameTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'projects_name')) refuse(contract.errors.nameTaken, { name })
    throw error
  }
}
