import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { accounts } from '../tables.home.ts'
import { isVerified } from './rules.ts'

/** Whether the real name of an account was verified and the proof still holds. */
export async function isRealNameVerified(ctx: Context, accountId: string): Promise<boolean> {
  const [row] = await ctx.home
    .select({ state: accounts.verifyRealState })
    .from(accounts)
    .where(eq(accounts.accountId, accountId))
  return row !== undefined && isVerified(row.state)
}
