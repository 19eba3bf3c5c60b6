import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../session/public.ts'
import { projectMembers } from '../tables.home.ts'
import type { ProjectRole } from './rules.ts'

export type MemberRow = typeof projectMembers.$inferSelect

export function isOfProject(ctx: Context, projectId: string) {
  return and(eq(projectMembers.projectId, projectId), eq(projectMembers.teamId, ctx.teamId))
}

/** The people of a project with their names, owners first. */
export async function peopleOf(ctx: Context, projectId: string) {
  const rows = await ctx.home
    .select()
    .from(projectMembers)
    .where(isOfProject(ctx, projectId))
    .orderBy(asc(projectMembers.addedAt), asc(projectMembers.accountId))
  return withNames(ctx, rows)
}

export async function withNames(ctx: Context, rows: readonly MemberRow[]) {
  const accounts = await accountsOf(
    ctx,
    rows.map(row => row.accountId),
  )
  const names = new Map(accounts.map(account => [account.accountId, account.name]))
  return rows.map(row => ({ ...row, name: names.get(row.accountId) ?? '' }))
}

/** How many people each project has, and what the caller is in it. */
export async function partsIn(ctx: Context, projectIds: readonly string[]) {
  const rows = await ctx.home
    .select({ projectId: projectMembers.projectId, accountId: projectMembers.accountId, role: projectMembers.role })
    .from(projectMembers)
    .where(and(inArray(projectMembers.projectId, [...projectIds]), eq(projectMembers.teamId, ctx.teamId)))
  return (projectId: string): { memberCount: number; role: ProjectRole | null } => {
    const own = rows.filter(row => row.projectId === projectId)
    return { memberCount: own.length, role: own.find(row => row.accountId === ctx.accountId)?.role ?? null }
  }
}
