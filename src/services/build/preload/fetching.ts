import { buffer } from 'node:stream/consumers'
import { Refusal, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { OutsideError } from '../../../server/outside/outside-error.ts'
import type { Server } from '../../../server/server.ts'
import { callFunction } from '../functions/public.ts'
import { preloadErrors as errors } from './contract.ts'
import { limits, typeOf, urlProblem } from './rules.ts'
import type { preloadPolicies } from './tables.ts'

export type PolicyRow = typeof preloadPolicies.$inferSelect

export interface Fetched {
  status: number
  contentType: string
  body: string
}

/** Whether the operator opened this very host and port with `LOGGIA_OUTBOUND_ALLOW`. */
export const isOpened = (server: Server) => (url: URL) => server.config.outboundAllow.includes(url.host)

/** Asks the source of a policy. Refuses with what it answered where that is no answer for a device. */
export async function askSource(
  server: Server,
  zone: ZoneId,
  policy: PolicyRow,
  wish: Record<string, string>,
): Promise<Fetched> {
  const answer =
    policy.source === 'FUNCTION'
      ? await fromFunction(server, zone, policy, wish)
      : await fromServer(server, policy, wish)
  const { status, contentType: type, bytes } = answer
  if (status < 200 || status > 299) refuse(errors.upstream, { answered: status, message: firstOf(bytes) })
  if (bytes.length > limits.bodyBytes) refuse(errors.tooLarge, { limit: limits.bodyBytes })
  const contentType = typeOf(type) ?? refuse(errors.notData, { contentType: type ?? 'nothing' })
  const body = bytes.toString('utf8')
  if (body.includes('\0') || body.includes('\ufffd')) refuse(errors.notData, { contentType: 'bytes that are no text' })
  return { status, contentType, body }
}

const firstOf = (bytes: Buffer) => bytes.subarray(0, limits.toldBytes).toString('utf8').replaceAll('\0', '')

interface Answer {
  status: number
  contentType: string | undefined
  bytes: Buffer
}

async function fromFunction(
  server: Server,
  zone: ZoneId,
  { projectId, teamId, functionName, qualifier, timeoutSec }: PolicyRow,
  body: object,
): Promise<Answer> {
  try {
    const called = { projectId, teamId, name: functionName ?? '', qualifier: qualifier ?? '$latest', body }
    const answer = await callFunction(server, zone, { ...called, deadlineMs: timeoutSec * 1000 })
    const type = answer.headers['content-type']
    return {
      status: answer.status,
      contentType: type === undefined ? undefined : String(type),
      bytes: Buffer.from(answer.body),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuse(errors.upstream, { answered: error.status, message: error.message })
  }
}

/** Follows two redirects at most, each as guarded as the first. */
async function fromServer(
  server: Server,
  { url: address, timeoutSec }: PolicyRow,
  wish: Record<string, string>,
): Promise<Answer> {
  let url = new URL(address ?? '')
  for (const [name, value] of Object.entries(wish)) url.searchParams.set(name, value)
  const endsAt = performance.now() + timeoutSec * 1000
  try {
    for (let turns = 0; ; turns++) {
      const timeoutMs = Math.max(1, Math.round(endsAt - performance.now()))
      const answer = await server.outbound.fetch(url, { limitBytes: limits.bodyBytes, timeoutMs, follows: false })
      const next = answer.status >= 300 && answer.status < 400 ? answer.headers['location'] : undefined
      if (next === undefined)
        return { status: answer.status, contentType: answer.headers['content-type'], bytes: await buffer(answer.body) }
      answer.body.destroy()
      if (turns === limits.redirects || !URL.canParse(next, url.href)) throw new OutsideError('redirects')
      url = new URL(next, url)
      if (urlProblem(url.href, isOpened(server)) !== null) throw new OutsideError('redirects')
    }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    if (error.reason === 'tooLarge') refuse(errors.tooLarge, { limit: limits.bodyBytes })
    return refuse(errors.upstream, { answered: 502, message: `the address ${error.message}` })
  }
}
