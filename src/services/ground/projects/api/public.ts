import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { projects } from '../tables.home.ts'

/** The alliance of stores that a project of the caller's team stands in; null where it stands in none. For who reaches an app of it. */
export async function allianceOfProject(ctx: Context, projectId: string): Promise<string | null> {
  const [row] = await ctx.home
    .select({ alliance: projects.alliance })
    .from(projects)
    .where(and(eq(projects.projectId, projectId), eq(projects.teamId, ctx.teamId)))
  return row?.alliance?.isMember ? row.alliance.allianceName : null
}
