import type { Context } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import { actorOfAccount } from './place.ts'

/** What events say of a person in words; ids, states and times stay. */
const wordsOfEvents = ['name', 'loginName', 'label', 'ip', 'userAgent', 'provider', 'reason']

/**
 * Takes out of the audit the network addresses from which accounts acted, and those of calls of nobody that made or
 * entered them. Who did what and when stays. The scope of rows must be `all`.
 */
export async function forgetAddresses(
  ctx: Context,
  database: DatabaseName,
  accountIds: readonly string[],
): Promise<void> {
  const transaction = ctx.transaction(database)
  await transaction.query({
    name: 'audit forget',
    text: 'UPDATE audit SET ip = NULL WHERE ip IS NOT NULL AND actor = ANY($1)',
    values: [accountIds.map(actorOfAccount)],
  })
  await transaction.query({
    name: 'audit forget entering',
    text: `UPDATE audit SET ip = NULL WHERE ip IS NOT NULL AND actor = 'anonymous'
      AND (entity_id = ANY($1) OR after->>'accountId' = ANY($1))`,
    values: [accountIds],
  })
}

/** Takes out of the audit the network addresses of calls of nobody about these things. The scope must be `all`. */
export async function forgetVisitors(
  ctx: Context,
  database: DatabaseName,
  entityIds: readonly string[],
): Promise<void> {
  await ctx.transaction(database).query({
    name: 'audit forget visitors',
    text: `UPDATE audit SET ip = NULL WHERE ip IS NOT NULL AND actor = 'anonymous' AND entity_id = ANY($1)`,
    values: [entityIds],
  })
}

/**
 * Events that were told stay as a list of what happened, without the words about accounts in them. Returns the accounts
 * of which an event with such words is still to be told.
 */
export async function forgetTold(
  ctx: Context,
  database: DatabaseName,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await ctx.transaction(database).query<{ account_id: string; is_told: boolean }>({
    text: `WITH meant AS (
        SELECT event_id, data->>'accountId' AS account_id, relayed_at IS NOT NULL AS is_told FROM outbox
        WHERE data->>'accountId' = ANY($1) AND data ?| $2::text[]),
      forgotten AS (
        UPDATE outbox SET data = data - $2::text[] WHERE event_id IN (SELECT event_id FROM meant WHERE is_told))
      SELECT DISTINCT account_id, is_told FROM meant`,
    values: [accountIds, wordsOfEvents],
  })
  return new Set(rows.filter(row => !row.is_told).map(row => row.account_id))
}
