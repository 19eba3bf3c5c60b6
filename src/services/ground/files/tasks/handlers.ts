import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { loadObject, withBytes } from '../queries.ts'
import { bizTagOf, fileStates } from '../rules.ts'
import { fileChecks } from '../tables.ts'
import { uploadedAnswer } from '../uploaded.ts'
import { beginCheck, type ItemResult, type ObjectResult } from './checking.ts'
import { fileTasks as contract } from './contract.ts'
import { beginFetch } from './fetching.ts'
import { checkItems } from './items.ts'
import { taskAfter, taskFacts } from './keeping.ts'
import type { VideoFacts } from './video.ts'
import { beginVideo } from './video-job.ts'

/** How long a call that begins work waits for it, so that what is small is answered at once. */
const usualWaitSeconds = 3

const handlers: Handlers<typeof contract> = {
  fetchByUrl: async (ctx, { body }) => {
    const { waitSeconds = usualWaitSeconds, ...wanted } = body
    return fetched(ctx, await ctx.transact(inner => beginFetch(inner, wanted)), waitSeconds)
  },
  getFetched: (ctx, { query }) => fetched(ctx, query.taskId, query.waitSeconds ?? 0),

  startCheck: async (ctx, { body }) => {
    const taskId = await ctx.transact(inner => beginCheck(inner, body.objectIds))
    return checked(ctx, taskId, body.waitSeconds ?? 0)
  },
  getChecked: (ctx, { query }) => checked(ctx, query.taskId, query.waitSeconds ?? 0),

  parseVideo: async (ctx, { body }) => {
    const taskId = await ctx.transact(inner => beginVideo(inner, body.objectId))
    return parsed(ctx, taskId, body.waitSeconds ?? 0)
  },
  getVideo: (ctx, { query }) => parsed(ctx, query.taskId, query.waitSeconds ?? 0),

  listCheckItems: async () => ({
    list: checkItems.map(item => ({ ...item, appliesTo: item.appliesTo && [...item.appliesTo] })),
  }),

  getCheckDetails: async (ctx, { query }) => {
    const { objectId } = await loadObject(ctx, query.objectId)
    const [check] = await ctx.db.select().from(fileChecks).where(eq(fileChecks.objectId, objectId))
    return {
      objectId,
      checkState: check?.verdict ?? null,
      checkedAt: check?.checkedAt ?? null,
      taskId: check?.taskId ?? null,
      items: (check?.items ?? []) as ItemResult[],
    }
  },
}

export default implement(contract, handlers)

async function fetched(ctx: Context, taskId: string, waitSeconds: number) {
  const task = await taskAfter(ctx, 'fetch', taskId, waitSeconds)
  const [objectId = ''] = task.objectIds
  const row = await ctx.transact(inner => loadObject(inner, objectId, fileStates)).catch(() => null)
  const isHere = row !== null && withBytes.includes(row.state)
  const { urlsInfo, othersInfo } = isHere
    ? uploadedAnswer(ctx, row)
    : { urlsInfo: [], othersInfo: { bizTag: row?.bizTag ?? bizTagOf(objectId), expireAt: null } }
  return { ...taskFacts(task), objectId, urlsInfo, othersInfo }
}

async function checked(ctx: Context, taskId: string, waitSeconds: number) {
  const task = await taskAfter(ctx, 'check', taskId, waitSeconds)
  return { ...taskFacts(task), results: (task.result ?? []) as ObjectResult[] }
}

const unknown: VideoFacts = {
  width: null,
  height: null,
  durationMs: null,
  container: null,
  codec: null,
  audioCodec: null,
  bitRate: null,
  frameRate: null,
  rotation: null,
}

async function parsed(ctx: Context, taskId: string, waitSeconds: number) {
  const task = await taskAfter(ctx, 'video', taskId, waitSeconds)
  const facts = (task.result ?? unknown) as VideoFacts
  return { ...taskFacts(task), objectId: task.objectIds[0] ?? '', ...facts, frameObjectIds: [] }
}
