import { and, asc, eq, gt } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { isMember } from '../../../ground/teams/public.ts'
import { answerTask, toTasks } from '../answer.ts'
import { moveTask, replaceOlder, said } from '../changes.ts'
import { definitionsFor } from '../meta/handlers.ts'
import { loadTask, type TaskRecord } from '../queries.ts'
import { limits, type TaskState, taskStates } from '../rules.ts'
import { qualificationTasks as tasks } from '../tables.ts'
import { qualificationDesk } from './contract.ts'

export default implement(qualificationDesk, {
  listDeskTasks: async (ctx, { query }) => {
    const matching = eq(tasks.state, taskStates[query.status ?? 1] as TaskState)
    const pageSize = query.pageSize ?? 20
    const isCursor = /^[0-9]{1,19}$/.test(query.cursor ?? '')
    const rows = await ctx.db
      .select()
      .from(tasks)
      .where(and(matching, isCursor ? gt(tasks.taskId, query.cursor as string) : undefined))
      .orderBy(asc(tasks.taskId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    const views = await toTasks(ctx, page)
    return {
      total: await ctx.db.$count(tasks, matching),
      list: views.map((view, at) => ({ ...view, teamId: page[at]!.teamId })),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.taskId ?? null) : null,
    }
  },

  getDeskTask: async (ctx, { query }) => withTeam(ctx, await loadTask(ctx, query.taskId)),

  listDeskDefs: async (_ctx, { query }) => definitionsFor(query),

  decideDeskTask: async (ctx, { body }) => {
    const { verdict } = body
    const note = body.note?.trim() ?? ''
    if (verdict !== 'pass' && [...note].length < limits.reasonMin) {
      throw badField('/note', 'minLength', `says to the developer why, in at least ${limits.reasonMin} characters`)
    }
    const row = await loadTask(ctx, body.taskId, 'update')
    const isImpartial = !(await isMember(ctx, row.teamId, ctx.accountId))
    return withTeam(ctx, await decide(ctx, row, verdict, note, isImpartial))
  },
})

async function decide(
  ctx: Context,
  row: TaskRecord,
  verdict: 'pass' | 'refuse' | 'ask' | 'revoke',
  note: string,
  isImpartial: boolean,
): Promise<TaskRecord> {
  const now = ctx.now()
  const kind = verdict === 'ask' ? ('QUESTION' as const) : ('VERDICT' as const)
  const messages = note === '' ? row.messages : said(ctx, row, { from: 'STORE', kind, text: note })
  if (verdict === 'ask') return moveTask(ctx, row, 'ask', { isImpartial, set: { messages, isAsked: true } })
  const decided = {
    messages,
    isAsked: false,
    lastAuditResult: note === '' ? null : note,
    decidedAt: now,
    decidedBy: ctx.accountId,
  }
  const options = { isImpartial, note: { verdict, reason: note }, data: { reason: note } }
  if (verdict === 'refuse') return moveTask(ctx, row, 'refuse', { ...options, set: decided })
  if (verdict === 'revoke') return moveTask(ctx, row, 'revoke', { ...options, set: { ...decided, endedAt: now } })
  const passed = await moveTask(ctx, row, 'pass', { ...options, set: { ...decided, reminded: null } })
  await replaceOlder(ctx, passed)
  return passed
}

async function withTeam(ctx: Context, row: TaskRecord) {
  return { ...(await answerTask(ctx, row, true)), teamId: row.teamId }
}
