import { and, eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { projects } from './tables.home.ts'

/** A project as other services need it. */
export interface ProjectSummary {
  projectId: string
  teamId: string
  name: string
  /** Where the project's data stays. */
  zone: ZoneId
  revision: number
}

const columns = {
  projectId: projects.projectId,
  teamId: projects.teamId,
  name: projects.name,
  zone: projects.zone,
  revision: projects.revision,
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
    .where(and(inArray(projects.projectId, [...projectIds]), teamId === null ? undefined : eq(projects.teamId, teamId)))
}
