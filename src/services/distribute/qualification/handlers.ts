import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { isDuplicate } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { type AppRow, appOf, lockApp } from '../apps/public.ts'
import { answerTask, graceOf, toTasks } from './answer.ts'
import { moveTask, said } from './changes.ts'
import { qualification as contract } from './contract.ts'
import { requirementsOf } from './needs.ts'
import { exchangeFiles, filesOf, type GivenInfo, readPapers } from './papers.ts'
import { loadTask, mine, type TaskRecord } from './queries.ts'
import { endOf, limits, type TaskState, taskStates } from './rules.ts'
import { qualificationTasks as tasks } from './tables.ts'
import { kindIdsOf, tagsOfApp } from './tags.ts'

export default implement(contract, {
  createTasks: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    const made: TaskRecord[] = []
    for (const { tagId, qualificationInfos } of body.tags) {
      const row = await createTask(ctx, app, tagId, qualificationInfos)
      made.push(body.submit ? await submit(ctx, row, true) : row)
    }
    return { list: await toTasks(ctx, made) }
  },

  updateTask: async (ctx, { body }) => {
    const { appId } = await loadTask(ctx, body.taskId)
    const app = await lockApp(ctx, appId)
    const row = await loadTask(ctx, body.taskId, 'update')
    const infos = await readPapers(ctx, row.tagId, body.qualificationInfos)
    const edited = await moveTask(ctx, row, 'edit', { set: { infos, expireAt: endOf(infos) } })
    await exchangeFiles(ctx, app, row.infos, infos)
    return answerTask(ctx, body.submit ? await submit(ctx, edited, true) : edited)
  },

  deleteTask: async (ctx, { query }) => {
    const row = await loadTask(ctx, query.taskId, 'update')
    await moveTask(ctx, row, 'delete')
    await releaseObjects(ctx, filesOf(row.infos))
    return {}
  },

  getTask: async (ctx, { query }) => answerTask(ctx, await loadTask(ctx, query.taskId), true),

  listTasks: async (ctx, { query }) => {
    if (query.appId !== undefined) await appOf(ctx, query.appId)
    const matching = and(
      mine(ctx),
      query.appId === undefined ? undefined : eq(tasks.appId, query.appId),
      query.tagId === undefined ? undefined : eq(tasks.tagId, query.tagId),
      query.status === undefined ? undefined : eq(tasks.state, taskStates[query.status] as TaskState),
    )
    const pageSize = query.pageSize ?? 20
    const isCursor = /^[0-9]{1,19}$/.test(query.cursor ?? '')
    const rows = await ctx.db
      .select()
      .from(tasks)
      .where(and(matching, isCursor ? lt(tasks.taskId, query.cursor as string) : undefined))
      .orderBy(desc(tasks.taskId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(tasks, matching),
      list: await toTasks(ctx, page),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.taskId ?? null) : null,
    }
  },

  cancelTask: async (ctx, { body }) => answerTask(ctx, await cancel(ctx, body.taskId)),

  getTaskStatus: async (ctx, { query }) => {
    const row = await loadTask(ctx, query.taskId)
    const { taskId, state, lastAuditResult, expireAt } = row
    const isRunning = state === 'PASSED' && expireAt !== null
    return {
      taskId,
      state,
      status: taskStates.indexOf(state),
      lastAuditResult,
      expireAt,
      daysLeft: isRunning ? Math.max(0, Math.ceil((expireAt - ctx.now()) / 86_400_000)) : null,
      graceUntil: graceOf(row),
    }
  },

  updateTaskStatus: async (ctx, { body }) => {
    if (body.status === 0) return answerTask(ctx, await cancel(ctx, body.taskId))
    return answerTask(ctx, await submit(ctx, await loadTask(ctx, body.taskId, 'update')))
  },

  answerQuestion: async (ctx, { body }) => {
    const row = await loadTask(ctx, body.taskId, 'update')
    const messages = said(ctx, row, { from: 'DEVELOPER', kind: 'ANSWER', text: body.text })
    return answerTask(ctx, await moveTask(ctx, row, 'answer', { set: { messages, isAsked: false } }))
  },
})

async function createTask(ctx: Context, app: AppRow, tagId: number, given: readonly GivenInfo[]): Promise<TaskRecord> {
  const tags = tagsOfApp(app)
  if (!tags.includes(tagId)) refuse(contract.errors.notATag, { tagId, tags: tags.join(', ') })
  if (requirementsOf(kindIdsOf(tagId)).length === 0) refuse(contract.errors.notRequired, { tagId })
  const infos = await readPapers(ctx, tagId, given)
  await mustBeFree(
    ctx,
    { appId: app.appId, tagId },
    infos.map(info => info.qualificationCode),
  )
  const now = ctx.now()
  const taskId = ctx.newId()
  try {
    const [row] = await ctx.db
      .insert(tasks)
      .values({
        taskId,
        teamId: app.teamId,
        appId: app.appId,
        tagId,
        isMainTag: app.kindMainTag === tagId,
        state: 'TO_SUBMIT',
        infos,
        expireAt: endOf(infos),
        createdBy: ctx.accountId,
        createdAt: now,
        updatedAt: now,
      })
      .returning()
    await exchangeFiles(ctx, app, [], infos)
    const after = { appId: app.appId, tagId, codes: infos.map(info => info.qualificationCode) }
    ctx.audit({ action: 'qualification.create', entity: 'qualification', entityId: taskId, after })
    return row!
  } catch (error) {
    if (!isDuplicate(error, 'qualification_tasks_open')) throw error
    refuse(contract.errors.duplicate, { tagId, taskId: '', state: 'TO_SUBMIT' })
  }
}

/** One open task a tag; beside an approval only when that ends soon, or has not all of these papers. */
async function mustBeFree(
  ctx: Context,
  { appId, tagId }: { appId: string; tagId: number },
  codes: readonly string[],
): Promise<void> {
  const rows = await ctx.db
    .select()
    .from(tasks)
    .where(
      and(
        eq(tasks.appId, appId),
        eq(tasks.tagId, tagId),
        inArray(tasks.state, ['TO_SUBMIT', 'WAITING', 'FAILED', 'PASSED']),
      ),
    )
  const endsSoon = (row: TaskRecord) => row.expireAt !== null && row.expireAt - ctx.now() <= limits.renewalMs
  const hasAll = (row: TaskRecord) => codes.every(code => row.infos.some(info => info.qualificationCode === code))
  const other = rows.find(row => row.state !== 'PASSED' || (!endsSoon(row) && hasAll(row)))
  if (other) refuse(contract.errors.duplicate, { tagId, taskId: other.taskId, state: other.state })
}

async function submit(ctx: Context, row: TaskRecord, isFollowing = false): Promise<TaskRecord> {
  return moveTask(ctx, row, 'submit', {
    isFollowing,
    set: { submittedAt: ctx.now(), isAsked: false, decidedAt: null, decidedBy: null },
  })
}

async function cancel(ctx: Context, taskId: string): Promise<TaskRecord> {
  return moveTask(ctx, await loadTask(ctx, taskId, 'update'), 'cancel', { set: { isAsked: false } })
}
