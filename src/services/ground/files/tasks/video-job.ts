import type { Context } from '../../../../server/context.ts'
import type { JobKind, JobRun } from '../../../../server/work.ts'
import { loadObject } from '../queries.ts'
import { fileTasks } from './contract.ts'
import { beginTask, endTask, failTask, jobKinds } from './keeping.ts'
import { taskLimits } from './rules.ts'
import { readVideo } from './video.ts'

export async function beginVideo(ctx: Context, objectId: string): Promise<string> {
  await loadObject(ctx, objectId)
  const input = { objectId }
  return beginTask(ctx, { kind: 'video', objectIds: [objectId], input, deadlineMs: taskLimits.videoMs })
}

async function run(ctx: Context, job: JobRun): Promise<void> {
  const { objectId } = job.input as { objectId: string }
  const row = await ctx.transact(inner => loadObject(inner, objectId))
  const local = await ctx.server.bytes(ctx.zone).localFile(row.sha256 ?? '')
  try {
    await job.progress('reading', 10)
    const facts = await readVideo(local.path, row.sizeBytes, job.signal).catch(() => null)
    await ctx.transact(async inner => {
      if (!facts) return failTask(inner, job.jobId, fileTasks.errors.noVideo)
      await inner.transaction(inner.zone).query({
        text: 'UPDATE file_objects SET width = $2, height = $3 WHERE object_id = $1',
        values: [objectId, facts.width, facts.height],
      })
      await endTask(inner, job.jobId, facts)
    })
  } finally {
    await local.release()
  }
}

export const videoJob: JobKind = {
  kind: jobKinds.video,
  run,
  giveUp: async (ctx, job) => {
    await ctx.transact(inner => failTask(inner, job.jobId, fileTasks.errors.taskFailed))
  },
}
