import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { accounts } from '../tables.home.ts'
import { isVerified, realState } from './rules.ts'

/** Whether somebody looked at who this account is in law, passed it, and the pass has not ended. False for an unknown one. */
export async function isRealNameVerified(ctx: Context, accountId: string): Promise<boolean> {
  const [row] = await ctx.home
    .select({ state: accounts.verifyRealState })
    .from(accounts)
    .where(eq(accounts.accountId, accountId))
  return row !== undefined && isVerified(row.state)
}

/** Whether somebody looked at the papers of the enterprise that this account stands for, and passed them. */
export async function isEnterpriseVerified(ctx: Context, accountId: string): Promise<boolean> {
  const [row] = await ctx.home
    .select({ state: accounts.verifyRealState })
    .from(accounts)
    .where(eq(accounts.accountId, accountId))
  return row !== undefined && row.state === realState.enterprise
}
