import { and, eq, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { moveTask } from './changes.ts'
import { qualificationHandover } from './handover.ts'
import { qualificationNotices } from './notices.ts'
import { filesOf } from './papers.ts'
import { limits, reminderDays, reminderDue } from './rules.ts'
import { qualificationTasks as tasks } from './tables.ts'

const atOnce = 200
const day = 86_400_000

export default {
  handover: qualificationHandover,
  listeners: [qualificationNotices, { name: 'qualification.purge', on: ['app.purged'], run: purge }],
  sweeps: [
    { name: 'qualification.expire', every: '18 * * * * *', database: 'zone', run: expireDue },
    { name: 'qualification.remind', every: '22 */5 * * * *', database: 'zone', run: remindDue },
    { name: 'qualification.lapse', every: '26 * * * * *', database: 'zone', run: lapseDue },
  ],
} satisfies Work

async function expireDue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(tasks)
    .where(and(eq(tasks.state, 'PASSED'), lte(tasks.expireAt, ctx.now())))
    .orderBy(tasks.taskId)
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const row of due) await moveTask(ctx, row, 'expire', { set: { endedAt: row.expireAt } })
}

async function remindDue(ctx: Context): Promise<void> {
  const now = ctx.now()
  const isDue = or(
    ...reminderDays.map(days =>
      and(
        lte(tasks.expireAt, now + days * day),
        or(
          isNull(tasks.reminded),
          inArray(
            tasks.reminded,
            reminderDays.filter(one => one > days),
          ),
        ),
      ),
    ),
  )
  const found = await ctx.db
    .select()
    .from(tasks)
    .where(and(eq(tasks.state, 'PASSED'), isNotNull(tasks.expireAt), isDue))
    .orderBy(tasks.expireAt)
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const row of found) {
    const days = reminderDue(row.expireAt ?? 0, row.reminded, now)
    if (days === null) continue
    await ctx.db.update(tasks).set({ reminded: days }).where(eq(tasks.taskId, row.taskId))
    const { appId, tagId, teamId, expireAt } = row
    const daysLeft = Math.max(1, Math.ceil(((expireAt ?? now) - now) / day))
    const data = { appId, tagId, expireAt, days, daysLeft }
    ctx.emit({ type: 'qualification.expiring', entity: 'qualification', entityId: row.taskId, teamId, data })
  }
}

/** Approvals that ended so long ago that apps come off the shelf unless something else stands for them. */
async function lapseDue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(tasks)
    .where(and(isNull(tasks.lapsedAt), lte(tasks.endedAt, ctx.now() - limits.graceMs)))
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const { taskId, teamId, appId, tagId } of due) {
    await ctx.db.update(tasks).set({ lapsedAt: ctx.now() }).where(eq(tasks.taskId, taskId))
    const data = { appId, tagId }
    ctx.emit({ type: 'qualification.lapsed', entity: 'qualification', entityId: taskId, teamId, data })
  }
}

async function purge(ctx: Context, event: Event): Promise<void> {
  const gone = await ctx.db.delete(tasks).where(eq(tasks.appId, event.entityId)).returning()
  await releaseObjects(
    ctx,
    gone.flatMap(row => filesOf(row.infos)),
  )
}
