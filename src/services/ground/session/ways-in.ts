import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { session } from './contract.ts'

/** Refuses when the change before it in this transaction left the account nothing to sign in with. */
export async function refuseLastWayIn(ctx: Context, accountId: string): Promise<void> {
  const { rows } = await ctx.transaction('home').query<{ has: boolean }>({
    text: `SELECT EXISTS (SELECT FROM accounts WHERE account_id = $1 AND password_hash <> '')
      OR EXISTS (SELECT FROM passkeys WHERE account_id = $1)
      OR EXISTS (SELECT FROM linked_identities WHERE account_id = $1) AS has`,
    values: [accountId],
  })
  if (rows[0]?.has !== true) refuse(session.errors.lastWayIn)
}
