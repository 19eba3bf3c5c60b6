import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { appOf, lockApp } from '../apps/public.ts'
import { betaGroups as contract } from './contract.ts'
import { type GroupRecord, lockGroup, peopleOfApp } from './queries.ts'
import { type GroupKind, limits } from './rules.ts'
import { activities, joins, links, testGroups, testUsers } from './tables.ts'
import { testsOn } from './test-doors.ts'

const { errors } = contract

export async function createGroup(
  ctx: Context,
  { appId, name, kind }: { appId: string; name: string; kind: GroupKind },
): Promise<GroupRecord> {
  const app = await lockApp(ctx, appId)
  await mustHaveRoomFor(ctx, appId, kind)
  const now = ctx.now()
  const [group] = await ctx.db
    .insert(testGroups)
    .values({
      groupId: ctx.newId(),
      teamId: app.teamId,
      appId,
      name: name.trim(),
      kind,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
    .catch(orNameTaken(name))
  if (!group) throw new Error('no row came back')
  tellGroup(ctx, group, 'create', { name: group.name, kind })
  return group
}

/** Renames a group. What strangers are in, or a test goes to, cannot become internal: that would pass by the review. */
export async function updateGroup(
  ctx: Context,
  groupId: string,
  wish: { name?: string; kind?: GroupKind; revision: number },
): Promise<GroupRecord> {
  const { group } = await lockGroup(ctx, groupId)
  const { name = group.name, kind = group.kind } = wish
  if (kind !== group.kind) {
    const people = await ctx.db.$count(testUsers, eq(testUsers.groupId, groupId))
    const opened = await ctx.db.$count(links, and(eq(links.groupId, groupId), eq(links.state, 'LIVE')))
    const used = await testsOn(ctx).liveOfGroups(ctx, [groupId])
    if (people + opened + used.length > 0 || (await isRecruiting(ctx, groupId))) refuse(errors.groupKindFixed)
    await mustHaveRoomFor(ctx, group.appId, kind)
  }
  const [after] = await ctx.db
    .update(testGroups)
    .set({ name: name.trim(), kind, updatedAt: ctx.now(), revision: sql`${testGroups.revision} + 1` })
    .where(and(eq(testGroups.groupId, groupId), eq(testGroups.revision, wish.revision)))
    .returning()
    .catch(orNameTaken(name))
  if (!after) refuse(commonErrors.stale, { revision: group.revision })
  tellGroup(ctx, after, 'update', { name: after.name, kind })
  return after
}

/** Deletes a group with its people; refused while a live test goes to it. */
export async function deleteGroup(ctx: Context, groupId: string): Promise<void> {
  const { group } = await lockGroup(ctx, groupId)
  const used = await testsOn(ctx).liveOfGroups(ctx, [groupId])
  if (used.length > 0) refuse(errors.groupInUse, { count: used.length, versionIds: used.map(test => test.versionId) })
  if (await isRecruiting(ctx, groupId)) refuse(errors.groupRecruits)
  await removeGroup(ctx, group)
}

export async function removeGroup(ctx: Context, group: GroupRecord): Promise<void> {
  const { groupId } = group
  await ctx.db.delete(joins).where(eq(joins.groupId, groupId))
  await ctx.db.delete(links).where(eq(links.groupId, groupId))
  await ctx.db.delete(testUsers).where(eq(testUsers.groupId, groupId))
  await ctx.db.delete(testGroups).where(eq(testGroups.groupId, groupId))
  tellGroup(ctx, group, 'delete', {})
}

/** Whether a group is there, by id or name, what uses it, and how many more people the app may have. */
export async function checkGroupOf(ctx: Context, wish: { appId: string; groupId?: string; name?: string }) {
  await appOf(ctx, wish.appId)
  const { groupId, name } = wish
  if (groupId === undefined && name === undefined) throw badField('/groupId', 'required', 'Name a group.', 'query')
  const [group] = await ctx.db
    .select()
    .from(testGroups)
    .where(
      and(
        eq(testGroups.appId, wish.appId),
        eq(testGroups.teamId, ctx.teamId),
        groupId === undefined ? undefined : eq(testGroups.groupId, groupId),
        name === undefined ? undefined : sql`lower(${testGroups.name}) = lower(${name.trim()})`,
      ),
    )
  const used = group ? await testsOn(ctx).liveOfGroups(ctx, [group.groupId]) : []
  return {
    exists: group !== undefined,
    groupId: group?.groupId ?? null,
    inUseByVersionIds: used.map(test => test.versionId),
    remainingUsers: Math.max(0, limits.users - (await peopleOfApp(ctx, wish.appId))),
  }
}

async function mustHaveRoomFor(ctx: Context, appId: string, kind: GroupKind): Promise<void> {
  const limit = limits.groups[kind]
  const there = await ctx.db.$count(testGroups, and(eq(testGroups.appId, appId), eq(testGroups.kind, kind)))
  if (there >= limit) refuse(errors.groupLimit, { limit, kind })
}

async function isRecruiting(ctx: Context, groupId: string): Promise<boolean> {
  return (await ctx.db.$count(activities, eq(activities.groupId, groupId))) > 0
}

function orNameTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'version_test_groups_name')) refuse(errors.groupNameTaken, { name: name.trim() })
    throw error
  }
}

/** Addresses of people stay out of the audit: it cannot be erased, they can. */
export function tellGroup(ctx: Context, group: GroupRecord, verb: string, after: Record<string, unknown>): void {
  const { groupId, appId, teamId } = group
  ctx.audit({ action: `testGroup.${verb}`, entity: 'testGroup', entityId: groupId, after, teamId })
  ctx.emit({ type: 'testgroup.changed', entity: 'testGroup', entityId: groupId, teamId, data: { appId, verb } })
}
