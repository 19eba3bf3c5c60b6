import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { fileTypeFromFile } from 'file-type'
import type { Context } from '../../../../server/context.ts'
import type { JobKind, JobRun } from '../../../../server/work.ts'
import { type FileRow, loadObject, loadObjects } from '../queries.ts'
import { extensionOf } from '../rules.ts'
import { fileTasks } from './contract.ts'
import { type CheckItemId, itemsFor, judgeKind } from './items.ts'
import { beginTask, endTask, failTask, jobKinds } from './keeping.ts'
import { readPicture } from './picture.ts'
import { taskLimits, type Verdict, worstOf } from './rules.ts'
import { readVideo } from './video.ts'

export interface ItemResult {
  itemId: CheckItemId
  verdict: Verdict
  message: string
}

export interface ObjectResult {
  objectId: string
  result: Verdict
  items: ItemResult[]
}

/** Begins a check of objects that are all there. */
export async function beginCheck(ctx: Context, objectIds: string[]): Promise<string> {
  const found = new Set((await loadObjects(ctx, objectIds)).map(row => row.objectId))
  for (const objectId of objectIds) if (!found.has(objectId)) await loadObject(ctx, objectId)
  const input = { objectIds }
  return beginTask(ctx, { kind: 'check', objectIds, input, deadlineMs: taskLimits.checkMs })
}

async function run(ctx: Context, job: JobRun): Promise<void> {
  const { objectIds } = job.input as { objectIds: string[] }
  const rows = await ctx.transact(inner => loadObjects(inner, objectIds))
  const results: ObjectResult[] = []
  for (const objectId of objectIds) {
    await job.progress('checking', Math.floor((results.length * 100) / objectIds.length))
    const row = rows.find(one => one.objectId === objectId)
    const items = row ? await checkOne(ctx, row, job.signal) : [gone]
    results.push({ objectId, result: worstOf(items.map(item => item.verdict)), items })
  }
  await ctx.transact(async inner => {
    await keepResults(inner, job.jobId, results)
    await endTask(inner, job.jobId, results)
  })
}

const gone: ItemResult = { itemId: 'digest', verdict: 'ERROR', message: 'the file was deleted meanwhile' }

async function checkOne(ctx: Context, row: FileRow, signal: AbortSignal): Promise<ItemResult[]> {
  const local = await ctx.server.bytes(ctx.zone).localFile(row.sha256 ?? '')
  try {
    const file: Local = { path: local.path, row, signal, scan: undefined }
    const items: ItemResult[] = []
    for (const itemId of itemsFor(row.bizTag)) {
      signal.throwIfAborted()
      items.push({ itemId, ...(await checkers[itemId](file)) })
    }
    return items
  } finally {
    await local.release()
  }
}

interface Local {
  path: string
  row: FileRow
  signal: AbortSignal
  /** One reading of the bytes serves digest and malware. */
  scan: Promise<Scan> | undefined
}

type Finding = { verdict: Verdict; message: string }

const checkers: Readonly<Record<CheckItemId, (file: Local) => Promise<Finding>>> = {
  digest: async file => {
    const { sha256 } = await scanOnce(file)
    const isWhole = sha256 === file.row.sha256
    return isWhole
      ? { verdict: 'PASS', message: `sha256 ${sha256}` }
      : { verdict: 'REJECT', message: `the bytes have the sha256 ${sha256} now` }
  },

  kind: async ({ path, row }) => {
    const found = await fileTypeFromFile(path)
    return judgeKind(found?.mime ?? null, extensionOf(row.fileName), row.bizTag)
  },

  image: async ({ path }) => {
    try {
      const { width, height, isAnimated, hasExif } = await readPicture(path)
      if (isAnimated) return { verdict: 'REJECT', message: 'is animated' }
      const exif = hasExif ? '; its EXIF data is left out where the public sees it' : ''
      return { verdict: 'PASS', message: `${width} x ${height} pixels${exif}` }
    } catch (error) {
      return { verdict: 'REJECT', message: `cannot be decoded: ${plain(error)}` }
    }
  },

  video: async ({ path, row, signal }) => {
    const facts = await readVideo(path, row.sizeBytes, signal).catch(() => null)
    if (!facts?.width || !facts.height || !facts.durationMs) return { verdict: 'REJECT', message: 'has no video track' }
    const seconds = (facts.durationMs / 1000).toFixed(1)
    return { verdict: 'PASS', message: `${facts.width} x ${facts.height}, ${seconds} s, ${facts.codec}` }
  },

  malware: async file => {
    const { hasTestSignature } = await scanOnce(file)
    return hasTestSignature
      ? { verdict: 'REJECT', message: 'contains the EICAR test signature' }
      : { verdict: 'PASS', message: 'no known signature' }
  },
}

interface Scan {
  sha256: string
  hasTestSignature: boolean
}

/** The signature of EICAR, put together here so that no scanner takes this file for one. */
const testSignature = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

function scanOnce(file: Local): Promise<Scan> {
  file.scan ??= scan(file.path)
  return file.scan
}

async function scan(path: string): Promise<Scan> {
  const hash = createHash('sha256')
  let tail = Buffer.alloc(0)
  let hasTestSignature = false
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    const seam = Buffer.concat([tail, chunk.subarray(0, testSignature.length)])
    hasTestSignature ||= chunk.includes(testSignature) || seam.includes(testSignature)
    tail = Buffer.concat([tail, chunk]).subarray(-testSignature.length)
  }
  return { sha256: hash.digest('hex'), hasTestSignature }
}

/** The first line of what a decoder says, without a path. */
function plain(error: unknown): string {
  return ((error as Error).message.split('\n')[0] ?? '').replace(/\S*\/\S*/g, 'the file').slice(0, 200)
}

async function keepResults(ctx: Context, taskId: string, results: readonly ObjectResult[]): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ objectId: string; teamId: string; verdict: Verdict }>({
    text: `INSERT INTO file_checks (object_id, team_id, task_id, verdict, items, checked_at)
      SELECT f.object_id, f.team_id, $1, r.result, r.items, $2
      FROM jsonb_to_recordset($3::jsonb) AS r("objectId" text, result text, items jsonb)
      JOIN file_objects f ON f.object_id = r."objectId"
      ON CONFLICT (object_id) DO UPDATE SET task_id = excluded.task_id, verdict = excluded.verdict,
        items = excluded.items, checked_at = excluded.checked_at
      RETURNING object_id AS "objectId", team_id AS "teamId", verdict`,
    values: [taskId, ctx.now(), JSON.stringify(results)],
  })
  for (const { objectId, teamId, verdict } of rows) {
    ctx.emit({ type: 'file.checked', entity: 'file', entityId: objectId, teamId, data: { verdict, taskId } })
  }
}

export const checkJob: JobKind = {
  kind: jobKinds.check,
  run,
  giveUp: async (ctx, job) => {
    await ctx.transact(inner => failTask(inner, job.jobId, fileTasks.errors.taskFailed))
  },
}
