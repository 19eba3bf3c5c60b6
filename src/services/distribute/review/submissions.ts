import { eq } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { submitVersion, versionsOf } from '../versions/public.ts'
import { settle } from './moves.ts'
import { type ItemRecord, itemOf, type SubmissionRecord, submissionOf } from './queries.ts'
import { isThreadOpen } from './rules.ts'
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
  head: { teamId: string; at: number; title: string },
  wanted: readonly NewItem[],
): Promise<{ submission: SubmissionRecord; item: ItemRecord | undefined }> {
  const [first] = wanted
  if (!first) throw new Error('nothing is handed in')
  const { teamId, at, title } = head
  const submissionId = ctx.newId()
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
      lane: 'FORMAL',
      state: 'WAITING',
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
  wish: { versionIds: readonly string[]; title?: string; remark?: string },
): Promise<SubmissionRecord> {
  const found = new Map((await versionsOf(ctx, wish.versionIds)).map(version => [version.versionId, version]))
  const wanted = wish.versionIds.map(id => found.get(id) ?? refuse(commonErrors.notFound, { entity: 'version', id }))
  // In one order for everybody, so that two who submit the same apps wait for each other and not in a circle.
  const ordered = [...wanted].sort((a, b) => Number(BigInt(a.appId) - BigInt(b.appId) > 0n) * 2 - 1)
  for (const { versionId } of ordered) {
    await submitVersion(ctx, { versionId, ...(wish.remark === undefined ? {} : { remark: wish.remark }) }).catch(
      named(versionId),
    )
  }
  for (const { versionId } of ordered) await takeOut(ctx, versionId)
  const { submission } = await addSubmission(
    ctx,
    { teamId: ctx.teamId, at: ctx.now(), title: wish.title?.trim() ?? '' },
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

/** A version that is handed in anew is no longer part of what was left unresolved. */
async function takeOut(ctx: Context, versionId: string): Promise<void> {
  const known = await submissionOf(ctx, versionId, 'update')
  if (!known || !isThreadOpen(known.state)) return
  const item = await itemOf(ctx, known.submissionId, versionId)
  if (!item || item.state === 'ACCEPTED') return
  await ctx.db.update(items).set({ state: 'REMOVED' }).where(eq(items.itemId, item.itemId))
  await settle(ctx, known)
}
