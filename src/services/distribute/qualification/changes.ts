import { and, eq, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import { factsOf } from './answer.ts'
import { qualification as contract } from './contract.ts'
import { requirementsOf } from './needs.ts'
import type { TaskRecord } from './queries.ts'
import { limits, missingSets, type TaskAction, type TaskFact, taskCycle } from './rules.ts'
import { type TaskMessage, qualificationTasks as tasks } from './tables.ts'
import { kindIdsOf } from './tags.ts'

interface Options {
  set?: Partial<TaskRecord>
  isImpartial?: boolean
  /** The second move of one call: the revision that was sent is that of the first. */
  isFollowing?: boolean
  note?: Record<string, unknown>
  data?: Record<string, unknown>
}

/** Moves a task by its life cycle and writes what comes with it; it must be locked. */
export async function moveTask(
  ctx: Context,
  row: TaskRecord,
  action: TaskAction,
  options: Options = {},
): Promise<TaskRecord> {
  const move = moveFor(taskCycle, row.state, action, () => true) ?? refuseState(ctx, row, action)
  if (options.isFollowing && !ctx.may(move.may)) refuse(commonErrors.notAllowed, { permission: move.may })
  const { taskId, appId, tagId, teamId, state, revision } = row
  await transition(ctx, {
    cycle: taskCycle,
    table: 'qualification_tasks',
    idColumn: 'task_id',
    row: { id: taskId, state, revision },
    action,
    facts: factsOf(row, ctx.now(), options.isImpartial ?? true),
    unmet: fact => refuseUnmet(row, fact),
    data: { appId, tagId, ...options.data },
    note: { appId, tagId, ...options.note },
    teamId,
    isConsequence: options.isFollowing ?? false,
  })
  if (action === 'delete') {
    await ctx.db.delete(tasks).where(eq(tasks.taskId, taskId))
    return row
  }
  const [moved] = await ctx.db
    .update(tasks)
    .set({ updatedAt: ctx.now(), ...options.set })
    .where(eq(tasks.taskId, taskId))
    .returning()
  return moved!
}

/** Older approvals of the same tag whose papers the new one has all: it replaces them. */
export async function replaceOlder(ctx: Context, row: TaskRecord): Promise<void> {
  const { appId, tagId } = row
  const isOlder = and(eq(tasks.appId, appId), eq(tasks.tagId, tagId), eq(tasks.state, 'PASSED'))
  const found = await ctx.db
    .select()
    .from(tasks)
    .where(and(isOlder, ne(tasks.taskId, row.taskId)))
    .for('update')
  const codes = new Set(row.infos.map(info => info.qualificationCode))
  for (const { taskId, state, revision, teamId, infos } of found) {
    if (!infos.every(info => codes.has(info.qualificationCode))) continue
    await transition(ctx, {
      cycle: taskCycle,
      table: 'qualification_tasks',
      idColumn: 'task_id',
      row: { id: taskId, state, revision },
      action: 'replace',
      isConsequence: true,
      data: { appId, tagId, by: row.taskId },
      teamId,
    })
  }
}

/** The thread with one message more. */
export function said(ctx: Context, row: TaskRecord, message: Omit<TaskMessage, 'at'>): TaskMessage[] {
  const limit = limits.messages
  if (row.messages.length >= limit) refuse(contract.errors.tooManyMessages, { limit })
  return [...row.messages, { ...message, at: ctx.now() }]
}

function refuseState(ctx: Context, row: TaskRecord, action: TaskAction): never {
  if (action === 'cancel' && row.state === 'PASSED') refuse(contract.errors.passedStays)
  const may = taskCycle.moves.find(move => move.action === action)?.may ?? ''
  if (!ctx.may(may)) refuse(commonErrors.notAllowed, { permission: may })
  const allowed = allowedActions(taskCycle, row.state, permission => ctx.may(permission), factsOf(row, ctx.now()))
  refuse(contract.errors.wrongState, { state: row.state, allowedActions: allowed })
}

function refuseUnmet(row: TaskRecord, fact: TaskFact): never {
  const { errors } = contract
  if (fact === 'isImpartial') refuse(errors.ofOwnTeam)
  if (fact === 'isAsked') refuse(errors.notAsked)
  if (fact === 'isInForce') refuse(errors.overBefore, { expireAt: new Date(row.expireAt ?? 0).toISOString() })
  const codes = row.infos.map(info => info.qualificationCode)
  const missing = requirementsOf(kindIdsOf(row.tagId)).map(one =>
    missingSets(one, codes)
      .map(set => set.join(' / '))
      .join(' + '),
  )
  refuse(errors.fileMissing, { tagId: row.tagId, missing: missing.join('; ') })
}
