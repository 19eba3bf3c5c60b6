import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { ConsentPurpose } from './rules.ts'
import { consentRows as rows } from './tables.home.ts'

/**
 * Which of the accounts consent to a purpose now. Ask when something is sent or collected, not when it is queued: consent
 * may be taken back in between. Who never said anything does not consent.
 */
export async function consentingOf(
  ctx: Context,
  accountIds: readonly string[],
  purpose: ConsentPurpose,
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const last = await ctx.home
    .selectDistinctOn([rows.accountId], { accountId: rows.accountId, isAgree: rows.isAgree })
    .from(rows)
    .where(and(inArray(rows.accountId, [...accountIds]), eq(rows.purpose, purpose)))
    .orderBy(rows.accountId, desc(rows.consentId))
  return new Set(last.filter(row => row.isAgree).map(row => row.accountId))
}

/** Whether an account consents to a purpose now; as `consentingOf`. */
export async function hasConsent(ctx: Context, accountId: string, purpose: ConsentPurpose): Promise<boolean> {
  return (await consentingOf(ctx, [accountId], purpose)).has(accountId)
}
