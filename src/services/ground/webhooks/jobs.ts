import { inArray, lt } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { webhooksHandover } from './handover.ts'
import { events } from './listening.ts'
import { limits } from './rules.ts'
import { giveUpSending, sendDelivery, sendKind, startSending } from './sending.ts'
import { deliveries, tries } from './tables.ts'

export default {
  handover: webhooksHandover,
  jobs: [{ kind: sendKind, run: sendDelivery, giveUp: giveUpSending }],
  listeners: [events],
  sweeps: [
    { name: 'webhooks.due', every: '*/3 * * * * *', database: 'zone', run: queueDue },
    { name: 'webhooks.retention', every: '50 23 * * * *', database: 'zone', run: forgetOld },
  ],
} satisfies Work

const atOnce = 100
const atOnceOfOne = 5
const rowsAtOnce = 5_000

/** Queues what is due, a few of each webhook at a time: one that does not answer takes no more than its share. */
async function queueDue(ctx: Context): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ delivery_id: string; team_id: string }>({
    name: 'webhooks due',
    text: `WITH due AS (
        SELECT delivery_id, next_try_at, row_number() OVER (PARTITION BY endpoint_id ORDER BY next_try_at, delivery_id) AS turn
        FROM webhook_deliveries WHERE state = 'WAITING' AND next_try_at <= $1),
      busy AS (SELECT count(*) AS count FROM webhook_deliveries WHERE state IN ('QUEUED', 'SENDING'))
      UPDATE webhook_deliveries SET state = 'QUEUED', next_try_at = NULL
      WHERE state = 'WAITING' AND delivery_id IN (SELECT delivery_id FROM due, busy WHERE turn <= $3 AND busy.count < $2
        ORDER BY due.next_try_at LIMIT $2)
      RETURNING delivery_id, team_id`,
    values: [ctx.now(), atOnce, atOnceOfOne],
  })
  for (const { delivery_id: deliveryId, team_id: teamId } of rows) startSending(ctx, ctx.zone, { deliveryId, teamId })
}

async function forgetOld(ctx: Context): Promise<void> {
  const before = ctx.now() - limits.keptDays * 86_400_000
  const old = ctx.db
    .select({ deliveryId: deliveries.deliveryId })
    .from(deliveries)
    .where(lt(deliveries.createdAt, before))
    .limit(rowsAtOnce)
  await ctx.db.delete(deliveries).where(inArray(deliveries.deliveryId, old))
  await ctx.db.delete(tries).where(lt(tries.at, before))
}
