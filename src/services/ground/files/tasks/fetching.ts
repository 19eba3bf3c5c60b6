import { randomUUID } from 'node:crypto'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { OutsideAnswer } from '../../../../server/outbound.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import type { JobKind, JobRun } from '../../../../server/work.ts'
import { examine, intoEngine, orDiscard } from '../arrival.ts'
import { type FileRow, folderOf, loadObject, noSuchObject, pinBytes } from '../queries.ts'
import { type BizTag, bizTagOf, bizTagRules, extensionOf, fileStates, safeFileName } from '../rules.ts'
import { fileObjects } from '../tables.ts'
import { becomeStored } from '../uploads/signed-put.ts'
import { fileTasks } from './contract.ts'
import { counted } from './counted.ts'
import { beginTask, endTask, failTask, jobKinds } from './keeping.ts'
import { taskLimits } from './rules.ts'

interface Wanted {
  url: string
  fileName?: string
  bizTag?: BizTag
  sha256?: string
}

/** Makes the object that the fetch will fill, and the task. */
export async function beginFetch(ctx: Context, wanted: Wanted): Promise<string> {
  const url = checkedAddress(ctx, wanted.url)
  await checkRoom(ctx)
  const fileName = safeFileName(wanted.fileName ?? lastOf(url))
  const bizTag = wanted.bizTag ?? bizTagOf(fileName)
  const objectId = `${folderOf(ctx)}/${randomUUID()}.${extensionOf(fileName)}`
  const now = ctx.now()
  await ctx.db.insert(fileObjects).values({
    objectId,
    teamId: ctx.teamId,
    bizTag,
    fileName,
    sizeBytes: 0,
    sha256: wanted.sha256 ?? null,
    state: 'INIT',
    createdBy: ctx.caller.accountId,
    createdAt: now,
    updatedAt: now,
    expireAt: now + taskLimits.fetchMs,
  })
  ctx.audit({ action: 'file.fetch', entity: 'file', entityId: objectId, after: { host: url.host, bizTag } })
  const input = { url: url.href, objectId }
  return beginTask(ctx, { kind: 'fetch', objectIds: [objectId], input, deadlineMs: taskLimits.fetchMs })
}

function checkedAddress(ctx: Context, text: string): URL {
  try {
    return ctx.server.outbound.check(text)
  } catch (error) {
    throw badField('/url', 'address', (error as Error).message)
  }
}

function lastOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) || 'file'
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

async function checkRoom(ctx: Context): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  await transaction.query('SELECT pg_advisory_xact_lock(102, hashtext($1))', [ctx.teamId])
  const { rows } = await transaction.query<{ open: number }>({
    text: `SELECT count(*)::int AS open FROM file_tasks WHERE team_id = $1 AND kind = 'fetch' AND state = 'RUNNING'`,
    values: [ctx.teamId],
  })
  const limit = taskLimits.fetchesOfTeam
  if ((rows[0]?.open ?? 0) >= limit) refuse(fileTasks.errors.tooManyFetches, { limit })
}

async function run(ctx: Context, job: JobRun): Promise<void> {
  const { url, objectId } = job.input as { url: string; objectId: string }
  const row = await ctx.transact(inner => loadObject(inner, objectId, fileStates))
  if (row.state !== 'INIT') return
  try {
    const answer = await ask(ctx, url, row, job)
    await take(ctx, job, row, answer)
  } catch (error) {
    const why = toRefusal(error)
    if (!why) throw error
    await ctx.transact(async inner => {
      await dropObject(inner, row)
      await failTask(inner, job.jobId, why)
    })
  }
}

async function ask(ctx: Context, url: string, row: FileRow, { signal }: JobRun): Promise<OutsideAnswer> {
  const { limitBytes } = bizTagRules[row.bizTag]
  const answer = await ctx.server.outbound.fetch(url, { limitBytes, timeoutMs: taskLimits.fetchMs, signal })
  const announced = Number(answer.headers['content-length'] ?? 0)
  const problem =
    answer.status !== 200
      ? new Refusal(fileTasks.errors.statusOfOther, { found: answer.status })
      : announced > limitBytes
        ? new Refusal(commonErrors.tooLarge, { limitBytes })
        : null
  if (!problem) return answer
  answer.body.on('error', () => undefined).destroy()
  throw problem
}

async function take(ctx: Context, job: JobRun, row: FileRow, answer: OutsideAnswer): Promise<void> {
  const stream = counted(answer.body, Number(answer.headers['content-length'] ?? 0), percent =>
    job.progress('fetching', percent).catch(() => undefined),
  )
  const options = { limitBytes: bizTagRules[row.bizTag].limitBytes, signal: job.signal }
  const stored = await intoEngine(ctx, stream, { ...options, ...(row.sha256 ? { sha256: row.sha256 } : {}) }).catch(
    error => {
      stream.on('error', () => undefined).destroy()
      throw stream.errored ?? error
    },
  )
  stream.destroy()
  await orDiscard(ctx, stored.sha256, async () => {
    const content = await examine(ctx, stored, row.bizTag)
    await ctx.transact(async inner => {
      await pinBytes(inner, stored.sha256)
      const arrived = await becomeStored(inner, row, { ...stored, ...content })
      if (!arrived) noSuchObject(row.objectId)
      await endTask(inner, job.jobId, {})
    })
  })
}

async function dropObject(ctx: Context, row: FileRow): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `UPDATE file_objects SET state = 'DELETED', updated_at = $2, revision = revision + 1
      WHERE object_id = $1 AND state = 'INIT'`,
    values: [row.objectId, ctx.now()],
  })
}

/** What people are told; null for what may go better when it is tried again. */
function toRefusal(error: unknown): Refusal | null {
  if (error instanceof OutsideError) return new Refusal(fileTasks.errors.fetchFailed, { reason: error.message })
  return error instanceof Refusal && error.status < 500 ? error : null
}

export const fetchJob: JobKind = {
  kind: jobKinds.fetch,
  run,
  giveUp: async (ctx, job) => {
    await ctx.transact(async inner => {
      const { objectId } = job.input as { objectId: string }
      await dropObject(inner, await loadObject(inner, objectId, fileStates))
      await failTask(inner, job.jobId, fileTasks.errors.storeFailed)
    })
  },
}
