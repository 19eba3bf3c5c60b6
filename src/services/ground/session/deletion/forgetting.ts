import { and, asc, eq, gt } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { DatabaseName } from '../../../../server/database/pools.ts'
import { forgetAddresses, forgetTold } from '../../../../server/forgetting.ts'
import { accountDeletions } from '../tables.home.ts'

const atOnce = 500
/** In the place of a listener: that an account was forgotten in a database is written down there like an event. */
const receipt = 'session.forget'

/**
 * Forgets in one database what events and the audit say of erased accounts besides their number, and tells the services
 * there. Each database looks by itself: one that was away, or is served by another process, does it when it can.
 */
export async function forgetErased(ctx: Context, database: DatabaseName): Promise<void> {
  for (let last = '0'; ; ) {
    const page = await ctx.home
      .select({ accountId: accountDeletions.accountId })
      .from(accountDeletions)
      .where(and(eq(accountDeletions.state, 'erased'), gt(accountDeletions.accountId, last)))
      .orderBy(asc(accountDeletions.accountId))
      .limit(atOnce)
    const ids = page.map(row => row.accountId)
    await forgetSome(ctx, database, await notYetForgotten(ctx, database, ids))
    if (ids.length < atOnce) return
    last = ids.at(-1) ?? last
  }
}

async function forgetSome(ctx: Context, database: DatabaseName, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await forgetAddresses(ctx, database, accountIds)
  const waiting = await forgetTold(ctx, database, accountIds)
  const done = accountIds.filter(accountId => !waiting.has(accountId))
  await ctx.transaction(database).query({
    text: 'INSERT INTO event_receipts (listener, event_id, at) SELECT $1, unnest($2::bigint[]), $3',
    values: [receipt, done, ctx.now()],
  })
  for (const accountId of done) {
    const said = { entity: 'account', entityId: accountId }
    ctx.emit({ type: 'session.account_forgotten', ...said, data: { accountId } }, database)
  }
}

async function notYetForgotten(ctx: Context, database: DatabaseName, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await ctx.transaction(database).query<{ account_id: string }>({
    text: `SELECT id AS account_id FROM unnest($2::bigint[]) AS id WHERE NOT EXISTS
      (SELECT FROM event_receipts WHERE listener = $1 AND event_id = id)`,
    values: [receipt, accountIds],
  })
  return rows.map(row => row.account_id)
}
