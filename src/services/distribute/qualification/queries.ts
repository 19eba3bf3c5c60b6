import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { appInScope } from '../apps/public.ts'
import { qualificationTasks as tasks } from './tables.ts'

export type TaskRecord = typeof tasks.$inferSelect

/** Rows the caller may see: the team's own within the scope for a user, all for staff and workers. */
export function mine(ctx: Context) {
  const isOfTeam = ctx.caller.kind === 'user' && ctx.place.teamId !== null
  return isOfTeam ? and(eq(tasks.teamId, ctx.teamId), appInScope(ctx, tasks.appId)) : undefined
}

/** Refuses 404 for another team's. */
export async function loadTask(ctx: Context, taskId: string, lock?: 'update'): Promise<TaskRecord> {
  const query = ctx.db
    .select()
    .from(tasks)
    .where(and(eq(tasks.taskId, taskId), mine(ctx)))
  const [row] = await (lock ? query.for(lock) : query)
  return row ?? refuse(commonErrors.notFound, { entity: 'qualification task', id: taskId })
}
