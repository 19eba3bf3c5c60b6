import { and, desc, eq, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { downloadUrlOf, objectOf, objectsOf } from '../../../ground/files/public.ts'
import { isMember } from '../../../ground/teams/public.ts'
import { differenceOf } from '../../packages/public.ts'
import { decideVersion, evidenceOf } from '../../versions/public.ts'
import { answerTask, answerThread, hasJudged } from '../answer.ts'
import type { Issue } from '../contract.ts'
import { conclude } from '../deciding.ts'
import { addMessage, lapse, moveSubmission, moveTask, noClaim, settle } from '../moves.ts'
import { withClauses } from '../policies/policies.ts'
import { loadSubmission, loadTask, lockTask, type SubmissionRecord, type TaskRecord, threadOf } from '../queries.ts'
import {
  actionOf,
  dueAfterPause,
  followsFrom,
  isHeldBy,
  isLapsed,
  isWidelyInstalled,
  limits,
  needsSenior,
  outcomeOf,
  type SeniorReason,
  type TaskAction,
  type TaskFact,
  taskCycle,
  type Verdict,
} from '../rules.ts'
import { tasks } from '../tables.ts'
import { reviewDesk as contract } from './contract.ts'
import { listDesk } from './list.ts'

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
    const facts = await factsOf(ctx, task)
    const claimed = await moveTask(ctx, task, 'claim', {
      facts,
      unmet: refusing(ctx, task, facts),
      set: {
        claimedBy: ctx.accountId,
        claimedAt: now,
        claimExpiresAt: now + limits.leaseMs,
        pausedAt: null,
        ...(task.pausedAt === null ? {} : { slaDueAt: dueAfterPause(task.slaDueAt, task.pausedAt, now, ctx.zone) }),
      },
    })
    if (submission.state === 'WAITING') await moveSubmission(ctx, submission, 'take')
    else await settle(ctx, submission)
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
    const facts = await factsOf(ctx, task)
    const released = await moveTask(ctx, task, 'release', {
      facts,
      unmet: refusing(ctx, task, facts),
      set: noClaim,
    })
    return answerTask(ctx, released)
  },

  submitTask: async (ctx, { body }) => {
    const { task, submission } = await lockTask(ctx, body.taskId)
    const issues = await checkedIssues(ctx, body.issues ?? [], body.verdict)
    const said = { text: body.text?.trim() ?? '', issues }
    const facts = { ...(await factsOf(ctx, task)), hasIssues: said.issues.length > 0, hasText: said.text !== '' }
    const wanted = { facts, unmet: refusing(ctx, task, facts), data: { verdict: body.verdict } }
    const action = actionOf(body.verdict)
    if (body.verdict === 'ASK') {
      const asked = await moveTask(ctx, task, action, { ...wanted, set: { ...noClaim, pausedAt: ctx.now() } })
      await ask(ctx, task, submission, said.text)
      return answerTask(ctx, asked)
    }
    const opinion = { verdict: body.verdict, note: said.text || null, issues: said.issues }
    const opinions = [...task.opinions, { ...opinion, reviewerId: ctx.accountId, at: ctx.now() }]
    const seniorBecause = await seniorReasonOf(ctx, task, body.verdict)
    if (seniorBecause || followsFrom(task, body.verdict) === 'passOn') {
      // Refuses as the verdict itself would, for the sentence and the needs are the verdict's.
      mustBeAllowed(ctx, task, action, facts)
      const passed = await moveTask(ctx, task, 'passOn', {
        isConsequence: true,
        set: { ...noClaim, opinions, ...(seniorBecause && { seniorBecause }) },
      })
      return answerTask(ctx, passed)
    }
    const decided = await moveTask(ctx, task, action, {
      ...wanted,
      set: { ...opinion, opinions, claimExpiresAt: null, decidedBy: ctx.accountId, decidedAt: ctx.now() },
    })
    await conclude(ctx, task, submission, outcomeOf(body.verdict), said)
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

  listTaskObjects: async (ctx, { query }) => {
    const task = await loadTask(ctx, query.taskId)
    const objects = await objectsOf(ctx, [...(await objectsShown(ctx, task))])
    return {
      list: [...objects.values()].map(({ objectId, fileName, mime, sizeBytes }) => ({
        objectId,
        url: downloadUrlOf(ctx, objectId, { fileName }),
        fileName,
        mime,
        sizeBytes,
      })),
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
})

function claimOf(task: TaskRecord) {
  return { claimExpiresAt: new Date(task.claimExpiresAt ?? 0).toISOString() }
}

async function factsOf(ctx: Context, task: TaskRecord): Promise<Record<TaskFact, boolean>> {
  return {
    isHolder: isHeldBy(task, ctx.accountId, ctx.now()),
    isImpartial: !(await isMember(ctx, task.teamId, ctx.accountId)),
    isFresh: !hasJudged(task, ctx.accountId),
    isOther: !task.excluded.includes(ctx.accountId),
    isSenior: !needsSenior(task) || ctx.may('review.senior'),
    hasIssues: false,
    hasText: false,
  }
}

/** Says what is in the way, where the task stands, and what whoever asked may do with it. */
function refusing(ctx: Context, task: TaskRecord, facts: Record<TaskFact, boolean>) {
  const { state } = task
  const standing = { state, allowedActions: allowedActions(taskCycle, state, one => ctx.may(one), facts) }
  return (fact: TaskFact): never => {
    if (fact === 'isImpartial') refuse(contract.errors.conflictOfInterest, standing)
    if (fact === 'isFresh') refuse(contract.errors.alreadyJudged, standing)
    if (fact === 'isOther') refuse(contract.errors.ownRejection, standing)
    if (fact === 'isSenior') refuse(contract.errors.seniorNeeded, standing)
    if (fact === 'hasIssues') refuse(contract.errors.issueRequired, standing)
    if (fact === 'hasText') throw badField('/text', 'required', 'say what you ask, or what your notes are')
    return refuse(contract.errors.taskNotYours, standing)
  }
}

function mustBeAllowed(ctx: Context, task: TaskRecord, action: TaskAction, facts: Record<TaskFact, boolean>): void {
  const move = moveFor(taskCycle, task.state, action, permission => ctx.may(permission))
  if (!move) refuse(contract.errors.taskNotYours)
  const missing = move.needs?.find(fact => !facts[fact])
  if (missing) refusing(ctx, task, facts)(missing)
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

/** The issues with the rules they name, as those read now. */
async function checkedIssues(ctx: Context, issues: readonly Static<typeof Issue>[], verdict: Verdict) {
  if (issues.length > 0 && verdict !== 'REJECT') throw badField('/issues', 'verdict', 'only a rejection has issues')
  return withClauses(ctx, issues)
}

/** Whether a verdict needs a senior reviewer to confirm it: a rejection of what very many people have. */
async function seniorReasonOf(ctx: Context, task: TaskRecord, verdict: Verdict): Promise<SeniorReason | null> {
  if (verdict !== 'REJECT' || task.seniorBecause !== null || ctx.may('review.senior')) return null
  return isWidelyInstalled((await evidenceOf(ctx, task.versionId)).activeInstalls) ? 'INSTALLS' : null
}

async function ask(ctx: Context, task: TaskRecord, submission: SubmissionRecord, text: string): Promise<void> {
  await addMessage(ctx, submission, { sender: 'reviewer', kind: 'QUESTION', text, itemId: task.itemId })
  await settle(ctx, await loadSubmission(ctx, submission.submissionId))
  await decideVersion(ctx, { versionId: task.versionId, verdict: 'ask', note: text })
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
  const images = [...listings, ...(predecessor?.listings ?? [])].flatMap(({ icon, screenshots, film, filmCover }) => [
    ...[icon, film, filmCover].filter(one => one !== null),
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
