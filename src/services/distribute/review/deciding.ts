import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { decideVersion } from '../versions/public.ts'
import { paySample } from './auto/auto.ts'
import { addMessage, settle } from './moves.ts'
import type { SubmissionRecord, TaskRecord } from './queries.ts'
import { limits, type Outcome } from './rules.ts'
import { items, type ReviewIssue } from './tables.ts'

/** Task, submission, thread and version change together or not at all. */
export async function conclude(
  ctx: Context,
  task: TaskRecord,
  submission: SubmissionRecord,
  verdict: Outcome,
  said: { text: string; issues: ReviewIssue[] },
): Promise<void> {
  const isApproval = verdict === 'approve'
  await ctx.db
    .update(items)
    .set({ state: isApproval ? 'ACCEPTED' : 'REJECTED' })
    .where(eq(items.itemId, task.itemId))
  const kind = isApproval ? ('APPROVAL' as const) : ('REJECTION' as const)
  const told = await addMessage(ctx, submission, { sender: 'reviewer', kind, itemId: task.itemId, ...said })
  await settle(ctx, told)
  if (ctx.caller.kind === 'user') await paySample(ctx, task.appId)
  const note = [said.text, ...said.issues.map(issue => `${issue.policyId}: ${issue.text}`)].filter(Boolean).join('\n')
  await decideVersion(ctx, { versionId: task.versionId, verdict, note: note.slice(0, limits.textLength) })
}
