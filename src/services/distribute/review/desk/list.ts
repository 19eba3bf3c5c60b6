import { and, asc, count, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { Input } from '../../../../kernel/contract.ts'
import type { Context } from '../../../../server/context.ts'
import type { Db } from '../../../../server/database/transaction.ts'
import { toTask } from '../answer.ts'
import { positionsOf, type TaskRecord } from '../queries.ts'
import { tasks } from '../tables.ts'
import type { reviewDesk } from './contract.ts'

type DeskQuery = Input<(typeof reviewDesk)['calls']['listTasks']>['query']
type Sort = NonNullable<DeskQuery['sort']>

/** The tasks of all teams that match, by keyset over priority, due time and id. */
export async function listDesk(ctx: Context, query: DeskQuery) {
  const sort = query.sort ?? 'priority'
  const matching = and(...filtersOf(ctx, query))
  const pageSize = query.pageSize ?? 20
  const rows = await rowsOf(ctx.db, sort, and(matching, afterCursor(sort, query.cursor)), pageSize + 1)
  const page = rows.slice(0, pageSize)
  const positions = await positionsOf(
    ctx,
    page.map(task => task.taskId),
  )
  const last = page.at(-1)
  return {
    total: (await countOf(ctx.db, matching))[0]?.total ?? 0,
    list: page.map(task => toTask(ctx, task, { queuePosition: positions.get(task.taskId) ?? null })),
    nextCursor: rows.length > pageSize && last ? cursorOf(last) : null,
  }
}

/** The page in its order; the tests look at how PostgreSQL carries it out. */
export function rowsOf(db: Db, sort: Sort, matching: SQL | undefined, limit: number) {
  return db
    .select()
    .from(tasks)
    .where(matching)
    .orderBy(...(sort === 'priority' ? [desc(tasks.priority)] : []), asc(tasks.slaDueAt), asc(tasks.taskId))
    .limit(limit)
}

/** How many match. */
export function countOf(db: Db, matching: SQL | undefined) {
  return db.select({ total: count() }).from(tasks).where(matching)
}

function filtersOf(ctx: Context, query: DeskQuery): (SQL | undefined)[] {
  const search = query.search?.trim()
  const like = `%${(search ?? '').replace(/[\\%_]/g, found => `\\${found}`)}%`
  return [
    query.queue && eq(tasks.queue, query.queue),
    query.state && eq(tasks.state, query.state),
    query.mine ? or(eq(tasks.claimedBy, ctx.accountId), eq(tasks.decidedBy, ctx.accountId)) : undefined,
    search
      ? or(ilike(tasks.appName, like), ilike(tasks.packageName, like), sql`${tasks.appId}::text = ${search}`)
      : undefined,
  ]
}

function cursorOf(task: TaskRecord): string {
  return [task.priority, task.slaDueAt, task.taskId].join('.')
}

/** A cursor that is none begins again at the start. */
function afterCursor(sort: Sort, cursor: string | undefined): SQL | undefined {
  const found = /^(\d{1,9})\.(\d{1,15})\.(\d{1,19})$/.exec(cursor ?? '')
  if (!found) return undefined
  const [, priority, due, taskId] = found
  const later = sql`(${tasks.slaDueAt}, ${tasks.taskId}) > (${due}::bigint, ${taskId}::bigint)`
  if (sort === 'due') return later
  return sql`(${tasks.priority} < ${priority}::int OR (${tasks.priority} = ${priority}::int AND ${later}))`
}
