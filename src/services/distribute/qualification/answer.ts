import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import { afterWorking, hoursOfDay, workingCalendars } from '../../../kernel/working-time.ts'
import type { Context } from '../../../server/context.ts'
import { downloadUrlOf } from '../../ground/files/public.ts'
import { appsOf } from '../apps/public.ts'
import type { Task } from './contract.ts'
import { doesSomewhere, requirementsOf } from './needs.ts'
import type { TaskRecord } from './queries.ts'
import { limits, missingSets, taskCycle, taskStates } from './rules.ts'
import { kindIdsOf, tagName } from './tags.ts'

type Answer = Static<typeof Task>

/** What decides about the moves of a task, as the caller stands to it. */
export function factsOf(row: TaskRecord, now: number, isImpartial = true) {
  const codes = row.infos.map(info => info.qualificationCode)
  return {
    isComplete: doesSomewhere(kindIdsOf(row.tagId), codes),
    isAsked: row.isAsked,
    isImpartial,
    isInForce: row.expireAt === null || row.expireAt > now,
  }
}

/** Tasks with the names of their apps; two queries at most. */
export async function toTasks(ctx: Context, rows: readonly TaskRecord[]): Promise<Answer[]> {
  const apps = await appsOf(
    ctx,
    rows.map(row => row.appId),
  )
  const names = new Map(apps.map(app => [app.appId, app.name]))
  return rows.map(row => toTask(ctx, row, names.get(row.appId) ?? row.appId))
}

/** One task, with addresses of its files where people are to open them. */
export async function answerTask(ctx: Context, row: TaskRecord, isWithFiles = false): Promise<Answer> {
  const [task] = await toTasks(ctx, [row])
  if (!isWithFiles) return task!
  const qualificationInfos = task!.qualificationInfos.map(info => ({
    ...info,
    files: info.files.map(file => ({ ...file, url: downloadUrlOf(ctx, file.objectId, { fileName: file.fileName }) })),
  }))
  return { ...task!, qualificationInfos }
}

function toTask(ctx: Context, row: TaskRecord, appName: string): Answer {
  const codes = row.infos.map(info => info.qualificationCode)
  const facts = factsOf(row, ctx.now())
  return {
    taskId: row.taskId,
    appId: row.appId,
    appName,
    tagId: row.tagId,
    tagName: tagName(row.tagId),
    isMainTag: row.isMainTag ? 1 : 0,
    state: row.state,
    status: taskStates.indexOf(row.state),
    qualificationInfos: row.infos.map(info => ({ ...info, files: info.files.map(file => ({ ...file, url: null })) })),
    missing: requirementsOf(kindIdsOf(row.tagId)).map(one => ({
      countries: [...one.countries],
      sets: missingSets(one, codes).map(set => [...set]),
    })),
    lastAuditResult: row.lastAuditResult,
    messages: row.messages,
    isAsked: row.isAsked,
    expireAt: row.expireAt,
    graceUntil: graceOf(row),
    submittedAt: row.submittedAt,
    slaDueAt: row.state === 'WAITING' && row.submittedAt !== null ? dueAt(ctx, row.submittedAt) : null,
    createTime: row.createdAt,
    updateTime: row.updatedAt,
    revision: row.revision,
    allowedActions: allowedActions(
      taskCycle,
      row.state,
      permission => ctx.may(permission),
      facts,
    ) as Answer['allowedActions'],
  }
}

export function graceOf(row: Pick<TaskRecord, 'endedAt'>): number | null {
  return row.endedAt === null ? null : row.endedAt + limits.graceMs
}

function dueAt(ctx: Context, submittedAt: number): number {
  const calendar = workingCalendars[ctx.zone]
  return afterWorking(calendar, submittedAt, limits.slaDays * hoursOfDay(calendar) * 3_600_000)
}
