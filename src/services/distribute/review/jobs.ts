import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Event, Listener, Sweep, Work } from '../../../server/work.ts'
import { releaseHeld, versionOf } from '../versions/public.ts'
import { reviewHandover } from './handover.ts'
import { changeSubmission, lapse, moveTask, settle } from './moves.ts'
import { reviewNotices } from './notices.ts'
import { isOpenTask, itemOf, type SubmissionRecord, submissionOf, taskOf } from './queries.ts'
import { type KnownVersion, queueItem } from './queueing.ts'
import { isThreadOpen, limits, stateAfterLeaving } from './rules.ts'
import { addSubmission, type ItemKind } from './submissions.ts'
import { items, tasks } from './tables.ts'

const submitted: Listener = {
  name: 'review.submission',
  on: ['version.submitted'],
  run: async (ctx, event) => {
    const version = await heldVersion(ctx, event)
    if (version) await handIn(ctx, version, 'VERSION', event.at)
  },
}

/** What is queued must still be wanted: between the event and now the developer may have withdrawn it. */
const queued: Listener = {
  name: 'review.queue',
  on: ['version.review.queued', 'version.shelfoff.requested', 'test.submitted'],
  run: async (ctx, event) => {
    const version = await heldVersion(ctx, event)
    const kind = event.type === 'test.submitted' ? 'TEST' : 'VERSION'
    if (version?.state === 'IN_REVIEW') await queueTask(ctx, version, kind, event.at)
    if (version?.state === 'SHELF_OFF_REVIEW') await queueTask(ctx, version, 'SHELF_OFF', event.at)
  },
}

const failed: Listener = {
  name: 'review.precheck',
  on: ['version.precheck.failed'],
  run: async (ctx, event) => {
    await holdVersion(ctx, event.entityId)
    const submission = await submissionOf(ctx, event.entityId, 'update')
    if (submission && isThreadOpen(submission.state)) await mark(ctx, submission, event.entityId, 'REJECTED')
  },
}

const withdrawn: Listener = {
  name: 'review.withdrawal',
  on: [
    'version.withdrawn',
    'version.expired',
    'version.deleted',
    'version.shelfoff.canceled',
    'version.forced_off',
    'version.superseded',
    'test.withdrawn',
    'test.deleted',
  ],
  run: async (ctx, event) => {
    await holdVersion(ctx, event.entityId)
    const submission = await submissionOf(ctx, event.entityId, 'update')
    if (submission && isThreadOpen(submission.state)) await mark(ctx, submission, event.entityId, 'REMOVED')
  },
}

/** Nothing is left to decide: what waited for the others goes on shelf. */
const together: Listener = {
  name: 'review.together',
  on: ['submission.state'],
  run: async (ctx, event) => {
    if (event.data['to'] === 'COMPLETE') await releaseHeld(ctx, event.entityId)
  },
}

/** What was reviewed as a test and is the same is accepted without another look. */
const skipped: Listener = {
  name: 'review.skipped',
  on: ['version.review.skipped'],
  run: async (ctx, event) => {
    await holdVersion(ctx, event.entityId)
    const submission = await submissionOf(ctx, event.entityId, 'update')
    const item = submission && (await itemOf(ctx, submission.submissionId, event.entityId))
    if (!item || !isThreadOpen(submission.state)) return
    await ctx.db.update(items).set({ state: 'ACCEPTED' }).where(eq(items.itemId, item.itemId))
    await settle(ctx, submission)
  },
}

const urged: Listener = {
  name: 'review.urge',
  on: ['review.urged'],
  run: async (ctx, event) => {
    await holdVersion(ctx, event.entityId)
    const submission = await submissionOf(ctx, event.entityId, 'update')
    if (!submission || !isThreadOpen(submission.state)) return
    await changeSubmission(ctx, submission, { urgeCount: submission.urgeCount + 1 })
    const { submissionId } = submission
    await ctx.db
      .update(tasks)
      .set({ priority: sql`least(${tasks.priority} + 1, ${limits.priority}::int)`, updatedAt: ctx.now() })
      .where(
        and(
          eq(tasks.submissionId, submissionId),
          eq(tasks.versionId, event.entityId),
          inArray(tasks.state, ['QUEUED', 'CLAIMED', 'WAITING']),
        ),
      )
  },
}

const leases: Sweep = {
  name: 'review.leases',
  every: '*/20 * * * * *',
  database: 'zone',
  run: async ctx => {
    const lost = await ctx.db
      .select()
      .from(tasks)
      .where(and(eq(tasks.state, 'CLAIMED'), lte(tasks.claimExpiresAt, ctx.now())))
      .limit(200)
      .for('update', { skipLocked: true })
    for (const task of lost) await lapse(ctx, task)
  },
}

export default {
  handover: reviewHandover,
  listeners: [submitted, queued, failed, withdrawn, together, skipped, urged, reviewNotices],
  sweeps: [leases],
} satisfies Work

/** Takes turns with other events of the version: they may be told by several processes at once. */
async function holdVersion(ctx: Context, versionId: string): Promise<void> {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 204))', [versionId])
}

/** The version as it is after everybody else's turn; null when it is gone. */
async function heldVersion(ctx: Context, event: Event): Promise<KnownVersion | null> {
  await holdVersion(ctx, event.entityId)
  try {
    return await versionOf(ctx, event.entityId)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

/** A thing that is out of the submission, for now or for good: its task ends, and the whole is looked at again. */
async function mark(ctx: Context, submission: SubmissionRecord, versionId: string, state: 'REJECTED' | 'REMOVED') {
  const item = await itemOf(ctx, submission.submissionId, versionId)
  if (!item) return
  const task = await taskOf(ctx, item.itemId, 'update')
  if (task && isOpenTask(task)) await moveTask(ctx, task, 'cancel', { set: { claimExpiresAt: null, pausedAt: null } })
  const left = stateAfterLeaving(submission.release, item.state, state)
  await ctx.db.update(items).set({ state: left }).where(eq(items.itemId, item.itemId))
  await settle(ctx, submission)
}

/** The open submission that holds a version: the one there is, the one that was left unresolved, or a new one. */
async function handIn(ctx: Context, version: KnownVersion, kind: ItemKind, at: number) {
  const { versionId, appId, teamId } = version
  const known = await submissionOf(ctx, versionId, 'update')
  const held = known && isThreadOpen(known.state) ? await itemOf(ctx, known.submissionId, versionId) : undefined
  if (known && held && (held.state === 'PENDING' || held.state === 'REJECTED')) {
    if (held.state === 'PENDING' && known.state !== 'UNRESOLVED') return { submission: known, item: held }
    await ctx.db.update(items).set({ state: 'PENDING' }).where(eq(items.itemId, held.itemId))
    return { submission: await settle(ctx, known), item: held }
  }
  return addSubmission(ctx, { teamId, at, title: '' }, [{ versionId, appId, kind }])
}

async function queueTask(ctx: Context, version: KnownVersion, kind: ItemKind, at: number): Promise<void> {
  const { submission, item } = await handIn(ctx, version, kind, at)
  if (!item) throw new Error('the submission has no item')
  await queueItem(ctx, version, { submission, item }, at)
}
