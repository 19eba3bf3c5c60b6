import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { WireAccess } from '../../../server/implement.ts'
import { session } from './contract.ts'
import { refuseLeaving } from './deletion/asking.ts'
import { handOver } from './hand-over.ts'
import { deviceOf, rememberDevice, setDeviceCookie } from './known-device.ts'
import { accountStatus, hardExpiryFrom, nextSoftExpiry } from './rules.ts'
import { hasSecondFactorOf } from './second-factor.ts'
import { accounts, sessions } from './tables.home.ts'
import { issueTicket } from './tickets.ts'

export type AccountRow = typeof accounts.$inferSelect
type SessionRow = typeof sessions.$inferSelect
export type SignInMethod = SessionRow['method']

/** Refuses accounts that may not sign in. Call it only after the person has proven to be the one of the account. */
export function refuseUnlessOpen(account: Pick<AccountRow, 'status'>): void {
  const { status } = account
  if (status === accountStatus.normal || status === accountStatus.mustSignIn) return
  if (status === accountStatus.locked) refuse(session.errors.accountLocked)
  if (status === accountStatus.frozen) refuse(session.errors.accountFrozen)
  refuse(session.errors.accountClosed)
}

/** Who is to be deleted proves who he is to the end before he is told: he may keep the account. */
function isLeaving({ status }: Pick<AccountRow, 'status'>): boolean {
  return status === accountStatus.pendingDeletion
}

/** Goes on after the first proof: opens the session, or answers the ticket of the second step. */
export async function afterFirstFactor(
  ctx: Context,
  wire: WireAccess,
  account: AccountRow,
  method: SignInMethod,
  inSameTransaction: (inner: Context) => Promise<void> = async () => undefined,
): Promise<{ ticket: string } | { signedIn: ReturnType<typeof handOver> }> {
  if (!isLeaving(account)) refuseUnlessOpen(account)
  const ticket = await ctx.transact(async inner => {
    if (!(await hasSecondFactorOf(inner, account.accountId))) return null
    await inSameTransaction(inner)
    return issueTicket(inner, 'secondFactor', { accountId: account.accountId, data: { method } })
  })
  if (ticket !== null) return { ticket }
  return { signedIn: await enter(ctx, wire, account, { method, hasSecondFactor: false }, inSameTransaction) }
}

/** Opens a session and sets its cookies. */
export async function enter(
  ctx: Context,
  { request, reply }: WireAccess,
  account: AccountRow,
  how: { method: SignInMethod; hasSecondFactor: boolean },
  inSameTransaction: (inner: Context) => Promise<void> = async () => undefined,
): Promise<ReturnType<typeof handOver>> {
  if (isLeaving(account)) return refuseLeaving(ctx, account.accountId, inSameTransaction)
  refuseUnlessOpen(account)
  const given = deviceOf(ctx, request)
  const row = await ctx.transact(async inner => {
    await inSameTransaction(inner)
    return openSession(inner, account, how, given, request.headers['user-agent'] ?? null)
  })
  setDeviceCookie(ctx, reply, row.deviceId ?? '')
  return handOver(ctx, reply, account, row)
}

async function openSession(
  ctx: Context,
  account: AccountRow,
  how: { method: SignInMethod; hasSecondFactor: boolean },
  givenDevice: string | null,
  userAgent: string | null,
): Promise<SessionRow> {
  const { accountId } = account
  const { deviceId, isNew } = await rememberDevice(ctx, accountId, givenDevice)
  const now = ctx.now()
  const hardExpireAt = hardExpiryFrom(now)
  const row: SessionRow = {
    sessionId: randomBytes(18).toString('base64url'),
    accountId,
    counter: 1,
    rotatedAt: now,
    softExpireAt: nextSoftExpiry(now, hardExpireAt),
    hardExpireAt,
    revokedAt: null,
    ip: ctx.place.ip,
    userAgent: userAgent?.slice(0, 300) ?? null,
    createdAt: now,
    lastSeenAt: now,
    authenticatedAt: now,
    ...how,
    deviceId,
  }
  await ctx.home.insert(sessions).values(row)
  if (account.status === accountStatus.mustSignIn) {
    await ctx.home.update(accounts).set({ status: accountStatus.normal }).where(eq(accounts.accountId, accountId))
  }
  const after = { accountId, ...how }
  ctx.audit({ action: 'session.login', entity: 'session', entityId: row.sessionId, after, accountId }, 'home')
  if (isNew) {
    const data = { accountId, ip: row.ip, userAgent: row.userAgent, at: now }
    ctx.emit({ type: 'session.new_device', entity: 'account', entityId: accountId, data }, 'home')
  }
  return row
}
