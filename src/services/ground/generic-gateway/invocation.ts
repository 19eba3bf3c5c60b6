import { commonErrors, type FieldError, Refusal, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { Allowance } from '../../../server/http/allowance.ts'
import { badField } from '../../../server/http/problem.ts'
import { PreparedAnswer, type WireAccess } from '../../../server/implement.ts'
import { inTime } from '../../../server/in-time.ts'
import { gatewayErrors as errors } from './contract.ts'
import { inputOfParams, namedApiOf } from './public.ts'
import type { NamedApi } from './registry.ts'
import { limits, zoneOfInvocation } from './rules.ts'

interface Wanted {
  apiName: string
  params: string
  zoneId?: unknown
}

/** Makes the call a name stands for, with the rights of whoever asked; its answer is the answer. */
export async function invokeNamed(ctx: Context, wanted: Wanted, wire: WireAccess): Promise<PreparedAnswer> {
  const api = namedApiOf(wanted.apiName)
  const found = api && ctx.server.inside.find(api.call)
  if (!api || !found) refuse(errors.unknownApi, { apiName: wanted.apiName })
  const zone = zoneOf(wanted)
  const params = readParams(wanted.params)
  spend(ctx, api)
  const timeoutMs = api.timeoutMs ?? limits.timeoutMs
  const { headers } = wire.request
  const key = headers['idempotency-key']
  const making = found.run(wire.request, inputOfParams(found.call, params), {
    zone,
    timeLeftMs: timeoutMs,
    ...(typeof key === 'string' ? { idempotencyKey: key } : {}),
  })
  try {
    const json = await inTime(making, timeoutMs, () => new Refusal(errors.tooSlow, { apiName: api.apiName, timeoutMs }))
    return new PreparedAnswer(json)
  } catch (error) {
    throw error instanceof Refusal ? withPointers(error) : error
  }
}

function zoneOf(wanted: Wanted): ZoneId | undefined {
  try {
    return zoneOfInvocation(wanted.apiName, wanted)
  } catch {
    refuse(commonErrors.zoneInvalid)
  }
}

function readParams(text: string): Record<string, unknown> {
  let params: unknown
  try {
    params = JSON.parse(text, (key, value) => {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new SyntaxError(key)
      return value
    })
  } catch {
    throw badField('/params', 'json', 'is not the text of a JSON object')
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw badField('/params', 'json', 'is not the text of a JSON object')
  }
  return params as Record<string, unknown>
}

const allowances = new WeakMap<object, Map<string, Allowance>>()

function spend(ctx: Context, api: NamedApi): void {
  const ofServer = allowances.get(ctx.server) ?? new Map<string, Allowance>()
  allowances.set(ctx.server, ofServer)
  const callsPerMinute = (api.callsPerMinute ?? limits.callsPerMinute) * ctx.server.config.rateFactor
  const allowance = ofServer.get(api.apiName) ?? new Allowance(callsPerMinute)
  ofServer.set(api.apiName, allowance)
  const retryAfterSeconds = allowance.spend(ctx.accountId, ctx.now())
  if (retryAfterSeconds > 0) refuse(errors.tooOften, { apiName: api.apiName, callsPerMinute, retryAfterSeconds })
}

/** A field of the call stands in `params` of the invocation. */
function withPointers(refusal: Refusal): Refusal {
  const fields = refusal.detail['fields'] as FieldError[] | undefined
  if (!fields) return refusal
  return new Refusal([refusal.number, refusal.status, refusal.message], {
    ...refusal.detail,
    fields: fields.map(field =>
      field.in === 'header' ? field : { ...field, in: 'body', pointer: `/params${field.pointer}` },
    ),
  })
}
