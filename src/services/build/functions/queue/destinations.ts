import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { limits } from '../rules.ts'
import { functions } from '../tables.ts'
import { publishTopic } from '../triggers/topics.ts'
import { enqueue } from './enqueue.ts'
import type { Attempted, Ended, HeldCall } from './held-call.ts'
import { asyncLimits, readTarget } from './rules.ts'
import { asyncSettings, type StoredDestination, type Told } from './tables.ts'
import { callEnded } from './telling.ts'

/**
 * Tells who is to hear of the end of a call: another function, or a topic. Answers what became of it, null where nobody is
 * to hear.
 */
export async function tellDestination(
  ctx: Context,
  call: HeldCall,
  state: Ended,
  attempted: Attempted,
): Promise<Told | null> {
  const [settings] = await ctx.db
    .select()
    .from(asyncSettings)
    .where(and(eq(asyncSettings.functionId, call.functionId), eq(asyncSettings.qualifier, call.qualifier)))
  const destination = state === 'SUCCESS' ? settings?.onSuccess : settings?.onFailure
  if (!destination) return null
  const depth = call.depth + 1
  if (depth >= limits.hops) return { outcome: 'CIRCLE', target: destination.target }
  const event = eventOf(ctx, call, state, attempted)
  if (destination.kind === 'FUNCTION') return callFunction(ctx, call, destination, depth, event)
  if (destination.kind === 'EVENT') return callTopic(ctx, call, destination, depth, event)
  return handOver(ctx, call, destination, depth, event)
}

function eventOf(ctx: Context, call: HeldCall, state: string, { result, errorType, errorMessage }: Attempted) {
  const { requestId, functionId, qualifier, attempt, payload, createdAt } = call
  const event = {
    id: `after:${requestId}`,
    ...{ requestId, functionId, qualifier, state, attempts: attempt, calledAt: createdAt, endedAt: ctx.now() },
    error: state === 'SUCCESS' ? null : { type: errorType, message: errorMessage },
    result: result === null ? null : (JSON.parse(result) as unknown),
    event: JSON.parse(payload) as unknown,
  }
  // What came in may fill a call by itself; then only what became of it is told.
  return Buffer.byteLength(JSON.stringify(event)) > asyncLimits.payloadBytes
    ? { ...event, event: null, isTruncated: true }
    : event
}

async function callFunction(
  ctx: Context,
  call: HeldCall,
  { target }: StoredDestination,
  depth: number,
  event: { id: string },
): Promise<Told> {
  const { name, qualifier } = readTarget(target)
  const [row] = await ctx.db
    .select({ functionId: functions.functionId })
    .from(functions)
    .where(and(eq(functions.projectId, call.projectId), eq(functions.functionName, name)))
  if (!row) return { outcome: 'MISSING', target }
  const { teamId, projectId, caller } = call
  const { functionId } = row
  const payload = JSON.stringify(event)
  await enqueue(ctx, [
    { functionId, teamId, projectId, qualifier, source: 'FUNCTION', dedupeKey: event.id, depth, caller, payload },
  ])
  return { outcome: 'CALLED', target }
}

/** What must not hold up the end of a call, or may fail by itself, follows by an event. */
function handOver(
  ctx: Context,
  { requestId, functionId, qualifier, teamId, projectId }: HeldCall,
  { kind, target }: StoredDestination,
  hops: number,
  event: { id: string; error: { type: string | null } | null },
): Told {
  const ended = { projectId, functionId, qualifier, kind, target, errorType: event.error?.type ?? null }
  const data = kind === 'STORAGE' ? { ...ended, content: JSON.stringify(event) } : ended
  ctx.emit({ type: callEnded, entity: 'asyncCall', entityId: requestId, teamId, hops, data })
  return { outcome: 'HANDED_OVER', target }
}

async function callTopic(
  ctx: Context,
  call: HeldCall,
  { target }: StoredDestination,
  depth: number,
  event: { id: string },
): Promise<Told> {
  const calls = await publishTopic(ctx, call.projectId, { topic: target, id: event.id, data: event, depth })
  return { outcome: calls === 0 ? 'NO_TRIGGER' : 'PUBLISHED', target }
}
