import type { Context } from '../../../../server/context.ts'
import { enqueue } from '../queue/enqueue.ts'
import { asyncLimits } from '../queue/rules.ts'
import { limits } from '../rules.ts'
import { noteTrigger } from './notes.ts'
import type { TriggerRow } from './queries.ts'

/** Something that a trigger waited for. */
export interface Fact {
  trigger: TriggerRow
  /** The same one again is the same call. */
  id: string
  event: Record<string, unknown>
  /** What happened to one thing goes one after another, by its number. */
  order?: { key: string; no: string }
  depth?: number
}

/** Has functions called for what happened, once however often it is told. Answers how many calls are new. */
export async function fire(ctx: Context, facts: readonly Fact[]): Promise<number> {
  const calls = facts
    .filter(({ depth = 0 }) => depth < limits.hops)
    .map(({ trigger, id, event, order, depth = 0 }) => {
      const { triggerId, functionId, teamId, projectId, qualifier } = trigger
      return {
        ...{ triggerId, functionId, teamId, projectId, qualifier, depth },
        source: 'TRIGGER' as const,
        dedupeKey: `${triggerId}:${id}`,
        payload: payloadOf(trigger, id, event),
        ...(order ? { orderKey: `${triggerId} ${order.key}`, orderNo: order.no } : {}),
      }
    })
  for (const { triggerId } of calls) noteTrigger(ctx.server, ctx.zone, triggerId, { firedAt: ctx.now() })
  return (await enqueue(ctx, calls)).length
}

function payloadOf(trigger: TriggerRow, id: string, event: Record<string, unknown>): string {
  const whole = { id, triggerType: trigger.typeCode, triggerName: trigger.name, ...event }
  const text = JSON.stringify(whole)
  if (Buffer.byteLength(text) <= asyncLimits.payloadBytes) return text
  // What names the thing is enough to read it.
  return JSON.stringify({ ...whole, data: null, old: null, isTruncated: true })
}
