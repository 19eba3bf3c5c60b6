import type { Context } from '../../../../server/context.ts'
import type { Event } from '../../../../server/work.ts'

/**
 * A user of an app is gone: with `eraseData` the calls that were made for it go, too, with what they said and answered. One
 * that runs is not tried again, and nothing of it is kept but that it ran.
 */
export async function forgetUser(ctx: Context, event: Event): Promise<void> {
  const { projectId, uid, eraseData } = event.data as { projectId: string; uid: string; eraseData: boolean }
  if (!eraseData) return
  const run = ctx.transaction(ctx.zone)
  const isTheirs = `function_id IN (SELECT function_id FROM fn_functions WHERE project_id = $1) AND caller ->> 'uid' = $2`
  await run.query({
    text: `UPDATE fn_async SET payload = 'null', caller = NULL, max_retry = 0 WHERE ${isTheirs} AND state = 'RUNNING'`,
    values: [projectId, uid],
  })
  await run.query({
    text: `WITH gone AS (DELETE FROM fn_async WHERE ${isTheirs} RETURNING request_id)
      DELETE FROM fn_async_attempts WHERE request_id IN (SELECT request_id FROM gone)`,
    values: [projectId, uid],
  })
}
