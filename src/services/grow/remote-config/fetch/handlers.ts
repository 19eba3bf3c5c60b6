import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../../../kernel/errors.ts'
import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import type { Context } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import type { Server } from '../../../../server/server.ts'
import { type AppOrServer, appOrServerOf } from '../../../build/app-auth/public.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { contextSampleOf } from '../impact/contexts.ts'
import { readMemoryOf } from '../reads.ts'
import { BadContext, contextOf } from './asked.ts'
import { withAudiences } from './audiences.ts'
import { Asking, type Assigned, type Compiled } from './compiled.ts'
import { remoteConfigFetch } from './contract.ts'
import { keptVariants } from './experiments.ts'
import { kindOf } from './kind.ts'
import { configMemoryOf } from './memory.ts'
import type { Outcome } from './outcomes.ts'
import { preflight } from './preflight.ts'
import { channelOfTemplate, streamsOf } from './streams.ts'

const waitMs = 2_000

interface Wish {
  kind: unknown
  minVersion: unknown
  isDebug: boolean
  context: unknown
}

export default implement(remoteConfigFetch, {
  fetchConfig: async (ctx, { request }) => {
    const { appId: _appId, kind, minVersion, debug, ...context } = request.query as Record<string, unknown>
    return answerOf(ctx, request.headers, { kind, minVersion, isDebug: debug === '1' || debug === 'true', context })
  },

  fetchConfigFor: async (ctx, { body }, { request }) => {
    const { kind, minVersion, debug, context } = (body ?? {}) as Record<string, unknown>
    return answerOf(ctx, request.headers, { kind, minVersion, isDebug: debug === true, context })
  },

  askFetchConfig: async () => preflight,

  streamConfig: async (ctx, { request }) => {
    const { token, from } = request.query as Record<string, unknown>
    return streamsOf(ctx.server).open(String(token ?? ''), request.headers['last-event-id'], from)
  },
})

async function answerOf({ server }: Context, headers: IncomingHttpHeaders, wish: Wish): Promise<Download> {
  const caller = await appOrServerOf(server, headers)
  const compiled = await templateFor(server, caller, kindOf(caller, wish.kind), versionWanted(wish.minVersion))
  const context = await withAudiences(server, caller.zone, compiled, contextFor(server, caller, wish.context))
  const asking = new Asking(compiled, context, await keptVariants(server, caller.zone, compiled, context))
  const assigned = asking.assigned()
  const outcomes = asking.outcomes()
  readMemoryOf(server).mark(caller.zone, compiled)
  contextSampleOf(server).add(caller.zone, compiled, context.attributes)
  const etag = etagFor(compiled, marksOf(compiled, context, outcomes, assigned))
  const shared = {
    ...{ etag, 'cache-control': 'no-cache' },
    ...{ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag, retry-after' },
  }
  if (isKnown(headers, etag)) return { status: 304, headers: shared, body: null }
  const channel = channelOfTemplate(server, caller.zone, compiled)
  const rest = {
    templateVersion: String(compiled.version),
    minFetchIntervalSec: wish.isDebug ? 0 : compiled.minFetchIntervalSec,
    ...(assigned.length > 0 && { experiments: assigned }),
    stream: `/rcs/v1/stream?token=${channel}&from=${compiled.version}`,
  }
  const entries = outcomes.flatMap(one => (one.entry === '' ? [] : [one.entry])).join(',')
  const body = `{"ret":{"code":0,"msg":"success"},"entries":{${entries}},${JSON.stringify(rest).slice(1)}`
  return { headers: { 'content-type': 'application/json; charset=utf-8', ...shared }, body }
}

/** The template in force, of a version at least. Refuses 503 where that does not come in two seconds. */
export async function templateFor(
  server: Server,
  { zone, projectId }: AppOrServer,
  kind: Compiled['kind'],
  minVersion: number | null,
): Promise<Compiled> {
  const memory = configMemoryOf(server)
  if (minVersion === null) return memory.get(zone, projectId, kind)
  const found = await memory.atLeast(zone, projectId, kind, minVersion, waitMs)
  return found ?? refuse(errors.notYetHere, { version: minVersion, retryAfterSeconds: 1 })
}

function contextFor(server: Server, caller: AppOrServer, said: unknown): EvaluationContext {
  try {
    return contextOf(said, caller.known, server.clock.now())
  } catch (error) {
    if (error instanceof BadContext) refuse(errors.badContext, { reason: error.message })
    throw error
  }
}

function versionWanted(value: unknown): number | null {
  if (value === undefined || value === '') return null
  const version = Number(value)
  if (!Number.isInteger(version) || version < 0 || version > 2_147_483_647)
    refuse(errors.badContext, { reason: 'minVersion is a whole number' })
  return version
}

/** What the answers of a template go by: what of the context can make a difference, and what came out. */
export function marksOf(
  compiled: Compiled,
  { attributes }: EvaluationContext,
  outcomes: readonly Outcome[],
  assigned: readonly Assigned[],
): string {
  let text = ''
  for (const name of compiled.attributes) text += `${JSON.stringify(attributes[name]) ?? ''}\0`
  // One character each, put together at once: thousands of texts in one another cost more than the digest of them.
  text += String.fromCharCode(...outcomes.map(one => one.mark.charCodeAt(0)))
  for (const { id, variant } of assigned) text += `\0${id}/${variant}`
  return text
}

/** Of the version and of what its answer goes by: flags of another context are no match. */
export const etagFor = ({ version, etag }: Compiled, marks: string) =>
  `"${version}-${hash('sha1', `${etag}\0${marks}`, 'base64url')}"`

/** Whether a client has this very answer already. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  const sent = headers['if-none-match']
  return sent?.split(',').some(one => one.trim().replace(/^W\//, '') === etag) ?? false
}
