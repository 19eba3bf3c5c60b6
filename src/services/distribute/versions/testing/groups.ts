import { and, eq, inArray, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isMailAddress } from '../../../../server/engines/mail/port.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { appOf, lockApp } from '../../apps/public.ts'
import { versionTests as contract } from './contract.ts'
import { startMails } from './moves.ts'
import { type GroupRecord, loadGroup, loadUser, peopleOfApp, testsOfGroups, type UserRecord } from './queries.ts'
import { entitledStates, type GroupKind, isEntitled, mayReturn, testLimits } from './rules.ts'
import { testGroups, testUsers } from './tables.ts'

const { errors } = contract

export async function createGroup(
  ctx: Context,
  { appId, name, kind }: { appId: string; name: string; kind: GroupKind },
): Promise<GroupRecord> {
  const app = await lockApp(ctx, appId)
  const limit = testLimits.groups[kind]
  const there = await ctx.db.$count(testGroups, and(eq(testGroups.appId, appId), eq(testGroups.kind, kind)))
  if (there >= limit) refuse(errors.groupLimit, { limit, kind })
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
    .catch((error: unknown): never => {
      if (isDuplicate(error, 'version_test_groups_name')) refuse(errors.groupNameTaken, { name: name.trim() })
      throw error
    })
  if (!group) throw new Error('no row came back')
  tell(ctx, group, 'create', { name: group.name, kind })
  return group
}

/** Deletes a group with its people; refused while a live test goes to it. */
export async function deleteGroup(ctx: Context, groupId: string): Promise<void> {
  const { appId } = await loadGroup(ctx, groupId)
  await lockApp(ctx, appId)
  const group = await loadGroup(ctx, groupId)
  const used = await testsOfGroups(ctx, [groupId])
  if (used.length > 0) refuse(errors.groupInUse, { count: used.length, versionIds: used.map(test => test.versionId) })
  await ctx.db.delete(testUsers).where(eq(testUsers.groupId, groupId))
  await ctx.db.delete(testGroups).where(eq(testGroups.groupId, groupId))
  tell(ctx, group, 'delete', {})
}

/** Whether a group is there, by id or name, what uses it, and how many more people the app may have. */
export async function checkGroup(ctx: Context, wish: { appId: string; groupId?: string; name?: string }) {
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
  const used = group ? await testsOfGroups(ctx, [group.groupId]) : []
  return {
    exists: group !== undefined,
    groupId: group?.groupId ?? null,
    inUseByVersionIds: used.map(test => test.versionId),
    remainingUsers: Math.max(0, testLimits.users - (await peopleOfApp(ctx, wish.appId))),
  }
}

/** Adds people by mail address. Those of a running test that mails its testers are told at once. */
export async function addUsers(
  ctx: Context,
  wish: { groupId: string; users: readonly { account: string; nickname?: string }[] },
): Promise<{ added: UserRecord[]; known: number }> {
  const { appId } = await loadGroup(ctx, wish.groupId)
  await lockApp(ctx, appId)
  const group = await loadGroup(ctx, wish.groupId)
  const wanted = new Map(wish.users.map(({ account, nickname = '' }, index) => [addressOf(account, index), nickname]))
  const there = await ctx.db
    .select()
    .from(testUsers)
    .where(and(eq(testUsers.groupId, group.groupId), inArray(testUsers.account, [...wanted.keys()])))
  const now = ctx.now()
  const left = there.find(user => !mayReturn(user, now))
  if (left) {
    const from = new Date(left.updatedAt + testLimits.leftMs).toISOString()
    refuse(errors.userLeft, { account: left.account, from })
  }
  const known = new Set(there.filter(user => isEntitled(user.state)).map(user => user.account))
  const fresh = [...wanted.keys()].filter(account => !known.has(account))
  await mustHaveRoom(ctx, appId, fresh)
  const added =
    fresh.length === 0
      ? []
      : await ctx.db
          .insert(testUsers)
          .values(
            fresh.map(account => ({
              userId: ctx.newId(),
              teamId: group.teamId,
              appId,
              groupId: group.groupId,
              account,
              nickname: (wanted.get(account) ?? '').trim(),
              state: 'ADDED' as const,
              createdAt: now,
              updatedAt: now,
            })),
          )
          .onConflictDoUpdate({
            target: [testUsers.groupId, testUsers.account],
            // Somebody who comes back gets another address: the one he had stays dead.
            set: {
              userId: sql`excluded.user_id`,
              nickname: sql`excluded.nickname`,
              state: 'ADDED',
              invitedAt: null,
              toldOf: null,
              updatedAt: now,
            },
          })
          .returning()
  if (added.length > 0) {
    tell(ctx, group, 'addUsers', { added: added.length })
    for (const test of await testsOfGroups(ctx, [group.groupId])) {
      if (test.state === 'TESTING' && test.isNotified) startMails(ctx, test)
    }
  }
  return { added, known: known.size }
}

function addressOf(account: string, index: number): string {
  const address = account.trim().toLowerCase()
  if (isMailAddress(address)) return address
  throw badField(`/users/${index}/account`, 'address', `${account} is no mail address.`)
}

/** People are counted once, in however many groups of the app they are. */
async function mustHaveRoom(ctx: Context, appId: string, fresh: readonly string[]): Promise<void> {
  if (fresh.length === 0) return
  const rows = await ctx.db
    .selectDistinct({ account: testUsers.account })
    .from(testUsers)
    .where(
      and(
        eq(testUsers.appId, appId),
        inArray(testUsers.account, [...fresh]),
        inArray(testUsers.state, [...entitledStates]),
      ),
    )
  const remaining = testLimits.users - (await peopleOfApp(ctx, appId))
  if (fresh.length - rows.length > remaining) refuse(errors.userLimit, { limit: testLimits.users, remaining })
}

/** Takes somebody out; his address answers nothing any more. */
export async function removeUser(ctx: Context, userId: string): Promise<void> {
  const user = await loadUser(ctx, userId)
  await lockApp(ctx, user.appId)
  const group = await loadGroup(ctx, user.groupId)
  await ctx.db
    .update(testUsers)
    .set({ state: 'REMOVED', updatedAt: ctx.now() })
    .where(and(eq(testUsers.userId, userId), inArray(testUsers.state, [...entitledStates])))
  tell(ctx, group, 'removeUser', { userId })
}

/** Addresses of people stay out of the audit: it cannot be erased, they can. */
function tell(ctx: Context, group: GroupRecord, verb: string, after: Record<string, unknown>): void {
  const { groupId, appId, teamId } = group
  ctx.audit({ action: `testGroup.${verb}`, entity: 'testGroup', entityId: groupId, after, teamId })
  ctx.emit({ type: 'testgroup.changed', entity: 'testGroup', entityId: groupId, teamId, data: { appId, verb } })
}
