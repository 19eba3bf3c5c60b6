import { and, asc, eq, gt, ilike, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { Context } from '../../../server/context.ts'
import type { Listener } from '../../../server/work.ts'
import { hashOfKey } from './api/keys.ts'
import { type KeyUse, keyProblem } from './api/rules.ts'
import { openClientSecret } from './config-files/app-client.ts'
import { configFiles, projects } from './tables.home.ts'

/** A project as other services need it. */
export interface ProjectSummary {
  projectId: string
  teamId: string
  name: string
  /** Where the project's data stays. */
  zone: ZoneId
  revision: number
  /** Read-only, made to be looked at. */
  isDemo: boolean
}

const columns = {
  projectId: projects.projectId,
  teamId: projects.teamId,
  name: projects.name,
  zone: projects.zone,
  revision: projects.revision,
  isDemo: projects.isDemo,
}

/** One project of the caller's team; staff and workers without a team reach any. Refuses 404. */
export async function projectOf(ctx: Context, projectId: string): Promise<ProjectSummary> {
  const [project] = await projectsOf(ctx, [projectId])
  return project ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
}

/** Those of the projects that the caller's team owns, in no order; the others are left out. */
export async function projectsOf(ctx: Context, projectIds: readonly string[]): Promise<ProjectSummary[]> {
  if (projectIds.length === 0) return []
  const { teamId } = ctx.place
  return ctx.home
    .select(columns)
    .from(projects)
    .where(
      and(
        inArray(projects.projectId, [...projectIds]),
        teamId === null ? undefined : eq(projects.teamId, teamId),
        ctx.withinScope({ projectId: projects.projectId }),
      ),
    )
}

/** The projects of the caller's team within his scope, by a part of the name, the oldest first, behind `after`. */
export async function projectsFound(
  ctx: Context,
  wanted: { search?: string; after?: string; limit: number },
): Promise<{ total: number; list: ProjectSummary[] }> {
  const like = `%${(wanted.search ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`
  const meant = and(
    eq(projects.teamId, ctx.teamId),
    ctx.withinScope({ projectId: projects.projectId }),
    wanted.search?.trim() ? ilike(projects.name, like) : undefined,
  )
  const list = await ctx.home
    .select(columns)
    .from(projects)
    .where(and(meant, wanted.after ? gt(projects.projectId, wanted.after) : undefined))
    .orderBy(asc(projects.projectId))
    .limit(wanted.limit)
  return { total: await ctx.home.$count(projects, meant), list }
}

/** The demo project of the team in the zone of the call, made when there is none. Its name is nobody's else. */
export async function foundDemoProject(ctx: Context, name: string, createdBy: string): Promise<ProjectSummary> {
  const projectId = ctx.newId()
  const now = ctx.now()
  const made = await ctx.home
    .insert(projects)
    .values({
      projectId,
      teamId: ctx.teamId,
      name,
      nameKey: `demo:${ctx.zone}`,
      zone: ctx.zone,
      isDemo: true,
      createdBy,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning(columns)
  if (made[0]) {
    ctx.audit(
      { action: 'project.create', entity: 'project', entityId: projectId, after: { name, isDemo: true } },
      'home',
    )
    const data = { name, zone: ctx.zone }
    ctx.emit({ type: 'project.created', entity: 'project', entityId: projectId, data }, 'home')
    return made[0]
  }
  return (await demoProjectOf(ctx)) ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
}

/** The demo project of the team in the zone of the call, or null. */
export async function demoProjectOf(ctx: Context): Promise<ProjectSummary | null> {
  const isOwn = and(eq(projects.teamId, ctx.teamId), eq(projects.zone, ctx.zone), eq(projects.isDemo, true))
  const [project] = await ctx.home.select(columns).from(projects).where(isOwn)
  return project ?? null
}

/** Whose a key is and what it opens, or null for one that is unknown, off, over or not for this use. Knows the key before a rotation for a day. */
export async function projectOfKey(
  ctx: Context,
  apiKey: string,
  use: KeyUse,
): Promise<{ projectId: string; teamId: string; keyId: string } | null> {
  const { rows } = await ctx.transaction('home').query<KeyFound>({
    name: 'project of key',
    text: `SELECT k.project_id AS "projectId", k.team_id AS "teamId", k.key_id AS "keyId", k.apis,
        k.package_names AS "packageNames"
      FROM project_api_keys k JOIN project_apis a ON a.project_id = k.project_id AND a.api_id = $2
      WHERE (k.key_hash = $1 OR (k.former_hash = $1 AND k.former_until > $3))
        AND k.state = 'ACTIVE' AND (k.expire_at IS NULL OR k.expire_at > $3)`,
    values: [hashOfKey(apiKey), use.apiId, ctx.now()],
  })
  const [key] = rows
  if (!key || keyProblem(key, use) !== null) return null
  const { projectId, teamId, keyId } = key
  return { projectId, teamId, keyId }
}

interface KeyFound {
  projectId: string
  teamId: string
  keyId: string
  apis: string[]
  packageNames: string[]
}

/** A client as an app's configuration file hands it out, or null when there is no such file. Of any team: the scope of rows must reach it. */
export async function appClientOf(
  ctx: Context,
  clientId: string,
): Promise<{
  clientId: string
  clientSecret: string
  projectId: string
  teamId: string
  appId: string
  zone: ZoneId
} | null> {
  if (!/^[1-9][0-9]{0,18}$/.test(clientId)) return null
  const [found] = await ctx.home
    .select({ file: configFiles, zone: projects.zone })
    .from(configFiles)
    .innerJoin(projects, eq(projects.projectId, configFiles.projectId))
    .where(eq(configFiles.clientId, clientId))
  if (!found) return null
  const { projectId, teamId, appId } = found.file
  const clientSecret = openClientSecret(ctx.server.masterKey, found.file)
  return { clientId, clientSecret, projectId, teamId, appId, zone: found.zone }
}

/** Whether a service is on in a project; services ask before they work for it. */
export async function isServiceEnabled(ctx: Context, projectId: string, serviceId: string): Promise<boolean> {
  const { rows } = await ctx.transaction('home').query({
    name: 'is service enabled',
    text: `SELECT 1 FROM service_orders WHERE project_id = $1 AND service_id = $2 AND state = 'ENABLED'`,
    values: [projectId, serviceId],
  })
  return rows.length > 0
}

/**
 * A listener that forgets what a service keeps of a project once that is deleted, in the zone of its data: in a
 * transaction of its own, and perhaps twice.
 */
export function atProjectEnd(name: string, forget: (there: Context, projectId: string) => Promise<void>): Listener {
  return {
    name,
    on: ['project.deleted'],
    run: async (ctx, event) => {
      const zone = ctx.server.config.zones.find(one => one === event.data['zone'])
      if (!zone) return
      const there = new Context(ctx.server, { ...ctx.place, zone, scope: 'all' })
      await there.transact(inner => forget(inner, event.entityId))
    },
  }
}
