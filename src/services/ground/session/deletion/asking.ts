import { and, eq, sql } from 'drizzle-orm'
import { Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { session } from '../contract.ts'
import { accountStatus } from '../rules.ts'
import { accountDeletions, accounts } from '../tables.home.ts'
import { teamsOf } from '../team-doors.ts'
import { issueTicket } from '../tickets.ts'
import { deletionGraceMs, deletionLifeCycle } from './rules.ts'

const { errors } = session
export type DeletionRow = typeof accountDeletions.$inferSelect

/** Refuses while others depend on the account: teams that it leads, a console that nobody else administers. */
export async function refuseWhileNeeded(ctx: Context, accountId: string): Promise<void> {
  const led = await teamsOf(ctx).teamsLedBy(ctx, accountId)
  if (led.length > 0) refuse(errors.leadsTeams, { teams: led.map(team => team.name).join(', '), teamsLed: led })
  if (await isLastAdministrator(ctx, accountId)) refuse(errors.lastAdministrator)
}

/** Administrators are locked: of two who leave at once, one stays. */
export async function isLastAdministrator(ctx: Context, accountId: string): Promise<boolean> {
  const rows = await ctx.home
    .select({ accountId: accounts.accountId })
    .from(accounts)
    .where(and(sql`${accounts.staffRoles} @> '{storeAdministrator}'`, eq(accounts.status, accountStatus.normal)))
    .orderBy(accounts.accountId)
    .for('update')
  return rows.length === 1 && rows[0]?.accountId === accountId
}

/** Writes down that an account is to be erased; its status is the caller's to set. */
export async function startDeletion(ctx: Context, accountId: string): Promise<DeletionRow> {
  const now = ctx.now()
  const asked = {
    state: 'asked' as const,
    askedBy: ctx.accountId,
    askedAt: now,
    erasesAt: now + deletionGraceMs,
    isHeldUp: false,
    updatedAt: now,
  }
  const [row] = await ctx.home
    .insert(accountDeletions)
    .values({ accountId, ...asked })
    .onConflictDoUpdate({
      target: accountDeletions.accountId,
      set: { ...asked, revision: sql`${accountDeletions.revision} + 1` },
    })
    .returning()
  if (!row) throw new Error('no row came back')
  const { erasesAt } = row
  const by = accountId === ctx.accountId ? 'self' : 'staff'
  const said = { entity: 'account', entityId: accountId }
  ctx.audit({ action: 'account.deletion', ...said, after: { by, erasesAt } }, 'home')
  ctx.emit({ type: 'session.deletion_asked', ...said, data: { accountId, by, erasesAt, at: now } }, 'home')
  return row
}

/** Ends a deletion that was asked for; by whom was checked by who calls. The account's status is the caller's to set. */
export async function stopDeletion(ctx: Context, accountId: string, by: 'self' | 'staff'): Promise<void> {
  const row = await deletionOf(ctx, accountId)
  if (row?.state !== 'asked') return
  await transition(ctx, {
    cycle: deletionLifeCycle,
    table: 'account_deletions',
    idColumn: 'account_id',
    row: { id: accountId, state: row.state, revision: row.revision },
    action: 'cancel',
    data: { accountId, by, at: ctx.now() },
    note: { by },
    isConsequence: true,
    database: 'home',
  })
}

/** The account is there as before, and signs in again. */
export async function reopen(ctx: Context, accountId: string): Promise<void> {
  await ctx.home
    .update(accounts)
    .set({ status: accountStatus.normal, revision: sql`${accounts.revision} + 1` })
    .where(and(eq(accounts.accountId, accountId), eq(accounts.status, accountStatus.pendingDeletion)))
  ctx.signal('home', 'sessions', accountId)
}

export async function deletionOf(ctx: Context, accountId: string): Promise<DeletionRow | null> {
  const [row] = await ctx.home
    .select()
    .from(accountDeletions)
    .where(eq(accountDeletions.accountId, accountId))
    .for('update')
  return row ?? null
}

/**
 * Refuses the sign-in of an account that is to be deleted. Who asked for it himself, and has proven to be the one, gets a
 * ticket to keep it with.
 */
export async function refuseLeaving(
  ctx: Context,
  accountId: string,
  inSameTransaction: (inner: Context) => Promise<void>,
): Promise<never> {
  const told = await ctx.transact(async inner => {
    await inSameTransaction(inner)
    const row = await deletionOf(inner, accountId)
    if (row?.state !== 'asked' || row.askedBy !== accountId) return {}
    return { ticket: await issueTicket(inner, 'keep', { accountId }), erasesAt: row.erasesAt }
  })
  throw new Refusal(errors.accountLeaving, told)
}
