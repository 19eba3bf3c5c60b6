import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import { notify } from '../notices/public.ts'
import type { DeliveryRow, EndpointRow } from './queries.ts'
import { endpointLifeCycle, isGone, isSuccess, limits, nextTryAt, retryAfterMs } from './rules.ts'
import { deliveries, endpoints, tries } from './tables.ts'

/** What one try found. */
export interface TryMade {
  at: number
  durationMs: number
  status: number | null
  problem: string | null
  requestHeaders: Record<string, string>
  answerHeaders: Record<string, string>
  answerBody: string
  isCut: boolean
  retryAfter: string | undefined
}

/** Writes a try down with what follows from it: done, again later, or over; and for the webhook, whether it still lives. */
export async function afterTry(ctx: Context, deliveryId: string, made: TryMade): Promise<void> {
  const [delivery] = await ctx.db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.deliveryId, deliveryId), inArray(deliveries.state, ['QUEUED', 'SENDING'])))
    .for('update')
  if (!delivery) return
  const { teamId, endpointId } = delivery
  const isAccepted = made.status !== null && isSuccess(made.status)
  const { retryAfter, ...facts } = made
  await ctx.db.insert(tries).values({ tryId: ctx.newId(), teamId, endpointId, deliveryId, isAccepted, ...facts })
  const count = delivery.tries + 1
  const nextAt = isAccepted ? null : nextTryAt(ctx.now(), count, Math.random(), retryAfterMs(retryAfter, ctx.now()))
  await ctx.db
    .update(deliveries)
    .set({
      state: isAccepted ? 'DELIVERED' : nextAt === null ? 'FAILED' : 'WAITING',
      tries: count,
      nextTryAt: nextAt,
      lastStatus: made.status,
      lastTriedAt: made.at,
    })
    .where(eq(deliveries.deliveryId, deliveryId))
  await noteHealth(ctx, delivery, isAccepted, made)
}

async function noteHealth(ctx: Context, delivery: DeliveryRow, isAccepted: boolean, made: TryMade): Promise<void> {
  const [endpoint] = await ctx.db
    .select()
    .from(endpoints)
    .where(eq(endpoints.endpointId, delivery.endpointId))
    .for('no key update')
  if (!endpoint) return
  const since = isAccepted ? null : (endpoint.failingSince ?? made.at)
  if (since !== endpoint.failingSince) {
    await ctx.db.update(endpoints).set({ failingSince: since }).where(eq(endpoints.endpointId, endpoint.endpointId))
  }
  const isLost = since !== null && made.at - since >= limits.failingForMs
  if (endpoint.state !== 'ENABLED' || !(isLost || (made.status !== null && isGone(made.status)))) return
  await disable(ctx, endpoint)
}

async function disable(ctx: Context, endpoint: EndpointRow): Promise<void> {
  const { endpointId, teamId, projectId, name } = endpoint
  const row = { id: endpointId, state: endpoint.state, revision: endpoint.revision }
  const table = { table: 'webhook_endpoints', idColumn: 'endpoint_id' }
  await transition(ctx, { cycle: endpointLifeCycle, ...table, row, action: 'fail', teamId })
  await ctx.db
    .update(deliveries)
    .set({ state: 'FAILED', nextTryAt: null })
    .where(and(eq(deliveries.endpointId, endpointId), inArray(deliveries.state, ['WAITING', 'QUEUED'])))
  await notify(ctx, {
    to: { teamId, permission: 'webhooks.edit', ...(projectId === null ? {} : { about: { projectId } }) },
    category: 'operations',
    kind: 'webhook.failed',
    entityId: endpointId,
    href: `/webhooks/${endpointId}`,
    title: {
      zh: `Webhook“${name}”已停用`,
      en: `The webhook ${name} was disabled`,
      ru: `Вебхук «${name}» отключён`,
    },
    text: {
      zh: '它连续多日未接受任何投递。修复接收端后请重新启用，并重放失败的投递。',
      en: 'It accepted nothing for days. Repair the receiver, enable the webhook again and replay what failed.',
      ru: 'Несколько дней он не принимал ничего. Исправьте приёмник, включите вебхук и повторите неудачные отправки.',
    },
  })
}
