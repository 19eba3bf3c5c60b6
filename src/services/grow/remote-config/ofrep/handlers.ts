import type { IncomingHttpHeaders } from 'node:http'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import type { Server } from '../../../../server/server.ts'
import { type AppOrServer, appOrServerOf } from '../../../build/app-auth/public.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { BadContext, contextOf } from '../fetch/asked.ts'
import { withAudiences } from '../fetch/audiences.ts'
import { Asking, type Compiled, type CompiledParameter } from '../fetch/compiled.ts'
import { keptVariants } from '../fetch/experiments.ts'
import { etagFor, isKnown, marksOf, templateFor } from '../fetch/handlers.ts'
import { kindOf } from '../fetch/kind.ts'
import type { Outcome } from '../fetch/outcomes.ts'
import { preflight } from '../fetch/preflight.ts'
import { channelOfTemplate, streamsOf } from '../fetch/streams.ts'
import { contextSampleOf } from '../impact/contexts.ts'
import { readMemoryOf } from '../reads.ts'
import { versionOfEtag } from '../rules.ts'
import { ofrep } from './contract.ts'

const json = {
  'content-type': 'application/json; charset=utf-8',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
}
/** Clients close a stream that nobody looks at, and open it when somebody does. */
const inactivityDelaySec = 120

export default implement(ofrep, {
  evaluateFlag: async ({ server }, { params, body }, { request }) => {
    const { caller, asking, compiled } = await askedBy(server, request.headers, request.query, body)
    const parameter = compiled.parameters.get(params.key)
    if (!parameter) {
      const errorDetails = `There is no parameter ${params.key} in version ${compiled.version}.`
      return answer(404, JSON.stringify({ key: params.key, errorCode: 'FLAG_NOT_FOUND', errorDetails }))
    }
    readMemoryOf(server).mark(caller.zone, compiled, parameter.key)
    const failure = failureOf(asking, parameter)
    return failure === null ? answer(200, flagOf(asking, parameter, asking.outcomeOf(parameter))) : answer(400, failure)
  },

  evaluateFlags: async ({ server }, { body }, { request }) => {
    const { caller, context, compiled, asking } = await askedBy(server, request.headers, request.query, body)
    const outcomes = asking.outcomes()
    readMemoryOf(server).mark(caller.zone, compiled)
    contextSampleOf(server).add(caller.zone, compiled, context.attributes)
    const marks = marksOf(compiled, context, outcomes, asking.assigned())
    const channel = channelOfTemplate(server, caller.zone, compiled)
    const { etag, whole } = knownAnswer(marks, channel, { asking, compiled, outcomes })
    if (!isKnown(request.headers, etag)) return whole
    return { status: 304, headers: { ...cachedBy(etag), 'access-control-allow-origin': '*' }, body: null }
  },

  askEvaluateFlag: async () => preflight,
  askEvaluateFlags: async () => preflight,

  streamFlags: async ({ server }, { request }) => {
    const { ch, from } = request.query as Record<string, unknown>
    return streamsOf(server).open(String(ch ?? ''), request.headers['last-event-id'], from)
  },
})

const answer = (status: number, body: string | Buffer, more: Record<string, string> = {}): Download => ({
  status,
  headers: { ...json, 'cache-control': 'no-store', ...more },
  body,
})

interface Asked {
  caller: AppOrServer
  context: EvaluationContext
  compiled: Compiled
  asking: Asking
}

async function askedBy(server: Server, headers: IncomingHttpHeaders, query: unknown, body: unknown): Promise<Asked> {
  const caller = await appOrServerOf(server, headers)
  const { kind: wanted, flagConfigEtag } = query as Record<string, unknown>
  const kind = kindOf(caller, wanted)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) refuse(commonErrors.badInput)
  const { context: said } = body as { context?: unknown }
  const context = contextFor(server, caller, said)
  // After an event a client names what it was told of: it never gets what was before.
  const told = typeof flagConfigEtag === 'string' ? versionOfEtag(caller.projectId, kind, flagConfigEtag) : null
  const compiled = await templateFor(server, caller, kind, told)
  const known = await withAudiences(server, caller.zone, compiled, context)
  const kept = await keptVariants(server, caller.zone, compiled, known)
  return { caller, compiled, context: known, asking: new Asking(compiled, known, kept) }
}

function contextFor(server: Server, caller: AppOrServer, said: unknown): EvaluationContext {
  try {
    const key = (said as { targetingKey?: unknown } | undefined)?.targetingKey
    if (key !== undefined && typeof key !== 'string') throw new BadContext('targetingKey is a text')
    return contextOf(said, caller.known, server.clock.now())
  } catch (error) {
    if (error instanceof BadContext) refuse(errors.badContext, { reason: error.message })
    throw error
  }
}

const cachedBy = (etag: string) => ({ etag, 'cache-control': 'no-cache' })

/** Of all templates together. */
const mostAnswers = 256
const largestBytes = 32_768

interface Answer {
  /** What its streams are opened by. */
  channel: string
  etag: string
  whole: Download
}

/** Of a template, by what its answers go by. */
let answers = new WeakMap<Compiled, Map<string, Answer>>()
let kept = 0

interface Found {
  asking: Asking
  compiled: Compiled
  outcomes: readonly Outcome[]
}

/** What has the same marks is the same for whoever asks, while streams are opened by the same token. */
function knownAnswer(marks: string, channel: string, found: Found): Answer {
  const { compiled } = found
  const known = answers.get(compiled)?.get(marks)
  if (known?.channel === channel) return known
  const etag = etagFor(compiled, marks)
  // Bytes: a text would be looked through and copied for each answer that it goes out with.
  const body = Buffer.from(textFor(channel, found))
  const made = { channel, etag, whole: answer(200, body, cachedBy(etag)) }
  if (body.length > largestBytes) return made
  if (kept++ >= mostAnswers) {
    answers = new WeakMap()
    kept = 1
  }
  answers.set(compiled, (answers.get(compiled) ?? new Map<string, Answer>()).set(marks, made))
  return made
}

function textFor(channel: string, { asking, compiled, outcomes }: Found): string {
  const { parameters, version } = compiled
  const flags = [...parameters.values()].map(
    (one, at) => failureOf(asking, one) ?? flagOf(asking, one, outcomes[at] as Outcome),
  )
  const requestUri = `/ofrep/v1/stream?ch=${channel}&from=${version}`
  const rest = {
    metadata: { templateVersion: String(version) },
    eventStreams: [{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec }],
  }
  return `{"flags":[${flags.join(',')}],${JSON.stringify(rest).slice(1)}`
}

/** The success of the protocol; metadata is its last field, and says which experiment decides. */
function flagOf(asking: Asking, parameter: CompiledParameter, { flag }: Outcome): string {
  const assigned = asking.assignedTo(parameter)
  if (assigned === null) return flag
  const { id: experimentId, variant: experimentVariant, phase: experimentPhase } = assigned
  return `${flag.slice(0, -2)},${JSON.stringify({ experimentId, experimentVariant, experimentPhase }).slice(1)}}`
}

/** Lots cannot be drawn for nobody: the client says so and takes the value of its code. */
function failureOf(asking: Asking, parameter: CompiledParameter): string | null {
  const missing = asking.unitMissing(parameter)
  if (missing === null) return null
  const errorCode = 'TARGETING_KEY_MISSING'
  const errorDetails = `A condition of ${parameter.key} draws lots by ${missing}, which the context does not have.`
  return JSON.stringify({ key: parameter.key, errorCode, errorDetails })
}
