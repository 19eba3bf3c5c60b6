import { and, eq, inArray, ne } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import { audiencesOf, problemsOf } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { badInput } from '../../../server/http/problem.ts'
import { type EventName, eventNamesOf } from '../../analyse/app-events/public.ts'
import { rolloutsHeld, variantFaults } from '../remote-config/public.ts'
import { audiencesKnown } from '../targeting/public.ts'
import { experimentErrors as errors } from './contract.ts'
import type { MetricDefinition } from './metrics/rules.ts'
import {
  type Design,
  designFaults,
  doOverlap,
  type Fault,
  freeParts,
  gaps,
  limits,
  live,
  parametersOf,
} from './rules.ts'
import type { Row, Where } from './running.ts'
import { layerRows, metricRows, experimentRows as rows } from './tables.ts'

const weekMs = 7 * 86_400_000

/** Refuses a design that is wrong by itself or names what the project does not have. */
export async function assertDesign(ctx: Context, projectId: string, design: Design): Promise<void> {
  const faults = designFaults(design)
  if (design.rule) {
    for (const { pointer, problem } of problemsOf(design.rule).slice(0, 20))
      faults.push({ pointer: `/rule${pointer}`, message: problem })
    if (faults.length === 0) faults.push(...(await unknownAudiences(ctx, projectId, design)))
  }
  if (faults.length > 0) throw badInput(faults.map(inBody))
  if (design.layer) await assertLayer(ctx, projectId, design.layer.layerId)
  const known = new Set((await metricsOf(ctx, projectId, design)).map(one => one.metricId))
  const unknown = design.metrics.find(one => !known.has(one.metricId))
  if (unknown) refuse(errors.noMetric, { metricId: unknown.metricId })
}

const inBody = ({ pointer, message }: Fault) => ({
  ...{ in: 'body' as const, pointer: `/design${pointer}`, rule: 'design', message },
})

async function unknownAudiences(ctx: Context, projectId: string, { rule }: Design): Promise<Fault[]> {
  const asked = rule ? audiencesOf(rule) : []
  const known = await audiencesKnown(ctx, projectId, asked, true)
  return asked
    .filter(id => !known.has(id))
    .map(id => ({ pointer: '/rule', message: `the project has no audience ${id}` }))
}

async function assertLayer(ctx: Context, projectId: string, layerId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ layerId: layerRows.layerId })
    .from(layerRows)
    .where(and(eq(layerRows.layerId, layerId), eq(layerRows.projectId, projectId)))
  if (!found) refuse(errors.noLayer, { layerId })
}

export async function metricsOf(ctx: Context, projectId: string, { metrics }: Pick<Design, 'metrics'>) {
  if (metrics.length === 0) return []
  const ids = metrics.map(one => one.metricId)
  return ctx.db
    .select()
    .from(metricRows)
    .where(and(eq(metricRows.projectId, projectId), inArray(metricRows.metricId, ids)))
}

/** What a draft lacks that can be seen without other experiments: values, parameters, audiences. */
export async function faultsOf(ctx: Context, row: Row): Promise<Fault[]> {
  const { design } = row
  const faults = [...designFaults(design), ...gaps(design)]
  if (faults.length > 0) return faults
  const payloads = design.variants.map(one => one.payload)
  return [...(await variantFaults(ctx, row, payloads)), ...(await unknownAudiences(ctx, row.projectId, design))]
}

export const goalsOf = ({ metrics }: Pick<Design, 'metrics'>) => metrics.filter(one => one.role === 'goal')

export type EventsSeen = ReadonlyMap<string, EventName>

/** The events of the last seven days. Asks DuckDB: call it before anything else opens a transaction. */
export async function eventsSeen(ctx: Context, projectId: string): Promise<EventsSeen> {
  const seen = await eventNamesOf(ctx, projectId, ctx.now() - weekMs)
  return new Map(seen.map(one => [one.name, one]))
}

