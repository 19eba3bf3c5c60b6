import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import { OutsideError } from '../../../server/outside/outside-error.ts'
import type { JobRun } from '../../../server/work.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { appsOf } from '../apps/public.ts'
import { insideOf } from '../packages/public.ts'
import { versionsOf } from '../versions/public.ts'
import { judge } from './judge/judge.ts'
import type { CheckRecord } from './queries.ts'
import { type CheckAction, type CheckItem, checkCycle, checkLimits, verdictOf } from './rules.ts'
import type { PrivacyAnswer } from './subject.ts'
import { checks } from './tables.ts'

/** Looks at a package. Each step may run again after a crash; the state moves by conditional updates. */
export async function runCheck(ctx: Context, job: JobRun): Promise<void> {
  const check = await ctx.transact(inner => begin(inner, job))
  if (!check) return
  await job.progress('bytes', 10)
  const inside = await insideOf(ctx, { ...check.subject, installable: check.subject.isMade || null }, job.signal)
  await job.progress('privacy', 70)
  const privacy = await answerOf(ctx, await privacyAddress(ctx, check.appId), job.signal)
  await job.progress('rules', 90)
  const items = judge({ pkg: check.subject, inside, privacy, now: ctx.now() }, check.kinds)
  await ctx.transact(inner => end(inner, job, verdictOf(items), items))
}

/** After the last attempt failed: nobody knows how the package is. */
export async function giveUpCheck(ctx: Context, job: JobRun): Promise<void> {
  await ctx.transact(inner => end(inner, job, 'expire', []))
}

/** The check while this job has it, locked; null when it was deleted or has ended. */
async function openCheck(ctx: Context, job: JobRun): Promise<CheckRecord | null> {
  const checkId = String(job.input['checkId'])
  const [row] = await ctx.db.select().from(checks).where(eq(checks.checkId, checkId)).for('update')
  return row && row.jobId === job.jobId && row.finishedAt === null ? row : null
}

async function begin(ctx: Context, job: JobRun): Promise<CheckRecord | null> {
  const row = await openCheck(ctx, job)
  if (row?.state !== 'WAITING') return row
  await move(ctx, row, 'start', {})
  await ctx.db.update(checks).set({ startedAt: ctx.now() }).where(eq(checks.checkId, row.checkId))
  return row
}

async function end(ctx: Context, job: JobRun, action: 'pass' | 'fail' | 'expire', items: CheckItem[]): Promise<void> {
  const row = await openCheck(ctx, job)
  if (!row) return
  await move(ctx, row, action, { jobId: row.jobId })
  await ctx.db.update(checks).set({ items, finishedAt: ctx.now() }).where(eq(checks.checkId, row.checkId))
  await releaseObjects(ctx, [row.objectId])
}

async function move(ctx: Context, row: CheckRecord, action: CheckAction, data: Record<string, unknown>): Promise<void> {
  const { checkId, teamId, appId, pkgId, state, revision } = row
  await transition(ctx, {
    cycle: checkCycle,
    table: 'app_checks',
    idColumn: 'check_id',
    row: { id: checkId, state, revision },
    action,
    teamId,
    data: { appId, pkgId, ...data },
  })
}

/** Of the version that is being prepared, else of the one on shelf. */
async function privacyAddress(ctx: Context, appId: string): Promise<string> {
  return ctx.transact(async inner => {
    const [app] = await appsOf(inner, [appId])
    const ids = [app?.openVersionId ?? null, app?.shelf?.versionId ?? null].filter(id => id !== null)
    const found = await versionsOf(inner, ids)
    const address = ids.map(id => found.find(one => one.versionId === id)?.privacyPolicyUrl ?? '')
    return address.find(one => one !== '') ?? ''
  })
}

/** Asks the address as anybody would; what goes wrong is told without what our own network looks like. */
async function answerOf(ctx: Context, address: string, signal: AbortSignal): Promise<PrivacyAnswer> {
  if (address === '') return { state: 'none' }
  try {
    const { status, body } = await ctx.server.outbound.fetch(address, {
      headers: { accept: 'text/html, text/plain;q=0.9, application/pdf;q=0.8' },
      limitBytes: checkLimits.privacyBytes,
      timeoutMs: checkLimits.privacyMs,
      signal,
    })
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(piece as Buffer)
    return { state: 'answered', status, letters: lettersIn(Buffer.concat(pieces)) }
  } catch (error) {
    if (error instanceof OutsideError) return { state: 'failed', reason: error.message }
    throw error
  }
}

/** Letters that people read; a PDF is read by its reader, so its bytes stand for them. */
function lettersIn(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return bytes.length
  const text = bytes
    .toString('utf8')
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
  return text.match(/\p{L}/gu)?.length ?? 0
}
