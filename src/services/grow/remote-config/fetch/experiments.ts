import { type CompiledRule, compile, type EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import { type Draw, drawVariant, unitIn } from '../../../../kernel/targeting/experiment.ts'
import { attributesOf, audiencesOf } from '../../../../kernel/targeting/rule.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { parametersOf, type RunningExperiment } from '../rules.ts'

/** An experiment, ready to be asked. */
export interface CompiledExperiment {
  of: RunningExperiment
  rule: CompiledRule | null
  parameters: readonly string[]
  /** What of a context can make a difference. */
  attributes: readonly string[]
  audiences: readonly string[]
  draw(context: EvaluationContext, kept: string | undefined): Draw
}

export function compileExperiment(of: RunningExperiment): CompiledExperiment {
  const rule = of.rule === null ? null : compile(of.rule)
  const units = [of.unitAttr, of.layer?.unitAttr, of.holdout?.unitAttr].filter(one => one !== undefined)
  return {
    ...{ of, rule, parameters: parametersOf(of) },
    attributes: [...units, ...(of.rule === null ? [] : attributesOf(of.rule))],
    audiences: of.rule === null ? [] : audiencesOf(of.rule),
    draw: (context, kept) => drawVariant(of, rule, context, kept),
  }
}

/** Which variants a unit was seen in, by experiment. */
export type KeptVariants = ReadonlyMap<string, string>
export const nothingKept: KeptVariants = new Map()

type Keeper = (ctx: Context, experimentIds: readonly string[], unit: string) => Promise<KeptVariants>

let keeper: Keeper | undefined

/** Who knows what units were seen in; set when that service starts. */
export function setKeeper(lookup: Keeper): void {
  keeper = lookup
}

/** The variants that the unit of a context was seen in. Templates without a sticky experiment ask no database. */
export async function keptVariants(
  server: Server,
  zone: ZoneId,
  { experiments, teamId }: { experiments: readonly CompiledExperiment[]; teamId: string | null },
  context: EvaluationContext,
): Promise<KeptVariants> {
  const lookup = keeper
  if (!lookup || experiments.length === 0) return nothingKept
  const byUnit = new Map<string, string[]>()
  for (const { of } of experiments) {
    const unit = of.isSticky ? unitIn(context, of.unitAttr) : undefined
    if (unit !== undefined) byUnit.set(unit, [...(byUnit.get(unit) ?? []), of.experimentId])
  }
  if (byUnit.size === 0) return nothingKept
  const ctx = systemContext(server, zone, { name: 'remoteConfig', teamId })
  const kept = new Map<string, string>()
  await ctx.transact(async inner => {
    for (const [unit, ids] of byUnit) for (const [id, variant] of await lookup(inner, ids, unit)) kept.set(id, variant)
  })
  return kept
}
