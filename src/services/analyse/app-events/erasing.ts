import type { Context } from '../../../server/context.ts'
import { segmentName } from '../../../server/engines/analytics/analytics.ts'
import { analyticsQuery } from '../../../server/engines/analytics/ask.ts'
import type { JobRun } from '../../../server/work.ts'
import { replace } from './compacting.ts'
import { sealProject, segmentsBetween } from './sealing.ts'

export const eraseJob = 'appEvents.eraseUnit'

/** Takes everything of one unit out of the buffer and out of every file; files without them are not written anew. */
export async function eraseUnit(ctx: Context, job: JobRun): Promise<void> {
  const projectId = String(job.input['projectId'])
  const unit = String(job.input['unit'])
  await sealProject(ctx.server, ctx.zone, projectId)
  for (;;) {
    job.signal.throwIfAborted()
    const segments = await ctx.transact(inner => segmentsBetween(inner, projectId, 0, Number.MAX_SAFE_INTEGER))
    let isEach = true
    for (const [at, segment] of segments.entries()) {
      job.signal.throwIfAborted()
      await job.progress(`files ${at}`, Math.floor((100 * at) / segments.length))
      const [found] = await analyticsQuery(ctx.server, {
        sql: 'SELECT 1 FROM read_parquet($files) WHERE unit = $unit LIMIT 1',
        parameters: { unit },
        files: [segmentName(ctx.zone, segment.sha256)],
      })
      if (!found) continue
      const wish = { where: 'unit <> $unit', parameters: { unit }, dropAfterMs: 0 }
      isEach = (await replace(ctx, projectId, [segment], wish)) && isEach
    }
    // A file that was made of others meanwhile has them still.
    if (isEach) return
  }
}
