import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { causeOf } from '../../../server/http/problem.ts'
import { errors } from './contract.ts'
import { dropFactors } from './factors/totp.ts'
import { queueWelcome } from './messages.ts'
import type { ProvenIdentity } from './providers/proof.ts'
import { providerNumbers } from './rules.ts'
import { endSessions, tellUser, type UserRow } from './sessions.ts'
import { type AuthSettings, appUserDays, appUserIdentities, appUserSessions, appUsers } from './tables.ts'

export type IdentityRow = typeof appUserIdentities.$inferSelect

/** What a broken unique rule of users means for people. */
export function refuseTaken(error: unknown): never {
  const { code, constraint } = error instanceof Error ? causeOf(error) : {}
  if (code === '23505' && constraint === 'app_users_email') refuse(errors.userExists, { what: 'e-mail address' })
  if (code === '23505' && constraint === 'app_users_phone') refuse(errors.userExists, { what: 'phone number' })
  if (code === '23505' && constraint?.startsWith('app_user_identities'))
    refuse(errors.alreadyLinked, { what: 'account' })
  throw error
}

type NewUser = Partial<typeof appUsers.$inferInsert> & { projectId: string; teamId: string }

/** Makes a user and tells of it. Refuses an address or a number that is another's. */
export async function makeUser(ctx: Context, wanted: NewUser, settings: AuthSettings): Promise<UserRow> {
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(appUsers)
    .values({ state: 'ACTIVE', ...wanted, uid: ctx.newId(), createdAt: now, updatedAt: now })
    .returning()
    .catch(refuseTaken)
  if (!row) throw new Error('no user was made')
  const { uid, projectId, email, displayName } = row
  ctx.emit({ type: 'app_auth.user_created', entity: 'appUser', entityId: uid, data: { projectId, uid } })
  if (settings.sendsWelcome && email !== null) queueWelcome(ctx, { projectId, uid, to: email, name: displayName })
  return row
}

export async function userBy(
  ctx: Context,
  projectId: string,
  by: { email: string } | { phone: string } | { uid: string },
): Promise<UserRow | null> {
  const is =
    'email' in by
      ? eq(appUsers.email, by.email)
      : 'phone' in by
        ? eq(appUsers.phone, by.phone)
        : eq(appUsers.uid, by.uid)
  const [row] = await ctx.db
    .select()
    .from(appUsers)
    .where(and(eq(appUsers.projectId, projectId), is))
  return row && row.state !== 'DELETED' ? row : null
}

/** One user of a project, or 404. */
export async function userOf(ctx: Context, projectId: string, uid: string): Promise<UserRow> {
  return (await userBy(ctx, projectId, { uid })) ?? refuse(commonErrors.notFound, { entity: 'user', id: uid })
}

export async function identitiesOf(ctx: Context, uids: readonly string[]): Promise<Map<string, IdentityRow[]>> {
  if (uids.length === 0) return new Map()
  const rows = await ctx.db
    .select()
    .from(appUserIdentities)
    .where(inArray(appUserIdentities.uid, [...uids]))
    .orderBy(asc(appUserIdentities.linkedAt))
  return Map.groupBy(rows, row => row.uid)
}

export async function userOfIdentity(
  ctx: Context,
  projectId: string,
  provider: number,
  { issuer, openId }: ProvenIdentity,
): Promise<UserRow | null> {
  const [row] = await ctx.db
    .select({ user: appUsers })
    .from(appUserIdentities)
    .innerJoin(appUsers, eq(appUsers.uid, appUserIdentities.uid))
    .where(
      and(
        eq(appUserIdentities.projectId, projectId),
        eq(appUserIdentities.provider, provider),
        eq(appUserIdentities.issuer, issuer),
        eq(appUserIdentities.openId, openId),
      ),
    )
  return row?.user ?? null
}

/** Binds who somebody is elsewhere to a user. Refuses when that is another’s, or the user has one of the provider. */
export async function linkIdentity(
  ctx: Context,
  user: Pick<UserRow, 'uid' | 'projectId' | 'teamId'>,
  provider: number,
  identity: ProvenIdentity,
): Promise<void> {
  const { uid, projectId, teamId } = user
  await ctx.db
    .insert(appUserIdentities)
    .values({ ...identity, provider, uid, projectId, teamId, linkedAt: ctx.now() })
    .catch(refuseTaken)
}

/** Writes columns of a user; every process reads it anew. */
export async function changeUser(ctx: Context, uid: string, change: Partial<typeof appUsers.$inferInsert>) {
  const [row] = await ctx.db
    .update(appUsers)
    .set({ ...change, updatedAt: ctx.now(), revision: sql`${appUsers.revision} + 1` })
    .where(eq(appUsers.uid, uid))
    .returning()
    .catch(refuseTaken)
  if (!row) throw new Error('no user came back')
  tellUser(ctx, uid)
  return row
}

/**
 * Deletes users: a tombstone without a word of them stays for thirty days, so that the uid is nobody else’s. What other
 * services keep of them follows by event.
 */
export async function deleteUsers(ctx: Context, projectId: string, users: readonly UserRow[], eraseData: boolean) {
  const uids = users.map(one => one.uid)
  if (uids.length === 0) return
  await endSessions(ctx, { uids }, 'DELETED')
  await ctx.db.delete(appUserIdentities).where(inArray(appUserIdentities.uid, uids))
  for (const uid of uids) await dropFactors(ctx, uid)
  await ctx.db.delete(appUserDays).where(and(eq(appUserDays.projectId, projectId), inArray(appUserDays.uid, uids)))
  await ctx.db.update(appUserSessions).set({ device: '', place: '' }).where(inArray(appUserSessions.uid, uids))
  const now = ctx.now()
  await ctx.db
    .update(appUsers)
    .set({
      ...{ state: 'DELETED', displayName: '', photoUrl: '', email: null, phone: null, emailVerified: false },
      ...{ passwordHash: null, foreignHash: null, claims: {}, importUid: null, deletedAt: now, updatedAt: now },
    })
    .where(inArray(appUsers.uid, uids))
  for (const uid of uids) {
    tellUser(ctx, uid)
    const data = { projectId, uid, eraseData }
    ctx.emit({ type: 'app_auth.user_deleted', entity: 'appUser', entityId: uid, data })
  }
}

/** How many ways in a user has. */
export function waysIn(user: UserRow, identities: readonly IdentityRow[]): number {
  return (user.email === null ? 0 : 1) + (user.phone === null ? 0 : 1) + identities.length
}

export const hasPassword = (user: UserRow): boolean => user.passwordHash !== null || user.foreignHash !== null

/** The providers of a user as the public SDK lists them. */
export function providersOf(user: UserRow, identities: readonly IdentityRow[]) {
  const { uid, displayName, photoUrl, email, phone } = user
  return [
    ...(email === null ? [] : [{ uid, displayName, photoUrl, email, provider: String(providerNumbers.email) }]),
    ...(phone === null ? [] : [{ uid, displayName, photoUrl, phone, provider: String(providerNumbers.phone) }]),
    ...identities.map(one => ({
      uid,
      displayName: one.displayName,
      photoUrl: one.photoUrl,
      ...(one.email === null ? {} : { email: one.email }),
      openId: one.openId,
      provider: String(one.provider),
    })),
  ]
}
