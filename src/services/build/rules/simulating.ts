import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { compileSource } from './compile.ts'
import { rules as contract, type MatchedView, type SimulatedBody, type SimulationView } from './contract.ts'
import { decideWaiting } from './decisions.ts'
import { checkCompiled } from './diagnostics.ts'
import type { RuleFields, RulePlace, RuleRequest, RuleScope } from './engine-types.ts'
import { explainStatements } from './explain.ts'
import type { Program } from './language/compiled.ts'
import { decideWith, mostLookups } from './language/evaluate.ts'
import { RuleState } from './language/state.ts'
import { memoryOf } from './memory.ts'
import { placesOf, publishedSource, versionOf, type Where } from './publishing.ts'
import { starter } from './rules.ts'

export const scopeOf = (ctx: Context, projectId: string): RuleScope => ({
  projectId,
  teamId: ctx.teamId,
  zone: ctx.zone,
})

/** The wished rules as text: those given, a version, or those in force. */
export async function sourceOf(
  ctx: Context,
  where: Where,
  wish: { source?: string | undefined; version?: number | undefined },
): Promise<string> {
  if (wish.source !== undefined) return wish.source
  if (wish.version !== undefined) return (await versionOf(ctx, where, wish.version)).source
  return (await publishedSource(ctx, where))?.source ?? starter[where.service]
}

/** Decides a request by rules that may not be in force; nothing of it is counted or kept. */
export async function simulate(ctx: Context, body: SimulatedBody): Promise<SimulationView> {
  const where: Where = { projectId: body.projectId, service: body.service }
  const { source, places } = await ctx.transact(async inner => ({
    source: await sourceOf(inner, where, body),
    places: await placesOf(inner, where),
  }))
  const request = await requestFrom(ctx, body, places)
  return simulateRequest(ctx, where, source, request, null)
}

export async function simulateRequest(
  ctx: Context,
  where: Where,
  source: string,
  request: RuleRequest,
  known: RuleState | null,
): Promise<SimulationView> {
  const compiled = compileSource(source, where.service)
  const { diagnostics } = checkCompiled(compiled, source, null)
  const faults = diagnostics.filter(one => one.severity === 'ERROR')
  const nothing = { allowed: false, grantedBy: null, matched: [], accesses: [], steps: 0, micros: 0 }
  if (faults.length > 0) return { ...nothing, diagnostics: faults }
  const { program } = compiled
  const state = new RuleState(mostLookups(program, request))
  for (const [key, value] of known?.known ?? []) state.known.set(key, value)
  const outcome = await decideWaiting(ctx.server, scopeOf(ctx, where.projectId), program, request, state)
  const matched = explainStatements(program, request, state) as MatchedView[]
  return {
    allowed: outcome.allowed,
    grantedBy: outcome.grantedBy && program.places.of(outcome.grantedBy.span.start),
    matched,
    accesses: [...state.known].map(([path, value]) => ({ path: `/${path}`, found: value !== null })),
    steps: outcome.steps + state.steps,
    micros: timed(program, request, state),
    diagnostics: [],
  }
}

/** How long one decision takes, now that everything is in memory. */
function timed(program: Program, request: RuleRequest, state: RuleState): number {
  state.resume()
  state.steps = 0
  const begun = performance.now()
  decideWith(program, request, state)
  return Math.round((performance.now() - begun) * 1000)
}

async function requestFrom(
  ctx: Context,
  body: SimulatedBody,
  places: readonly RulePlace[] | null,
): Promise<RuleRequest> {
  const path = partsOf(body.path)
  const { auth, app, service, projectId } = body
  const fields = fieldsAt(places, path)
  const request: RuleRequest = {
    method: body.method,
    path,
    auth: auth
      ? { uid: auth.uid, provider: auth.provider ?? 0, anonymous: auth.anonymous ?? false, token: auth.token ?? {} }
      : null,
    app: app ? { appId: app.appId, packageName: app.packageName ?? null, attested: app.attested ?? false } : null,
    ip: body.ip ?? ctx.place.ip,
    time: body.time ?? ctx.now(),
    resource: body.resource ?? null,
    requestResource: body.requestResource ?? null,
    query: body.query ?? {},
    ...(fields ? { fields } : {}),
  }
  if (body.useLiveData && !body.resource) {
    const isStorage = service === 'agc.cloud.storage'
    const data = memoryOf(ctx.server).data.get(isStorage ? 'storage' : 'clouddb')
    const found = await data?.read(scopeOf(ctx, projectId), path)
    if (found) request.resource = isStorage ? found.value : { data: found.value }
  }
  return request
}

/** `/bucket/a/b` as its parts. */
export function partsOf(path: string): string[] {
  const parts = path.split('/').slice(1)
  if (!path.startsWith('/') || parts.some(part => part === '')) refuse(contract.errors.unreadablePath, { path })
  return parts
}

function fieldsAt(places: readonly RulePlace[] | null, path: readonly string[]): RuleFields | undefined {
  return places?.find(place => place.path.every((part, index) => part === path[index]))?.fields
}
