import { and, eq, inArray, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { accountContacts } from '../../../ground/session/public.ts'
import type { AppRow } from '../../apps/public.ts'
import { appsOf } from '../../apps/public.ts'
import { pageOfHolder, readSecret, secretOf } from '../address.ts'
import type { UserRecord } from '../queries.ts'
import { entitledStates, isInvitationOpen, isPhone, phoneOf } from '../rules.ts'
import { activities, links, testUsers } from '../tables.ts'
import { betaInvitations as contract } from './contract.ts'
import { enter, openDoor } from './joining.ts'
import { maskedAddress } from './rules.ts'

const { errors } = contract

/** The person a secret was mailed to, in whatever state, with the app; a secret that opens nothing is refused. The context must be the system's. */
export async function invitedBy(ctx: Context, userId: string): Promise<{ app: AppRow; user: UserRecord }> {
  const [user] = await ctx.db.select().from(testUsers).where(eq(testUsers.userId, userId))
  const [app] = user ? await appsOf(ctx, [user.appId]) : []
  const isOpen = user && (isInvitationOpen(user, ctx.now()) || user.state === 'DECLINED')
  if (!user || !app || !isOpen || app.lifecycle === 'DELETED') refuse(errors.notInvited)
  return { app, user }
}

/** Yes or no to an invitation; who said no may still say yes. */
export async function answerInvitation(ctx: Context, userId: string, says: 'yes' | 'no'): Promise<UserRecord> {
  const { user } = await invitedBy(ctx, userId)
  const state = says === 'yes' ? 'ACCEPTED' : 'DECLINED'
  if (user.state === state) return user
  if (says === 'no' && user.state === 'ACCEPTED') refuse(errors.notInvited)
  const [after] = await ctx.db
    .update(testUsers)
    .set({ state, updatedAt: ctx.now(), revision: sql`${testUsers.revision} + 1` })
    .where(and(eq(testUsers.userId, userId), eq(testUsers.state, user.state)))
    .returning()
  if (!after) refuse(errors.notInvited)
  tell(ctx, after, says === 'yes' ? 'testuser.accepted' : 'testuser.declined')
  return after
}

/** Somebody wants no more tests of the app: he is out of all its groups, and his addresses answer nothing. */
export async function leave(ctx: Context, person: { appId: string; account: string }): Promise<boolean> {
  const gone = await ctx.db
    .update(testUsers)
    .set({ state: 'UNSUBSCRIBED', updatedAt: ctx.now(), revision: sql`${testUsers.revision} + 1` })
    .where(
      and(
        eq(testUsers.appId, person.appId),
        eq(testUsers.account, person.account),
        inArray(testUsers.state, [...entitledStates]),
      ),
    )
    .returning()
  const [first] = gone
  if (!first) return false
  tell(ctx, first, 'testuser.unsubscribed')
  return true
}

export function tell(ctx: Context, { userId, teamId, appId, groupId }: UserRecord, type: string): void {
  ctx.emit({ type, entity: 'testUser', entityId: userId, teamId, data: { appId, groupId } })
}

/** Somebody with a session says yes. His account's address must be the invited one; by a link it is what he joins with. */
export async function subscribeAccount(ctx: Context, system: Context, token: string) {
  const holder = readSecret(system, token)
  if (!holder || holder.kind === 'open' || holder.kind === 'join') refuse(errors.notInvited)
  if (holder.kind === 'user') {
    const own = await ownAccounts(ctx)
    const { app, user } = await invitedBy(system, holder.userId)
    if (!own.includes(user.account)) refuse(errors.otherAddress, { address: maskedAddress(user.account) })
    const after = await answerInvitation(system, user.userId, 'yes')
    await system.db.update(testUsers).set({ accountId: ctx.accountId }).where(eq(testUsers.userId, user.userId))
    return joinedAs(system, app, after)
  }
  const account = await ownAddress(ctx)
  const door = await openDoor(system, holder)
  const user = await enter(system, door, { account, nickname: '', accountId: ctx.accountId })
  return joinedAs(system, door.app, user)
}

export async function unsubscribeAccount(ctx: Context, system: Context, token: string): Promise<boolean> {
  const own = await ownAccounts(ctx)
  const holder = readSecret(system, token)
  if (holder?.kind === 'user') {
    const [user] = await system.db.select().from(testUsers).where(eq(testUsers.userId, holder.userId))
    // A number is proven by nothing but the address that was sent to it.
    if (user && isPhone(user.account)) return own.includes(user.account) && leave(system, user)
  }
  const account = await ownAddress(ctx)
  const appId = await appOfToken(system, token)
  return appId === null ? false : leave(system, { appId, account })
}

async function appOfToken(ctx: Context, token: string): Promise<string | null> {
  const holder = readSecret(ctx, token)
  const rows =
    holder?.kind === 'user'
      ? await ctx.db.select({ appId: testUsers.appId }).from(testUsers).where(eq(testUsers.userId, holder.userId))
      : holder?.kind === 'link'
        ? await ctx.db.select({ appId: links.appId }).from(links).where(eq(links.linkId, holder.linkId))
        : holder?.kind === 'activity'
          ? await ctx.db
              .select({ appId: activities.appId })
              .from(activities)
              .where(eq(activities.activityId, holder.activityId))
          : []
  return rows[0]?.appId ?? null
}

/** By what somebody with a session may have been invited: his mail address and his phone number. Refuses who has neither. */
async function ownAccounts(ctx: Context): Promise<string[]> {
  const [contact] = await accountContacts(ctx, [ctx.accountId])
  const own = [mailOf(contact?.email), contact?.phone && phoneOf(contact.phone)].filter(one => !!one)
  if (own.length === 0) refuse(errors.noAddress)
  return own as string[]
}

async function ownAddress(ctx: Context): Promise<string> {
  const [contact] = await accountContacts(ctx, [ctx.accountId])
  return mailOf(contact?.email) ?? refuse(errors.noAddress)
}

const mailOf = (email: string | null | undefined) => (email ? email.normalize('NFKC').trim().toLowerCase() : null)

export function joinedAs(ctx: Context, app: AppRow, { userId }: UserRecord) {
  const holder = { kind: 'user', userId } as const
  return { appName: app.name, token: secretOf(ctx, holder), page: pageOfHolder(ctx, holder) }
}
