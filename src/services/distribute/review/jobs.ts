import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Event, Listener, Sweep, Work } from '../../../server/work.ts'
import { appOf } from '../apps/public.ts'
import { versionOf } from '../versions/public.ts'
import { changeSubmission, lapse, moveSubmission, moveTask } from './moves.ts'
import { type SubmissionRecord, submissionOf, taskOf } from './queries.ts'
import { dueAt, isThreadOpen, limits } from './rules.ts'
import { items, submissions, tasks } from './tables.ts'

type KnownVersion = Awaited<ReturnType<typeof versionOf>>
type ItemKind = (typeof items.$inferSelect)['kind']

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
  on: ['version.review.queued', 'version.shelfoff.requested'],
  run: async (ctx, event) => {
    const version = await heldVersion(ctx, event)
    if (version?.state === 'IN_REVIEW') await queueTask(ctx, version, 'VERSION', event.at)
    if (version?.state === 'SHELF_OFF_REVIEW') await queueTask(ctx, version, 'SHELF_OFF', event.at)
  },
}

const failed: Listener = {
  name: 'review.precheck',
  on: ['version.precheck.failed'],
  run: async (ctx, event) => {
    await holdVersion(ctx, event.entityId)
    const submission = await submissionOf(ctx, event.entityId, 'update')
    if (submission?.state === 'WAITING') await moveSubmission(ctx, submission, 'failPrecheck')
  },
}

const withdrawn: Listener = {
  name: 'review.withdrawal',
  on: ['version.withdrawn', 'version.deleted', 'version.shelfoff.canceled', 'version.forced_off', 'version.superseded'],
  run: async (ctx, event) => {
    await holdVersion(ctx, event.entityId)
    const submission = await submissionOf(ctx, event.entityId, 'update')
    if (!submission || !isThreadOpen(submission.state)) return
    const task = await taskOf(ctx, submission.submissionId, 'update')
    if (task && task.state !== 'DECIDED' && task.state !== 'CANCELED') {
      await moveTask(ctx, task, 'cancel', { set: { claimExpiresAt: null, pausedAt: null } })
    }
    await ctx.db.update(items).set({ state: 'REMOVED' }).where(eq(items.submissionId, submission.submissionId))
    await moveSubmission(ctx, submission, 'cancel', { waitingFor: null })
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
    await ctx.db
      .update(tasks)
      .set({ priority: sql`least(${tasks.priority} + 1, 1000)`, updatedAt: ctx.now() })
      .where(
        and(eq(tasks.submissionId, submission.submissionId), inArray(tasks.state, ['QUEUED', 'CLAIMED', 'WAITING'])),
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

export default { listeners: [submitted, queued, failed, withdrawn, urged], sweeps: [leases] } satisfies Work

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

/** The open submission of a version: the one there is, the one that was left unresolved, or a new one. */
async function handIn(ctx: Context, version: KnownVersion, kind: ItemKind, at: number): Promise<SubmissionRecord> {
  const { versionId, appId, teamId } = version
  const known = await submissionOf(ctx, versionId, 'update')
  if (known?.state === 'WAITING' || known?.state === 'IN_REVIEW') return known
  if (known?.state === 'UNRESOLVED') {
    await ctx.db.update(items).set({ state: 'PENDING' }).where(eq(items.submissionId, known.submissionId))
    return moveSubmission(ctx, known, 'resubmit', { submittedAt: at, waitingFor: null })
  }
  const submissionId = ctx.newId()
  const now = ctx.now()
  const [submission] = await ctx.db
    .insert(submissions)
    .values({
      submissionId,
      teamId,
      appId,
      versionId,
      lane: 'FORMAL',
      state: 'WAITING',
      submittedAt: at,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await ctx.db
    .insert(items)
    .values({ itemId: ctx.newId(), submissionId, teamId, kind, refId: versionId, state: 'PENDING' })
  ctx.emit({
    type: 'submission.state',
    entity: 'submission',
    entityId: submissionId,
    teamId,
    data: { from: null, to: 'WAITING', appId, versionId },
  })
  return submission!
}

async function queueTask(ctx: Context, version: KnownVersion, kind: ItemKind, at: number): Promise<void> {
  const { submissionId } = await handIn(ctx, version, kind, at)
  const last = await taskOf(ctx, submissionId)
  if (last && last.state !== 'DECIDED' && last.state !== 'CANCELED') return
  const [item] = await ctx.db.select().from(items).where(eq(items.submissionId, submissionId))
  const app = await appOf(ctx, version.appId)
  const { versionId, appId, teamId, versionName, versionCode } = version
  const queue = app.lastShelf === null ? 'FIRST' : 'UPDATE'
  const taskId = ctx.newId()
  await ctx.db.insert(tasks).values({
    taskId,
    teamId,
    submissionId,
    itemId: item!.itemId,
    itemKind: kind,
    appId,
    versionId,
    appName: app.name,
    packageName: app.packageName,
    versionName,
    versionCode,
    queue,
    priority: last?.priority ?? limits.usualPriority,
    state: 'QUEUED',
    slaDueAt: dueAt(at, queue),
    issues: [],
    queuedAt: at,
    updatedAt: ctx.now(),
  })
  ctx.emit({
    type: 'review.task.queued',
    entity: 'reviewTask',
    entityId: taskId,
    teamId,
    data: { from: null, to: 'QUEUED', submissionId, appId, versionId, queue },
  })
}
