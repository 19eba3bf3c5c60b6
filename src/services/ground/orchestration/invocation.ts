import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../kernel/errors.ts'
import { headers } from '../../../kernel/wire.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import type { WireAccess } from '../../../server/implement.ts'
import type { InsideInput } from '../../../server/inside.ts'
import { inputOfParams, namedApiOf } from '../generic-gateway/public.ts'
import { activeProcesses, effectiveOf } from './active-processes.ts'
import { type Definition, orchestrationErrors as errors, type Step } from './contract.ts'
import { type Outcome, runProcess } from './engine.ts'

type Process = Pick<Definition, 'definitionId' | 'processId'>

/** Runs an active process for whoever asked. The trace is for staff. */
export async function invoke(ctx: Context, process: Process, input: object, wire: WireAccess) {
  const active = await activeProcesses(ctx)
  const named = active.get(`${process.definitionId}/${process.processId}`)
  const definition = named && effectiveOf(named, active)
  if (!named || !definition) refuse(errors.unknownProcess, { ...process })
  const key = keyOf(wire.request)
  if (definition.writes && key === undefined) refuse(errors.keyMissing)
  const outcome = await run(ctx, definition, { ...input, ...named.constants }, wire.request, { key })
  if (outcome.refusal) throw outcome.refusal
  const { data, partial, trace } = outcome
  return { data: data ?? null, partial, ...(ctx.caller.staffRoles.length > 0 ? { trace } : {}) }
}

/** Runs a definition with the caller's own rights; every call of it passes the gate by itself. */
export function run(
  ctx: Context,
  definition: Definition,
  input: object,
  request: FastifyRequest,
  options: { key?: string | undefined; teamId?: string | undefined },
): Promise<Outcome> {
  const { accountId, name } = ctx.caller
  const caller = { accountId, name, teamId: ctx.place.teamId, language: ctx.place.language, zone: ctx.zone }
  return runProcess(definition, {
    input,
    caller,
    call: (step, given, timeLeftMs) => make(ctx, step, given, timeLeftMs, request, options),
  })
}

async function make(
  ctx: Context,
  step: Step,
  input: InsideInput,
  timeLeftMs: number,
  request: FastifyRequest,
  { key, teamId }: { key?: string | undefined; teamId?: string | undefined },
): Promise<string> {
  const target = step.call ?? namedApiOf(step.apiName ?? '')?.call
  const found = target && ctx.server.inside.find(target)
  if (!found) refuse(errors.notAvailable, { service: step.call?.service ?? step.apiName })
  const given = step.apiName === undefined ? input : inputOfParams(found.call, fieldsOf(input.body))
  const isKeyed = key !== undefined && found.call.method === 'POST'
  return found.run(request, given, {
    timeLeftMs,
    teamId,
    ...(isKeyed ? { idempotencyKey: keyOfStep(key, step.id) } : {}),
  })
}

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function keyOf(request: FastifyRequest): string | undefined {
  const value = request.headers[headers.idempotencyKey] ?? request.headers[headers.idempotencyKeyAlias]
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^[\x21-\x7e]{1,64}$/.test(value)) return value
  throw badField('/idempotency-key', 'pattern', '1 to 64 visible ASCII characters', 'header')
}

/** Of each step its own key, the same when the process is asked again. */
function keyOfStep(key: string, stepId: string): string {
  return createHash('sha256').update(`${key} ${stepId}`).digest('base64url')
}
