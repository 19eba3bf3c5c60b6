import type { FastifyRequest } from 'fastify'
import type { CallSpec, Contract } from '../../kernel/contract.ts'
import { commonErrors, refuse } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'
import type { WireAccess } from '../implement.ts'
import type { InsideInput, InsideOptions, MountedCall, ProvenKey } from '../inside.ts'
import type { CallPlace } from '../place.ts'
import type { Server } from '../server.ts'
import type { Measure, Measured } from './measure.ts'
import { toRefusal } from './problem.ts'
import { compilePayload, compileValidator } from './schemas.ts'

/** Runs a handler for an admitted request. */
export type Perform = (place: CallPlace, request: FastifyRequest, wire: WireAccess) => Promise<unknown>

/** A call as it was mounted: what it is, and its steps. */
export interface CallParts {
  server: Server
  contract: Contract
  name: string
  call: CallSpec
  spend(request: FastifyRequest): Error | undefined
  enter(request: FastifyRequest): CallPlace | Promise<CallPlace>
  enterByKey(request: FastifyRequest, key: ProvenKey): Promise<CallPlace>
  perform: Perform
  measure: Measure
}

type Inner = Measured & { isInside?: boolean }

/** What goes on from a call to those it makes; the rest, such as If-Match, was meant for the call itself. */
const passedOn = [
  // Of a program: each call is admitted as the program, with its rights, its team and its zone.
  ...['authorization', 'cookie', 'origin', 'user-agent'],
  ...[headers.csrf, headers.teamCsrf, headers.team, headers.language],
]

/** The same steps as from outside: allowance, admission, validation, handler, answer. */
export function insideCall({
  server,
  contract,
  name,
  call,
  spend,
  enter,
  enterByKey,
  perform,
  measure,
}: CallParts): MountedCall {
  const validators = validatorsOf(call)
  const payloadOf = compilePayload(call.answer)
  const run: MountedCall['run'] = async (outer, input, options = {}) => {
    if ((outer as Inner).isInside || (call.kind ?? 'json') !== 'json') {
      refuse(commonErrors.calledInside, { call: `${contract.name} ${name}` })
    }
    const request = innerRequest(outer, call, input, options)
    request.startedAt = performance.now()
    try {
      const spent = spend(request)
      if (spent) throw spent
      const place = await (options.key ? enterByKey(request, options.key) : enter(request))
      if (options.timeLeftMs !== undefined) place.timeLeftMs = options.timeLeftMs
      for (const [part, validate] of validators) {
        const { error } = validate(request[part])
        if (error) throw error
      }
      const json = payloadOf(await perform(place, request, wireOf(request, `${contract.name} ${name}`)))
      measure(request, 200)
      return json
    } catch (error) {
      const refusal = toRefusal(error as Error, request)
      measure(request, refusal.status)
      if (refusal.status >= 500) server.log.error({ err: error, requestId: request.id }, 'a call from inside failed')
      throw refusal
    }
  }
  return { contract, name, call, run, admit: enterByKey }
}

/** What is checked of a call's input, and how. */
export function validatorsOf(call: CallSpec) {
  const parts = [
    ['params', 'params', call.params],
    ['query', 'querystring', call.query],
    ['body', 'body', call.body],
  ] as const
  return parts.flatMap(([part, httpPart, schema]) =>
    schema ? [[part, compileValidator({ schema, httpPart }) as (value: unknown) => { error?: Error }] as const] : [],
  )
}

/** A request that stands before the outer one: its own input, the headers of the caller, everything else as it is there. */
function innerRequest(outer: FastifyRequest, call: CallSpec, input: InsideInput, options: InsideOptions): Inner {
  const sent: Record<string, string | string[] | undefined> = {}
  for (const header of passedOn) if (outer.headers[header] !== undefined) sent[header] = outer.headers[header]
  if (options.teamId !== undefined) sent[headers.team] = options.teamId
  if (options.idempotencyKey !== undefined) sent[headers.idempotencyKey] = options.idempotencyKey
  const raw = options.zone === undefined ? outer.raw : Object.create(outer.raw, { zone: { value: options.zone } })
  const value = (one: unknown) => ({ value: one, writable: true })
  return Object.create(outer, {
    headers: value(sent),
    raw: value(raw),
    params: value(input.params ?? {}),
    query: value(input.query ?? {}),
    body: value(call.method === 'GET' ? undefined : (input.body ?? (call.body ? {} : undefined))),
    startedAt: value(0),
    isInside: value(true),
  }) as Inner
}

/** There is no reply of its own: a call that sets cookies or headers cannot be made from inside. */
function wireOf(request: FastifyRequest, call: string): WireAccess {
  return {
    request,
    get reply(): never {
      return refuse(commonErrors.calledInside, { call })
    },
  }
}
