import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { siteOfZone, type ZoneId, zoneIds } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { isFeatureOn } from '../../menu/public.ts'
import { assertRecentAuthentication } from '../../session/public.ts'
import { checkZoneOpen, servedZone } from '../life.ts'
import { loadForChange, loadProject, type ProjectRow } from '../queries.ts'
import { projectAgreements, projects, regionChanges, serviceOrders } from '../tables.home.ts'
import { projectRegion as contract } from './contract.ts'
import { type Holding, type Outlook, outlookIn } from './outlook.ts'
import { changeLifeMs } from './rules.ts'

const handlers: Handlers<typeof contract> = {
  getRegion: async (ctx, { query }) => regionOf(ctx, await loadProject(ctx, query.projectId)),

  setRegion: async (ctx, { body }) => {
    const { project, outlook } = await prepare(ctx, body.projectId, body.zone)
    if (outlook.consequences.length > 0) refuse(contract.errors.needsEndorsement, { ...outlook })
    return regionOf(ctx, await move(ctx, project, body.zone, body.revision))
  },

  verifyChange: async (ctx, { body }) => {
    const { project, outlook } = await prepare(ctx, body.projectId, body.zone)
    await assertRecentAuthentication(ctx)
    const now = ctx.now()
    const change = { fromZone: project.zone, toZone: body.zone }
    const row = {
      changeId: ctx.newId(),
      projectId: project.projectId,
      teamId: ctx.teamId,
      ...change,
      endorsedBy: ctx.accountId,
      endorsedAt: now,
      expireAt: now + changeLifeMs,
    }
    await ctx.home.insert(regionChanges).values(row)
    ctx.audit(
      { action: 'project.region.verified', entity: 'project', entityId: project.projectId, after: change },
      'home',
    )
    return { ticket: row.changeId, expireAt: row.expireAt, ...change, ...told(outlook) }
  },

  changeRegion: async (ctx, { body }) => {
    const { project, outlook } = await prepare(ctx, body.projectId, body.zone)
    const missing = outlook.consequences.filter(one => !body.acknowledged.includes(one.kind)).map(one => one.kind)
    if (missing.length > 0) refuse(contract.errors.notAcknowledged, { what: missing })
    await useTicket(ctx, project, body)
    const moved = await move(ctx, project, body.zone, body.revision)
    await endWhatCannotFollow(ctx, project.projectId, outlook.endedServices)
    return regionOf(ctx, moved)
  },
}

export default implement(contract, handlers)

/** The project held still, and what the change would mean. Refuses what cannot be at all. */
async function prepare(ctx: Context, projectId: string, wanted: ZoneId) {
  await loadForChange(ctx, projectId)
  await ctx.transaction('home').query('SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE', [projectId])
  const project = await loadForChange(ctx, projectId)
  const { zone } = project
  servedZone(ctx, wanted)
  if (zone === wanted) refuse(contract.errors.sameZone, { zone })
  await checkZoneOpen(ctx, wanted)
  const outlook = outlookIn(wanted, ctx.server.config.zones, await holdingOf(ctx, project))
  if (outlook.obstacle === 'apps') refuse(contract.errors.zoneHasApps, { apps: project.appCount, zone, wanted })
  return { project, outlook }
}

async function holdingOf(ctx: Context, { projectId, appCount }: ProjectRow): Promise<Holding> {
  const { rows } = await ctx.transaction('home').query<Omit<Holding, 'apps' | 'isChinaOn'>>({
    name: 'what a project holds',
    text: `SELECT ARRAY(SELECT service_id FROM service_orders WHERE project_id = $1 AND state = 'ENABLED') AS enabled,
      (SELECT count(*)::int FROM config_files WHERE project_id = $1) AS "configFiles",
      (SELECT count(*)::int FROM project_agreements WHERE project_id = $1) AS agreements`,
    values: [projectId],
  })
  const isChinaOn = await isFeatureOn(ctx, 'chinaSideSwitch')
  return { enabled: [], configFiles: 0, agreements: 0, ...rows[0], apps: appCount, isChinaOn }
}

async function move(ctx: Context, before: ProjectRow, zone: ZoneId, revision: number): Promise<ProjectRow> {
  const { projectId } = before
  const [project] = await ctx.home
    .update(projects)
    .set({ zone, updatedAt: ctx.now(), revision: sql`${projects.revision} + 1` })
    .where(
      and(
        eq(projects.projectId, projectId),
        eq(projects.teamId, ctx.teamId),
        eq(projects.revision, revision),
        eq(projects.appCount, 0),
      ),
    )
    .returning()
  if (!project) refuse(commonErrors.stale, { revision: before.revision })
  const change = { before: { zone: before.zone }, after: { zone } }
  ctx.audit({ action: 'project.region', entity: 'project', entityId: projectId, ...change }, 'home')
  const data = { from: before.zone, to: zone }
  ctx.emit({ type: 'project.region_changed', entity: 'project', entityId: projectId, data }, 'home')
  return project
}

/** Agreements are of a place of data, so they are asked for anew; services that are not offered there end. */
async function endWhatCannotFollow(ctx: Context, projectId: string, serviceIds: readonly string[]): Promise<void> {
  const ofProject = and(eq(projectAgreements.projectId, projectId), eq(projectAgreements.teamId, ctx.teamId))
  await ctx.home.delete(projectAgreements).where(ofProject)
  if (serviceIds.length === 0) return
  await ctx.home
    .update(serviceOrders)
    .set({ state: 'DISABLED', updatedAt: ctx.now(), revision: sql`${serviceOrders.revision} + 1` })
    .where(and(eq(serviceOrders.projectId, projectId), inArray(serviceOrders.serviceId, [...serviceIds])))
}

async function useTicket(ctx: Context, project: ProjectRow, wanted: { ticket: string; zone: ZoneId }): Promise<void> {
  const used = await ctx.home
    .update(regionChanges)
    .set({ doneAt: ctx.now() })
    .where(
      and(
        eq(regionChanges.changeId, wanted.ticket),
        eq(regionChanges.projectId, project.projectId),
        eq(regionChanges.teamId, ctx.teamId),
        eq(regionChanges.endorsedBy, ctx.accountId),
        eq(regionChanges.fromZone, project.zone),
        eq(regionChanges.toZone, wanted.zone),
        isNull(regionChanges.doneAt),
        gt(regionChanges.expireAt, ctx.now()),
      ),
    )
    .returning({ changeId: regionChanges.changeId })
  if (used.length === 0) refuse(contract.errors.ticketInvalid)
}

async function regionOf(ctx: Context, project: ProjectRow) {
  const { projectId, zone, revision } = project
  const holding = await holdingOf(ctx, project)
  const served = ctx.server.config.zones
  const [last] = await ctx.home
    .select()
    .from(regionChanges)
    .where(and(eq(regionChanges.projectId, projectId), isNotNull(regionChanges.doneAt)))
    .orderBy(desc(regionChanges.doneAt))
    .limit(1)
  const choices = zoneIds.map(one => {
    const isCurrent = one === zone
    const outlook: Outlook = isCurrent
      ? { obstacle: null, consequences: [], endedServices: [] }
      : outlookIn(one, served, holding)
    return { zone: one, siteId: siteOfZone(one), isCurrent, obstacle: outlook.obstacle, ...told(outlook) }
  })
  const lastChange = last
    ? { fromZone: last.fromZone, toZone: last.toZone, by: last.endorsedBy, at: last.doneAt ?? 0 }
    : null
  return { projectId, zone, siteId: siteOfZone(zone), revision, choices, lastChange }
}

const told = ({ consequences, endedServices }: Outlook) => ({ consequences, endedServices })
