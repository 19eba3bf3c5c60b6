import { and, asc, eq, lte } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import {
  accountDeletions,
  accounts,
  authenticators,
  knownDevices,
  linkedIdentities,
  passkeys,
  realNames,
  recoveryCodes,
  sessions,
  tickets,
} from '../tables.home.ts'
import { teamsOf } from '../team-doors.ts'
import type { DeletionRow } from './asking.ts'
import { deletionGraceMs, deletionLifeCycle, heldUpMs } from './rules.ts'

const mostOfSweep = 50
const ownRows = [
  sessions,
  knownDevices,
  tickets,
  authenticators,
  recoveryCodes,
  passkeys,
  realNames,
  linkedIdentities,
  accounts,
] as const

/**
 * Erases the accounts whose grace is over. What is left of one is its number, here and in the audit; what events and the
 * audit of each database say besides is forgotten by `forgetErased`.
 */
export async function eraseDue(ctx: Context): Promise<void> {
  await adoptMarked(ctx)
  const now = ctx.now()
  const due = await ctx.home
    .select()
    .from(accountDeletions)
    .where(and(eq(accountDeletions.state, 'asked'), lte(accountDeletions.erasesAt, now)))
    .orderBy(asc(accountDeletions.erasesAt))
    .limit(mostOfSweep)
    .for('update', { skipLocked: true })
  for (const row of due) {
    if ((await teamsOf(ctx).teamsLedBy(ctx, row.accountId)).length > 0) {
      await ctx.home
        .update(accountDeletions)
        .set({ isHeldUp: true, erasesAt: now + heldUpMs, updatedAt: now })
        .where(eq(accountDeletions.accountId, row.accountId))
    } else {
      await erase(ctx, row)
    }
  }
}

async function erase(ctx: Context, row: DeletionRow): Promise<void> {
  const { accountId } = row
  const words = await wordsOf(ctx, accountId)
  await teamsOf(ctx).forgetInvited(ctx, words)
  await ctx.server.mail.kept?.forget(words)
  await ctx.transaction('home').query({
    text: `DELETE FROM session_tickets WHERE lower(data->>'email') = ANY($1)`,
    values: [words.map(word => word.toLowerCase())],
  })
  for (const table of ownRows) await ctx.home.delete(table).where(eq(table.accountId, accountId))
  ctx.signal('home', 'sessions', accountId)
  await transition(ctx, {
    cycle: deletionLifeCycle,
    table: 'account_deletions',
    idColumn: 'account_id',
    row: { id: accountId, state: row.state, revision: row.revision },
    action: 'erase',
    data: { accountId, at: ctx.now() },
    isConsequence: true,
    database: 'home',
  })
}

/** By what other rows know the person: its addresses and names. */
async function wordsOf(ctx: Context, accountId: string): Promise<string[]> {
  const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
  return account ? [account.loginName, account.name, account.email ?? '', account.phone ?? ''].filter(Boolean) : []
}

/** Accounts that staff marked before deletions had rows of their own wait their time from now on. */
async function adoptMarked(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.transaction('home').query({
    text: `INSERT INTO account_deletions (account_id, state, asked_at, erases_at, updated_at)
      SELECT account_id, 'asked', $1, $2, $1 FROM accounts a WHERE status = 3
        AND NOT EXISTS (SELECT FROM account_deletions d WHERE d.account_id = a.account_id)`,
    values: [now, now + deletionGraceMs],
  })
}