/** What of a metric nobody saw in the last seven days: an event by its name, or its values. */
export function missingOf(definition: MetricDefinition, seen: EventsSeen): string[] {
  const asks = [definition, ...(definition.denominator ? [definition.denominator] : [])]
  const faults = asks.flatMap(({ event, of }) => {
    const found = seen.get(event)
    if (!found) return [`no event ${event} came in the last seven days`]
    return of !== 'count' && !found.hasValue ? [`the events ${event} have no values`] : []
  })
  return [...new Set(faults)]
}

/** Whether there is a goal, and what keeps all of them from having data; null where one has. */
export async function goalsWithData(
  ctx: Context,
  row: Row,
  seen: EventsSeen,
): Promise<{ hasGoal: boolean; missing: string[] | null }> {
  const wanted = new Set(goalsOf(row.design).map(one => one.metricId))
  const goals = (await metricsOf(ctx, row.projectId, row.design)).filter(one => wanted.has(one.metricId))
  const missing = goals.map(one => missingOf(one.definition, seen))
  const hasData = missing.some(one => one.length === 0)
  return { hasGoal: goals.length > 0, missing: hasData ? null : [...new Set(missing.flat())] }
}

export interface Neighbours {
  hasRoom: boolean
  /** An experiment that has one of its parameters, outside of a layer that both are in. */
  owner: { parameter: string; experiment: string } | null
  /** A rollout that has one of its parameters. */
  rollout: { parameter: string; rollout: string } | null
  /** An experiment that has some of its part of the layer. */
  inLayer: { experiment: string; from: number; to: number; free: string } | null
}

/** What other experiments that run leave to this one. The project's holdout is held, so that nobody starts meanwhile. */
export async function neighboursOf(ctx: Context, row: Row): Promise<Neighbours> {
  const others = await runningBeside(ctx, row)
  const { layer } = row.design
  const sharesLayer = (other: Row) => layer !== null && other.design.layer?.layerId === layer.layerId
  const own = new Set(parametersOf(row.design))
  let owner: Neighbours['owner'] = null
  for (const other of others) {
    if (other.kind !== row.kind || sharesLayer(other)) continue
    const parameter = parametersOf(other.design).find(key => own.has(key))
    if (parameter !== undefined) owner ??= { parameter, experiment: other.name }
  }
  const rollouts = await rolloutsHeld(ctx, row.projectId)
  const rolled = rollouts.find(one => one.kind === row.kind && own.has(one.parameter))
  const parts = others.flatMap(other =>
    sharesLayer(other) && other.design.layer ? [{ ...other.design.layer, name: other.name }] : [],
  )
  const taken = layer && parts.find(part => doOverlap(part, layer))
  const free = freeParts(parts).map(part => `${part.from} % – ${part.to} %`)
  return {
    hasRoom: others.length + rollouts.length < limits.running,
    owner,
    rollout: rolled ? { parameter: rolled.parameter, rollout: rolled.name } : null,
    inLayer: taken ? { experiment: taken.name, from: taken.from, to: taken.to, free: free.join(', ') || '–' } : null,
  }
}

async function runningBeside(ctx: Context, { projectId, experimentId }: Row): Promise<Row[]> {
  return ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.projectId, projectId), inArray(rows.state, [...live]), ne(rows.experimentId, experimentId)))
    .orderBy(rows.experimentId)
}

/** Which experiment has a parameter now, by key. */
export async function ownersOf(
  ctx: Context,
  where: Where,
): Promise<Map<string, { experimentId: string; name: string }>> {
  const found = await ctx.db
    .select({ experimentId: rows.experimentId, name: rows.name, design: rows.design })
    .from(rows)
    .where(and(eq(rows.projectId, where.projectId), eq(rows.kind, where.kind), inArray(rows.state, [...live])))
  return new Map(found.flatMap(({ design, ...one }) => parametersOf(design).map(key => [key, one] as const)))
}

/** Experiments of a project that ask for an audience, for whoever wants to delete it. */
export async function experimentsAsking(ctx: Context, projectId: string, audienceId: string): Promise<string[]> {
  const found = await ctx.db
    .select({ name: rows.name, design: rows.design })
    .from(rows)
    .where(and(eq(rows.projectId, projectId), inArray(rows.state, ['draft', 'ready', ...live])))
  return found.filter(({ design }) => design.rule && audiencesOf(design.rule).includes(audienceId)).map(one => one.name)
}
