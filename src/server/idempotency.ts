import { createHash } from 'node:crypto'
import { commonErrors, refuse } from '../kernel/errors.ts'
import type { Context } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import type { Sweep } from './work.ts'

const keptMs = 24 * 3_600_000

/** Answers may tell of people, so none is kept longer than it is promised. */
export const expiredAnswers: readonly Sweep[] = (['home', 'zone'] as const).map(database => ({
  name: `idempotency.expired ${database}`,
  every: '55 */10 * * * *',
  database,
  run: async ctx => {
    await ctx.transaction(database === 'home' ? 'home' : ctx.zone).query({
      name: 'idempotency expired',
      text: 'DELETE FROM idempotency WHERE expires_at < $1',
      values: [ctx.now()],
    })
  },
}))

/**
 * Runs `work` once for a key: the claim and the answer are written in the transaction of the work itself, so a second
 * request waits for the first and gets its answer, and a failed one leaves no trace. The same key with another body is
 * refused.
 */
export async function once<T>(
  ctx: Context,
  database: DatabaseName,
  claim: { key: string; call: string; body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  if (!/^[\x21-\x7e]{1,64}$/.test(claim.key)) {
    refuse(commonErrors.badInput, {
      fields: [
        { in: 'header', pointer: '/idempotency-key', rule: 'pattern', message: '1 to 64 visible ASCII characters' },
      ],
    })
  }
  const owner = `${ctx.caller.clientId ?? ctx.caller.accountId ?? ctx.place.ip}:${ctx.place.teamId ?? ''}`
  const bodySha256 = createHash('sha256')
    .update(JSON.stringify(claim.body ?? null))
    .digest('hex')
  const transaction = ctx.transaction(database)
  await transaction.query({
    text: 'DELETE FROM idempotency WHERE owner = $1 AND call = $2 AND key = $3 AND expires_at < $4',
    values: [owner, claim.call, claim.key, ctx.now()],
  })
  const taken = await transaction.query({
    text: `INSERT INTO idempotency (owner, call, key, body_sha256, expires_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING`,
    values: [owner, claim.call, claim.key, bodySha256, ctx.now() + keptMs],
  })
  if (taken.rowCount === 0) {
    const { rows } = await transaction.query<{ body_sha256: string; answer: T }>({
      text: 'SELECT body_sha256, answer FROM idempotency WHERE owner = $1 AND call = $2 AND key = $3',
      values: [owner, claim.call, claim.key],
    })
    const before = rows[0]
    if (!before || before.body_sha256 !== bodySha256) refuse(commonErrors.idempotencyReused)
    return before.answer
  }
  const answer = await work()
  await transaction.query({
    text: 'UPDATE idempotency SET answer = $4, is_done = true WHERE owner = $1 AND call = $2 AND key = $3',
    values: [owner, claim.call, claim.key, JSON.stringify(answer ?? {})],
  })
  return answer
}
