import { commonErrors, type FieldError, Refusal, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { openAllowance } from '../../../server/http/allowances.ts'
import { badField } from '../../../server/http/problem.ts'
import { PreparedAnswer, type WireAccess } from '../../../server/implement.ts'
import { inTime } from '../../../server/in-time.ts'
import type { Server } from '../../../server/server.ts'
import { gatewayErrors as errors } from './contract.ts'
import { inputOfParams, namedApiOf } from './public.ts'
import { type NamedApi, namedApis } from './registry.ts'
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

const allowances = new WeakMap<Server, Map<string, ReturnType<typeof openAllowance>>>()

const callsPerMinuteOf = ({ config }: Server, api: NamedApi) =>
  (api.callsPerMinute ?? limits.callsPerMinute) * config.rateFactor

/** Call once, before the server listens. */
export function openAllowances(server: Server): undefined {
  const open = (api: NamedApi) => openAllowance(server, `named ${api.apiName}`, callsPerMinuteOf(server, api))
  allowances.set(server, new Map(namedApis.map(api => [api.apiName, open(api)])))
}

function spend({ server, accountId }: Context, api: NamedApi): void {
  const retryAfterSeconds = allowances.get(server)?.get(api.apiName)?.(accountId) ?? 0
  if (retryAfterSeconds === 0) return
  refuse(errors.tooOften, { apiName: api.apiName, callsPerMinute: callsPerMinuteOf(server, api), retryAfterSeconds })
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
