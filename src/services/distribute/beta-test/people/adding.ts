import { and, eq, inArray, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isMailAddress } from '../../../../server/engines/mail/port.ts'
import { badField } from '../../../../server/http/problem.ts'
import { tellGroup } from '../groups.ts'
import { type GroupRecord, loadUser, lockGroup, peopleOfApp, type UserRecord } from '../queries.ts'
import { entitledStates, isEntitled, isPhone, limits, mayReturn, phoneOf, type UserState } from '../rules.ts'
import { testUsers } from '../tables.ts'
import { betaPeople as contract } from './contract.ts'

const { errors } = contract

export interface NewPerson {
  account: string
  nickname?: string
}

/** Adds people by mail address or phone number to a group of the caller's. */
export async function addPeople(
  ctx: Context,
  groupId: string,
  users: readonly NewPerson[],
): Promise<{ added: UserRecord[]; known: number }> {
  const { group } = await lockGroup(ctx, groupId)
  const wanted = new Map(users.map(({ account, nickname = '' }, index) => [accountOf(account, index), nickname]))
  const there = await ctx.db
    .select()
    .from(testUsers)
    .where(and(eq(testUsers.groupId, group.groupId), inArray(testUsers.account, [...wanted.keys()])))
  const left = there.find(user => !mayReturn(user, ctx.now()))
  if (left) {
    const from = new Date(left.updatedAt + limits.leftMs).toISOString()
    refuse(errors.userLeft, { account: left.account, from })
  }
  const known = new Set(there.filter(user => isEntitled(user.state)).map(user => user.account))
  const fresh = [...wanted].filter(([account]) => !known.has(account))
  await mustHaveRoom(
    ctx,
    group.appId,
    fresh.map(([account]) => account),
  )
  const added = await putPeople(
    ctx,
    group,
    fresh.map(([account, nickname]) => ({ account, nickname, state: 'ADDED' })),
  )
  if (added.length > 0) tellGroup(ctx, group, 'addUsers', { added: added.length })
  return { added, known: known.size }
}

interface Placed {
  account: string
  nickname: string
  state: UserState
  accountId?: string
}

/** Writes people into a group. Somebody who comes back gets another secret: the one he had stays dead. */
export async function putPeople(ctx: Context, group: GroupRecord, people: readonly Placed[]): Promise<UserRecord[]> {
  if (people.length === 0) return []
  const now = ctx.now()
  const { teamId, appId, groupId } = group
  return ctx.db
    .insert(testUsers)
    .values(
      people.map(({ account, nickname, state, accountId = null }) => ({
        ...{ userId: ctx.newId(), teamId, appId, groupId, account, nickname: nickname.trim(), state, accountId },
        ...{ createdAt: now, updatedAt: now },
      })),
    )
    .onConflictDoUpdate({
      target: [testUsers.groupId, testUsers.account],
      set: {
        userId: sql`excluded.user_id`,
        nickname: sql`excluded.nickname`,
        state: sql`excluded.state`,
        accountId: sql`excluded.account_id`,
        invitedAt: null,
        toldOf: null,
        updatedAt: now,
        revision: sql`${testUsers.revision} + 1`,
      },
    })
    .returning()
}

/** A mail address as it is compared. */
export function addressOf(account: string): string {
  const address = account.normalize('NFKC').trim().toLowerCase()
  if (isMailAddress(address)) return address
  throw badField('/account', 'address', `${account} is no mail address.`)
}

/** A phone number or a mail address as it is compared. */
function accountOf(account: string, index: number): string {
  const address = phoneOf(account) ?? account.normalize('NFKC').trim().toLowerCase()
  if (isPhone(address) || isMailAddress(address)) return address
  const says = `${account} is neither a mail address nor a phone number with + and the code of its country.`
  throw badField(`/users/${index}/account`, 'address', says)
}

/** People are counted once, in however many groups of the app they are. */
export async function mustHaveRoom(ctx: Context, appId: string, fresh: readonly string[]): Promise<void> {
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
  const remaining = limits.users - (await peopleOfApp(ctx, appId))
  if (fresh.length - rows.length > remaining) refuse(errors.userLimit, { limit: limits.users, remaining })
}

/** Takes somebody out of one group, or of all of the app; his addresses answer nothing any more. */
export async function removePerson(ctx: Context, userId: string, from: { groupId: string } | 'app'): Promise<number> {
  const user = await loadUser(ctx, userId)
  const { group } = await lockGroup(ctx, from === 'app' ? user.groupId : from.groupId)
  const gone = await ctx.db
    .update(testUsers)
    .set({ state: 'REMOVED', updatedAt: ctx.now(), revision: sql`${testUsers.revision} + 1` })
    .where(
      and(
        from === 'app'
          ? and(eq(testUsers.appId, user.appId), eq(testUsers.account, user.account))
          : and(eq(testUsers.userId, userId), eq(testUsers.groupId, from.groupId)),
        inArray(testUsers.state, [...entitledStates, 'DECLINED']),
      ),
    )
    .returning({ userId: testUsers.userId })
  if (gone.length > 0) tellGroup(ctx, group, 'removeUser', { userIds: gone.map(one => one.userId) })
  return gone.length
}
