import { inArray } from 'drizzle-orm'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { pageOfHolder } from './address.ts'
import type { TestGroup, TestUser } from './contract.ts'
import { countsOfGroups, type GroupRecord, groupsOfIds, type UserRecord } from './queries.ts'
import { isEntitled, isPhone, limits } from './rules.ts'
import { activities } from './tables.ts'
import { testsOn } from './test-doors.ts'

export async function toGroups(ctx: Context, rows: readonly GroupRecord[]): Promise<Static<typeof TestGroup>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.groupId)
  const counts = await countsOfGroups(ctx, ids)
  const used = await testsOn(ctx).liveOfGroups(ctx, ids)
  const recruiting = await ctx.db
    .select({ groupId: activities.groupId, activityId: activities.activityId })
    .from(activities)
    .where(inArray(activities.groupId, ids))
  const byGroup = new Map(recruiting.map(one => [one.groupId, one.activityId]))
  return rows.map(row => ({
    ...row,
    count: counts.get(row.groupId)?.people ?? 0,
    accepted: counts.get(row.groupId)?.accepted ?? 0,
    inUseByVersionIds: used.filter(test => test.groupIds.includes(row.groupId)).map(test => test.versionId),
    activityId: byGroup.get(row.groupId) ?? null,
    createTime: row.createdAt,
  }))
}

export async function toGroup(ctx: Context, row: GroupRecord): Promise<Static<typeof TestGroup>> {
  const [group] = await toGroups(ctx, [row])
  if (!group) throw new Error('one row makes one answer')
  return group
}

export async function toUsers(ctx: Context, rows: readonly UserRecord[]): Promise<Static<typeof TestUser>[]> {
  const groups = await groupsOfIds(
    ctx,
    rows.map(row => row.groupId),
  )
  const names = new Map(groups.map(group => [group.groupId, group.name]))
  return rows.map(row => ({
    ...row,
    groupName: names.get(row.groupId) ?? '',
    page: pageToPassOn(ctx, row),
    inviteExpiresAt: row.state === 'INVITED' ? (row.invitedAt ?? 0) + limits.inviteMs : null,
    lastInstall: row.lastInstallAt,
    createTime: row.createdAt,
  }))
}

/** Nobody mails a phone number: where no gateway sends it a message, who invites passes the page on. */
function pageToPassOn(ctx: Context, { userId, account, state }: UserRecord): string | null {
  const isHis = isPhone(account) && isEntitled(state) && ctx.may('betaTest.manage')
  return isHis ? pageOfHolder(ctx, { kind: 'user', userId }) : null
}
