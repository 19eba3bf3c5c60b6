import { and, desc, eq, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { downloadUrlOf, objectOf } from '../../ground/files/public.ts'
import { isMember } from '../../ground/teams/public.ts'
import { differenceOf } from '../packages/public.ts'
import { decideVersion, evidenceOf } from '../versions/public.ts'
import { answerTask, answerThread } from './answer.ts'
import { reviewDesk as contract, type Issue } from './contract.ts'
import { listDesk } from './desk-list.ts'
import { addMessage, changeSubmission, lapse, moveSubmission, moveTask, noClaim } from './moves.ts'
import { policies, policyOf } from './policies.ts'
import { loadSubmission, loadTask, lockTask, type SubmissionRecord, type TaskRecord, threadOf } from './queries.ts'
import { actionOf, dueAfterPause, isHeldBy, isLapsed, limits, type TaskFact, type Verdict } from './rules.ts'
import { items, tasks } from './tables.ts'

export default implement(contract, {
  listTasks: (ctx, { query }) => listDesk(ctx, query),

  claimTask: async (ctx, { body }) => {
    const now = ctx.now()
    const { task: found, submission } = await lockTask(ctx, body.taskId)
    const task = isLapsed(found, now) ? await lapse(ctx, found) : found
    if (task.state === 'CLAIMED') {
      if (!isHeldBy(task, ctx.accountId, now)) refuse(contract.errors.taskAlreadyClaimed, claimOf(task))
      return answerTask(ctx, await renew(ctx, task))
    }
    const claimed = await moveTask(ctx, task, 'claim', {
      facts: await factsOf(ctx, task),
      unmet: refuseUnmet,
      set: {
        claimedBy: ctx.accountId,
        claimedAt: now,
        claimExpiresAt: now + limits.leaseMs,
        pausedAt: null,
        ...(task.pausedAt === null ? {} : { slaDueAt: dueAfterPause(task.slaDueAt, task.pausedAt, now) }),
      },
    })
    if (submission.state === 'WAITING') await moveSubmission(ctx, submission, 'take')
    if (submission.waitingFor) await changeSubmission(ctx, submission, { waitingFor: null })
    return answerTask(ctx, claimed)
  },

  keepTask: async (ctx, { body }) => {
    const { task } = await lockTask(ctx, body.taskId)
    mustHold(ctx, task)
    const { claimExpiresAt } = await renew(ctx, task)
    return { taskId: task.taskId, claimExpiresAt: claimExpiresAt ?? ctx.now() }
  },

  releaseTask: async (ctx, { body }) => {
    const { task } = await lockTask(ctx, body.taskId)
    const released = await moveTask(ctx, task, 'release', {
      facts: await factsOf(ctx, task),
      unmet: refuseUnmet,
      set: noClaim,
    })
    return answerTask(ctx, released)
  },

  submitTask: async (ctx, { body }) => {
    const { task, submission } = await lockTask(ctx, body.taskId)
    const said = { text: body.text?.trim() ?? '', issues: [...(body.issues ?? [])] }
    checkIssues(said.issues, body.verdict)
    const facts = { ...(await factsOf(ctx, task)), hasIssues: said.issues.length > 0, hasText: said.text !== '' }
    const wanted = { facts, unmet: refuseUnmet, data: { verdict: body.verdict } }
    const action = actionOf(body.verdict)
    if (body.verdict === 'ASK') {
      const asked = await moveTask(ctx, task, action, { ...wanted, set: { ...noClaim, pausedAt: ctx.now() } })
      await ask(ctx, task, submission, said.text)
      return answerTask(ctx, asked)
    }
    const decision = { verdict: body.verdict, note: said.text || null, issues: said.issues }
    const decided = await moveTask(ctx, task, action, {
      ...wanted,
      set: { ...decision, claimExpiresAt: null, decidedBy: ctx.accountId, decidedAt: ctx.now() },
    })
    await conclude(ctx, task, submission, body.verdict === 'REJECT' ? 'reject' : 'approve', said)
    return answerTask(ctx, decided)
  },

  getTask: async (ctx, { query }) => {
    const task = await loadTask(ctx, query.taskId)
    const submission = await loadSubmission(ctx, task.submissionId)
    const isImpartial = !(await isMember(ctx, task.teamId, ctx.accountId))
    return {
      task: await answerTask(ctx, task, isImpartial),
      submission: await answerThread(ctx, submission),
      isImpartial,
      ...(await gather(ctx, task.versionId)),
      history: await historyOf(ctx, task),
    }
  },

  getTaskObject: async (ctx, { query }) => {
    const task = await loadTask(ctx, query.taskId)
    const shown = await objectsShown(ctx, task)
    if (!shown.has(query.objectId)) refuse(commonErrors.notFound, { entity: 'object', id: query.objectId })
    const object = await objectOf(ctx, query.objectId)
    const { objectId, fileName, mime, sizeBytes } = object
    return { url: downloadUrlOf(ctx, objectId, { fileName }), fileName, mime, sizeBytes }
  },

  listPolicies: async () => ({ list: [...policies] }),
})

function claimOf(task: TaskRecord) {
  return { claimExpiresAt: new Date(task.claimExpiresAt ?? 0).toISOString() }
}

async function factsOf(ctx: Context, task: TaskRecord): Promise<Record<TaskFact, boolean>> {
  return {
    isHolder: isHeldBy(task, ctx.accountId, ctx.now()),
    isImpartial: !(await isMember(ctx, task.teamId, ctx.accountId)),
    hasIssues: false,
    hasText: false,
  }
}

function refuseUnmet(fact: TaskFact): never {
  if (fact === 'isImpartial') refuse(contract.errors.conflictOfInterest)
  if (fact === 'hasIssues') refuse(contract.errors.issueRequired)
  if (fact === 'hasText') throw badField('/text', 'required', 'say what you ask, or what your notes are')
  refuse(contract.errors.taskNotYours)
}

function mustHold(ctx: Context, task: TaskRecord): void {
  if (task.state !== 'CLAIMED' || !isHeldBy(task, ctx.accountId, ctx.now())) refuse(contract.errors.taskNotYours)
}

async function renew(ctx: Context, task: TaskRecord): Promise<TaskRecord> {
  const [row] = await ctx.db
    .update(tasks)
    .set({ claimExpiresAt: ctx.now() + limits.leaseMs })
    .where(eq(tasks.taskId, task.taskId))
    .returning()
  return row!
}

function checkIssues(issues: readonly Static<typeof Issue>[], verdict: Verdict): void {
  if (issues.length > 0 && verdict !== 'REJECT') throw badField('/issues', 'verdict', 'only a rejection has issues')
  const unknown = issues.findIndex(issue => !policyOf(issue.policyId))
  if (unknown >= 0) throw badField(`/issues/${unknown}/policyId`, 'policy', 'is not in the list of policies')
}

async function ask(ctx: Context, task: TaskRecord, submission: SubmissionRecord, text: string): Promise<void> {
  await addMessage(ctx, submission, { sender: 'reviewer', kind: 'QUESTION', text })
  await changeSubmission(ctx, submission, { waitingFor: 'developer' })
  await decideVersion(ctx, { versionId: task.versionId, verdict: 'ask', note: text })
}

/** Task, submission, thread and version change together or not at all. */
async function conclude(
  ctx: Context,
  task: TaskRecord,
  submission: SubmissionRecord,
  verdict: 'approve' | 'reject',
  said: { text: string; issues: Static<typeof Issue>[] },
): Promise<void> {
  const isApproval = verdict === 'approve'
  const moved = await moveSubmission(ctx, submission, isApproval ? 'accept' : 'reject', {
    waitingFor: isApproval ? null : 'developer',
  })
  await ctx.db
    .update(items)
    .set({ state: isApproval ? 'ACCEPTED' : 'REJECTED' })
    .where(eq(items.itemId, task.itemId))
  await addMessage(ctx, moved, { sender: 'reviewer', kind: isApproval ? 'APPROVAL' : 'REJECTION', ...said })
  const note = [said.text, ...said.issues.map(issue => `${issue.policyId}: ${issue.text}`)].filter(Boolean).join('\n')
  await decideVersion(ctx, { versionId: task.versionId, verdict, note: note.slice(0, limits.textLength) })
}

async function gather(ctx: Context, versionId: string) {
  const evidence = await evidenceOf(ctx, versionId)
  const before = evidence.predecessor?.version.pkgId ?? null
  const now = evidence.version.pkgId
  const canCompare = before !== null && now !== null && before !== now
  return { evidence, difference: canCompare ? await differenceOf(ctx, now, before) : null }
}

/** The files that the desk may open for a task: no others of the team. */
async function objectsShown(ctx: Context, task: TaskRecord): Promise<Set<string>> {
  const { package: pkg, listings, predecessor } = await evidenceOf(ctx, task.versionId)
  const images = [...listings, ...(predecessor?.listings ?? [])].flatMap(({ icon, screenshots }) => [
    ...(icon ? [icon] : []),
    ...screenshots.flatMap(one => one.images),
  ])
  const thread = await threadOf(ctx, task.submissionId)
  return new Set([
    ...images.map(image => image.objectId),
    ...(pkg ? [pkg.objectId] : []),
    ...(pkg?.iconObjectId ? [pkg.iconObjectId] : []),
    ...thread.flatMap(message => message.attachments),
  ])
}

async function historyOf(ctx: Context, task: TaskRecord) {
  return ctx.db
    .select()
    .from(tasks)
    .where(and(eq(tasks.appId, task.appId), eq(tasks.state, 'DECIDED'), ne(tasks.taskId, task.taskId)))
    .orderBy(desc(tasks.taskId))
    .limit(limits.historyLength)
}
