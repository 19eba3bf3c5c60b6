import { and, desc, eq, ilike, lte } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { lockApp } from '../../apps/public.ts'
import { pageOfHolder } from '../address.ts'
import { createGroup } from '../groups.ts'
import { behind, groupsOfIds, mine, type Page, paged } from '../queries.ts'
import { activities } from '../tables.ts'
import { type Activity, betaActivities as contract } from './contract.ts'
import {
  type ActivityAction,
  type ActivityFact,
  type ActivityState,
  activityActions,
  activityLifeCycle,
  activityLimits,
  isActivityWindow,
} from './rules.ts'

const { errors } = contract
export type ActivityRecord = typeof activities.$inferSelect
type Words = Partial<
  Pick<ActivityRecord, 'title' | 'description' | 'reward' | 'quota' | 'deviceModels' | 'startAt' | 'endAt'>
>

export async function loadActivity(ctx: Context, activityId: string): Promise<ActivityRecord> {
  const [row] = await ctx.db
    .select()
    .from(activities)
    .where(and(eq(activities.activityId, activityId), mine(ctx, activities)))
  return row ?? refuse(commonErrors.notFound, { entity: 'activity', id: activityId })
}

async function lockActivity(ctx: Context, activityId: string): Promise<ActivityRecord> {
  const { appId } = await loadActivity(ctx, activityId)
  await lockApp(ctx, appId)
  return loadActivity(ctx, activityId)
}

/** An activity with a group of its own, which has its name unless another is given. */
export async function createActivity(
  ctx: Context,
  wish: { appId: string; title: string; quota: number; startAt: number; endAt: number; groupName?: string } & Words,
): Promise<ActivityRecord> {
  const app = await lockApp(ctx, wish.appId)
  const there = await ctx.db.$count(activities, eq(activities.appId, app.appId))
  if (there >= activityLimits.ofApp) refuse(errors.activityLimit, { limit: activityLimits.ofApp })
  mustBeWindow(ctx, wish)
  const name = (wish.groupName ?? wish.title).slice(0, 50)
  const group = await createGroup(ctx, { appId: app.appId, name, kind: 'EXTERNAL' })
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(activities)
    .values({
      ...{ activityId: ctx.newId(), teamId: app.teamId, appId: app.appId, groupId: group.groupId, state: 'DRAFT' },
      ...{ title: wish.title.trim(), description: (wish.description ?? '').trim(), reward: (wish.reward ?? '').trim() },
      ...{ quota: wish.quota, deviceModels: wish.deviceModels ?? [], startAt: wish.startAt, endAt: wish.endAt },
      ...{ createdBy: ctx.accountId, createdAt: now, updatedAt: now },
    })
    .returning()
  if (!row) throw new Error('no row came back')
  const said = { entity: 'testActivity', entityId: row.activityId, teamId: app.teamId }
  ctx.audit({ action: 'testActivity.create', ...said, after: { state: 'DRAFT', quota: row.quota } })
  ctx.emit({ type: 'activity.created', ...said, data: { appId: app.appId, groupId: group.groupId } })
  return row
}

export async function updateActivity(ctx: Context, activityId: string, set: Words): Promise<ActivityRecord> {
  const row = await lockActivity(ctx, activityId)
  const { quota = row.quota, startAt = row.startAt, endAt = row.endAt } = set
  if (quota < row.joined) refuse(errors.quotaBelow, { joined: row.joined })
  if (set.startAt !== undefined || set.endAt !== undefined) mustBeWindow(ctx, { startAt, endAt })
  return move(ctx, row, 'edit', set)
}

export async function moveActivity(
  ctx: Context,
  activityId: string,
  action: 'publish' | 'close',
): Promise<ActivityRecord> {
  return move(ctx, await lockActivity(ctx, activityId), action)
}

/** Deletes an activity that does not recruit; who joined by it stays in the group. */
export async function deleteActivity(ctx: Context, activityId: string): Promise<void> {
  const row = await lockActivity(ctx, activityId)
  await move(ctx, row, 'delete')
  await ctx.db.delete(activities).where(eq(activities.activityId, activityId))
}

function mustBeWindow(ctx: Context, window: { startAt: number; endAt: number }): void {
  if (isActivityWindow(window, ctx.now())) return
  refuse(errors.activityWindow, { days: activityLimits.windowMs / 86_400_000 })
}

const factsOf = (row: ActivityRecord, now: number): Record<ActivityFact, boolean> => ({
  isAhead: row.endAt > now,
  hasRoom: row.joined < row.quota,
})

async function move(
  ctx: Context,
  row: ActivityRecord,
  action: ActivityAction | 'end',
  set: Words = {},
): Promise<ActivityRecord> {
  const { activityId, appId, groupId, teamId } = row
  const { state } = await transition(ctx, {
    cycle: activityLifeCycle,
    table: 'beta_activities',
    idColumn: 'activity_id',
    row: { id: activityId, state: row.state, revision: row.revision },
    action,
    facts: factsOf(row, ctx.now()),
    unmet: fact =>
      fact === 'hasRoom'
        ? refuse(errors.activityFull, { quota: row.quota })
        : refuse(errors.activityWindow, { days: activityLimits.windowMs / 86_400_000 }),
    data: { appId, groupId },
    teamId,
  })
  if (state === null) return row
  if (Object.keys(set).length > 0) {
    await ctx.db.update(activities).set(set).where(eq(activities.activityId, activityId))
  }
  return loadActivity(ctx, activityId)
}

/** Ends what has had its time. */
export async function sweepActivities(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(activities)
    .where(and(eq(activities.state, 'RECRUITING'), lte(activities.endAt, ctx.now())))
    .limit(200)
    .for('update', { skipLocked: true })
  for (const row of due) await move(ctx, row, 'end')
}

export async function pageOfActivities(
  ctx: Context,
  wish: Page & { appId: string; state?: ActivityState; search?: string },
) {
  const { appId, state, search, cursor, pageSize = 20 } = wish
  const matches = and(
    eq(activities.appId, appId),
    mine(ctx, activities),
    state && eq(activities.state, state),
    search ? ilike(activities.title, `%${search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(activities)
    .where(and(matches, behind(activities.activityId, cursor)))
    .orderBy(desc(activities.activityId))
    .limit(pageSize + 1)
  const { list, nextCursor } = paged(rows, pageSize, row => row.activityId)
  return { total: await ctx.db.$count(activities, matches), list: await toActivities(ctx, list), nextCursor }
}

export async function toActivities(ctx: Context, rows: readonly ActivityRecord[]): Promise<Static<typeof Activity>[]> {
  const groups = await groupsOfIds(
    ctx,
    rows.map(row => row.groupId),
  )
  const names = new Map(groups.map(group => [group.groupId, group.name]))
  const now = ctx.now()
  return rows.map(row => ({
    ...row,
    groupName: names.get(row.groupId) ?? '',
    page:
      row.state === 'RECRUITING' && row.endAt > now
        ? pageOfHolder(ctx, { kind: 'activity', activityId: row.activityId })
        : null,
    allowedActions: allowedActions(
      activityLifeCycle,
      row.state,
      permission => ctx.may(permission),
      factsOf(row, now),
    ).filter((action): action is ActivityAction => (activityActions as readonly string[]).includes(action)),
  }))
}

export async function toActivity(ctx: Context, row: ActivityRecord): Promise<Static<typeof Activity>> {
  const [told] = await toActivities(ctx, [row])
  if (!told) throw new Error('one row makes one answer')
  return told
}
