import { and, eq, inArray } from 'drizzle-orm'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { OutsideAnswer } from '../../../server/outbound.ts'
import { OutsideError } from '../../../server/outside/outside-error.ts'
import type { JobRun } from '../../../server/work.ts'
import { afterTry, type TryMade } from './outcome.ts'
import type { DeliveryRow, EndpointRow } from './queries.ts'
import { limits } from './rules.ts'
import { secretsOf, signedHeaders } from './secrets.ts'
import { deliveries, endpoints } from './tables.ts'

export const sendKind = 'webhooks.send'

/** Starts the job of a delivery that is `QUEUED`. */
export function startSending(
  ctx: Context,
  zone: ZoneId,
  { deliveryId, teamId }: { deliveryId: string; teamId: string },
) {
  const job = { kind: sendKind, subject: deliveryId, input: { deliveryId }, deadlineMs: 3_600_000, teamId }
  ctx.startJob(job, zone)
}

/**
 * One try of one delivery. It is written down as `SENDING` before it goes out: a process that dies meanwhile leaves it to
 * the next one with the job's lease, under the same id.
 */
export async function sendDelivery(ctx: Context, job: JobRun): Promise<void> {
  const deliveryId = String(job.input['deliveryId'])
  const taken = await ctx.transact(inner => take(inner, deliveryId))
  if (!taken) return
  const made = await attempt(ctx, taken, job.signal)
  await ctx.transact(inner => afterTry(inner, deliveryId, made))
}

/** The job itself failed four times: the try counts as one that found nobody. */
export async function giveUpSending(ctx: Context, job: JobRun): Promise<void> {
  const nothing = { status: null, problem: 'was not asked: this try broke off', answerBody: '', isCut: false }
  const headers = { requestHeaders: {}, answerHeaders: {} }
  const made = { ...nothing, ...headers, at: ctx.now(), durationMs: 0, retryAfter: undefined }
  await ctx.transact(inner => afterTry(inner, String(job.input['deliveryId']), made))
}

/** What waits for a webhook that is disabled has failed; it can be replayed. */
export async function failWaiting(ctx: Context, endpointId: string): Promise<void> {
  await ctx.db
    .update(deliveries)
    .set({ state: 'FAILED', nextTryAt: null })
    .where(and(eq(deliveries.endpointId, endpointId), inArray(deliveries.state, ['WAITING', 'QUEUED'])))
}

interface Taken {
  delivery: DeliveryRow
  endpoint: EndpointRow
}

async function take(ctx: Context, deliveryId: string): Promise<Taken | null> {
  const [delivery] = await ctx.db
    .update(deliveries)
    .set({ state: 'SENDING' })
    .where(and(eq(deliveries.deliveryId, deliveryId), inArray(deliveries.state, ['QUEUED', 'SENDING'])))
    .returning()
  if (!delivery) return null
  const [endpoint] = await ctx.db.select().from(endpoints).where(eq(endpoints.endpointId, delivery.endpointId))
  if (endpoint?.state === 'ENABLED') return { delivery, endpoint }
  await ctx.db.update(deliveries).set({ state: 'FAILED' }).where(eq(deliveries.deliveryId, deliveryId))
  return null
}

async function attempt(ctx: Context, { delivery, endpoint }: Taken, signal: AbortSignal): Promise<TryMade> {
  const at = ctx.now()
  const secrets = secretsOf(ctx.server.masterKey, endpoint, at)
  const message = { id: `msg_${delivery.deliveryId}`, at, body: delivery.body }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Loggia-Webhooks',
    ...signedHeaders(secrets, message),
  }
  const requestHeaders = { ...headers, 'webhook-signature': secrets.map(() => 'v1,…').join(' ') }
  const startedAt = performance.now()
  const base = { at, requestHeaders, answerHeaders: {}, answerBody: '', isCut: false }
  try {
    const answer = await ctx.server.outbound.fetch(endpoint.url, {
      method: 'POST',
      headers,
      body: delivery.body,
      limitBytes: limits.readBytes,
      timeoutMs: limits.timeoutMs,
      follows: false,
      signal,
    })
    const shown = await readShown(answer)
    return {
      ...base,
      ...shown,
      durationMs: Math.round(performance.now() - startedAt),
      status: answer.status,
      problem: null,
      answerHeaders: shownHeaders(answer.headers),
      retryAfter: answer.headers['retry-after'],
    }
  } catch (error) {
    // A try that our own end cut short is made again by the next owner of the job.
    if (signal.aborted || !(error instanceof OutsideError)) throw error
    const durationMs = Math.round(performance.now() - startedAt)
    return { ...base, durationMs, status: null, problem: error.message, retryAfter: undefined }
  }
}

/** The beginning of an answer. That it is too long or too slow does not change what its status said. */
async function readShown({ body }: OutsideAnswer): Promise<{ answerBody: string; isCut: boolean }> {
  const parts: Buffer[] = []
  let size = 0
  let isCut = false
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, limits.shownBytes - size))
      size += part.length
      if (size > limits.shownBytes) break
    }
    isCut = size > limits.shownBytes
  } catch {
    isCut = true
  } finally {
    body.destroy()
  }
  // PostgreSQL keeps no NUL in a text.
  const answerBody = Buffer.concat(parts).toString('utf8').replaceAll('\0', '\ufffd').slice(0, limits.shownBytes)
  return { answerBody, isCut }
}

const hiddenHeaders = /^(set-cookie|authorization|www-authenticate|proxy-.*|.*(token|secret|api-?key).*)$/

function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).slice(0, 50)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, hiddenHeaders.test(name) ? '…' : value.slice(0, 500)]),
  )
}
