import { eq } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { freeVersion, submitVersion, versionsOf } from '../versions/public.ts'
import { submissions as contract } from './contract.ts'
import { settle } from './moves.ts'
import { type ItemRecord, itemOf, itemsOf, loadSubmission, type SubmissionRecord, submissionOf } from './queries.ts'
import { canTakeOut, isThreadOpen, type ReleaseChoice } from './rules.ts'
import { items, submissions } from './tables.ts'

export type ItemKind = ItemRecord['kind']

interface NewItem {
  versionId: string
  appId: string
  kind: ItemKind
}

/** A submission with what is handed in; the first of it gives it its app. */
export async function addSubmission(
  ctx: Context,
  head: { teamId: string; at: number; title: string; submissionId?: string; release?: ReleaseChoice },
  wanted: readonly NewItem[],
): Promise<{ submission: SubmissionRecord; item: ItemRecord | undefined }> {
  const [first] = wanted
  if (!first) throw new Error('nothing is handed in')
  const { teamId, at, title, submissionId = ctx.newId(), release = 'EACH' } = head
  const now = ctx.now()
  const { appId, versionId } = first
  const [submission] = await ctx.db
    .insert(submissions)
    .values({
      submissionId,
      teamId,
      appId,
      versionId,
      title,
      lane: first.kind === 'TEST' ? 'TEST' : 'FORMAL',
      state: 'WAITING',
      release,
      submittedAt: at,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!submission) throw new Error('no row came back')
  const made = await ctx.db
    .insert(items)
    .values(
      wanted.map(one => ({
        itemId: ctx.newId(),
        submissionId,
        teamId,
        kind: one.kind,
        refId: one.versionId,
        appId: one.appId,
        state: 'PENDING' as const,
      })),
    )
    .returning()
  ctx.emit({
    type: 'submission.state',
    entity: 'submission',
    entityId: submissionId,
    teamId,
    data: { from: null, to: 'WAITING', appId, versionId },
  })
  return { submission, item: made.find(one => one.refId === versionId) }
}

/**
 * Submits versions together: the submission and every version's submit in one transaction, so that one refusal, which
 * names the version, leaves nothing behind.
 */
export async function submitTogether(
  ctx: Context,
  wish: { versionIds: readonly string[]; title?: string; remark?: string; release?: ReleaseChoice },
): Promise<SubmissionRecord> {
  const found = new Map((await versionsOf(ctx, wish.versionIds)).map(version => [version.versionId, version]))
  const wanted = wish.versionIds.map(id => found.get(id) ?? refuse(commonErrors.notFound, { entity: 'version', id }))
  // In one order for everybody, so that two who submit the same apps wait for each other and not in a circle.
  const ordered = [...wanted].sort((a, b) => Number(BigInt(a.appId) - BigInt(b.appId) > 0n) * 2 - 1)
  const submissionId = ctx.newId()
  const release = wish.versionIds.length > 1 ? (wish.release ?? 'EACH') : 'EACH'
  const said = {
    heldBy: release === 'TOGETHER' ? submissionId : null,
    ...(wish.remark === undefined ? {} : { remark: wish.remark }),
  }
  for (const { versionId } of ordered) await submitVersion(ctx, { versionId, ...said }).catch(named(versionId))
  for (const { versionId } of ordered) await takeOut(ctx, versionId)
  const { submission } = await addSubmission(
    ctx,
    { teamId: ctx.teamId, at: ctx.now(), title: wish.title?.trim() ?? '', submissionId, release },
    wanted.map(({ versionId, appId }) => ({ versionId, appId, kind: 'VERSION' })),
  )
  return submission
}

function named(versionId: string) {
  return (error: unknown): never => {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal([error.number, error.status, error.message], { ...error.detail, versionId })
  }
}

/** Takes out what was refused, so that the rest is decided without it; its version can be handed in alone again. */
export async function removeItem(ctx: Context, wish: { submissionId: string; itemId: string }) {
  const submission = await loadSubmission(ctx, wish.submissionId, 'update')
  const item = (await itemsOf(ctx, submission.submissionId)).find(one => one.itemId === wish.itemId)
  if (!item || !(await versionsOf(ctx, [item.refId])).length) {
    refuse(commonErrors.notFound, { entity: 'item', id: wish.itemId })
  }
  if (!canTakeOut(item.state, submission.state)) refuse(contract.errors.notRefused, { state: item.state })
  await freeVersion(ctx, item.refId)
  await ctx.db.update(items).set({ state: 'REMOVED' }).where(eq(items.itemId, item.itemId))
  ctx.audit({ action: 'submission.remove', entity: 'submission', entityId: submission.submissionId, after: wish })
  return settle(ctx, submission)
}

/** A version that is handed in anew is no longer part of what was left unresolved. */
async function takeOut(ctx: Context, versionId: string): Promise<void> {
  const known = await submissionOf(ctx, versionId, 'update')
  if (!known || !isThreadOpen(known.state)) return
  const item = await itemOf(ctx, known.submissionId, versionId)
  if (!item || item.state === 'ACCEPTED') return
  await ctx.db.update(items).set({ state: 'REMOVED' }).where(eq(items.itemId, item.itemId))
  await settle(ctx, known)
}
