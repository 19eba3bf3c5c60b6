import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import { compile } from '../../../../kernel/targeting/evaluate.ts'
import { unitIn } from '../../../../kernel/targeting/experiment.ts'
import { audiencesOf } from '../../../../kernel/targeting/rule.ts'
import { expandAll, readsOf } from '../condition-rules.ts'
import { etagOf, type Kind, type RunningExperiment, type RunningRollout, type Template } from '../rules.ts'
import { type CompiledExperiment, compileExperiment, type KeptVariants, nothingKept } from './experiments.ts'
import { markOf, type Outcome, outcomeOf, type Rolled, rolledBy, variantOutcome } from './outcomes.ts'

interface CompiledCondition {
  name: string
  drawsBy: readonly string[]
  /** The place of its test: conditions with the same rule, as imports have them for each flag, have the same. */
  test: number
}

type Test = (context: EvaluationContext) => boolean

export interface CompiledParameter {
  key: string
  /** By place of the condition. */
  cases: readonly { condition: number; outcome: Outcome; rolled?: Rolled }[]
  fallback: Outcome
  /** The rollout of the default. */
  rolledFallback?: Rolled
  /** By place of the experiment: what each of its variants gives, undefined where that is what is there without it. */
  drawn: readonly { experiment: number; outcomes: readonly (Outcome | undefined)[] }[]
}

/** That somebody takes part in an experiment, as clients are told. */
export interface Assigned {
  id: string
  phase: number
  variant: string
}

/** A published template, ready to be asked. Never changed: who holds one sees one version. */
export interface Compiled {
  projectId: string
  teamId: string | null
  kind: Kind
  version: number
  etag: string
  publishedAt: number
  minFetchIntervalSec: number
  conditions: readonly CompiledCondition[]
  tests: readonly Test[]
  /** What lots are drawn by. */
  units: readonly string[]
  parameters: ReadonlyMap<string, CompiledParameter>
  experiments: readonly CompiledExperiment[]
  rollouts: readonly RunningRollout[]
  /** What of a context can make a difference, sorted. */
  attributes: readonly string[]
  /** Ids of the audiences that conditions ask for. */
  audiences: readonly string[]
  /** As it was published, for clients of others that evaluate themselves. */
  content: Template
}

export interface Stored {
  projectId: string
  teamId: string | null
  kind: Kind
  version: number
  publishedAt: number
  minFetchIntervalSec: number
  content: Template
  running: readonly RunningExperiment[]
  rollouts: readonly RunningRollout[]
}

export function compileTemplate(stored: Stored): Compiled {
  const { content, running, ...head } = stored
  const { rollouts } = head
  const experiments = running.map(compileExperiment)
  const expanded = expandAll(content.conditions)
  const attributes = new Set<string>(experiments.flatMap(one => one.attributes))
  for (const { unitAttr } of rollouts) attributes.add(unitAttr)
  const audiences = new Set<string>(experiments.flatMap(one => one.audiences))
  const tests: Test[] = []
  const testPlaces = new Map<string, number>()
  const placeOfTest = (text: string, make: () => Test): number => {
    const place = testPlaces.get(text) ?? tests.push(make()) - 1
    testPlaces.set(text, place)
    return place
  }
  const conditions = content.conditions.map(({ name }): CompiledCondition => {
    const found = expanded.get(name)
    // What was published was checked; a condition that cannot be read holds for nobody.
    if (!found || 'problem' in found) return { name, drawsBy: [], test: placeOfTest('', () => () => false) }
    const reads = readsOf(found.rule)
    for (const attribute of reads.attributes) attributes.add(attribute)
    for (const audience of audiencesOf(found.rule)) audiences.add(audience)
    const test = placeOfTest(JSON.stringify(found.rule), () => compile(found.rule).matches)
    return { name, drawsBy: reads.drawsBy, test }
  })
  const places = new Map(content.conditions.map((one, at) => [one.name, at]))
  const parameters = new Map<string, CompiledParameter>()
  for (const key of Object.keys(content.parameters).sort()) {
    const parameter = content.parameters[key]!
    const rolledOf = (condition: string | null, branch: Outcome): { rolled?: Rolled } => {
      const rollout = rollouts.find(one => one.parameter === key && one.condition === condition)
      return rollout ? { rolled: rolledBy(head.version, parameter, rollout, branch) } : {}
    }
    const cases = Object.entries(parameter.conditional)
      .map(([name, value]) => ({ name, value, condition: places.get(name) ?? -1 }))
      .filter(one => one.condition >= 0)
      .sort((a, b) => a.condition - b.condition)
      .map(({ name, value, condition }) => {
        const reason = conditions[condition]!.drawsBy.length > 0 ? 'SPLIT' : 'TARGETING_MATCH'
        const outcome = outcomeOf(head.version, key, parameter, value, name, reason, markOf(condition))
        return { condition, outcome, ...rolledOf(name, outcome) }
      })
    // The protocol has no reason of its own for a default that rules led to.
    const reason = cases.length === 0 ? 'STATIC' : 'UNKNOWN'
    const fallback = outcomeOf(head.version, key, parameter, parameter.default, null, reason, markOf(-1))
    const { rolled } = rolledOf(null, fallback)
    const drawn = experiments.flatMap(({ of, parameters }, experiment) =>
      parameters.includes(key)
        ? [{ experiment, outcomes: of.variants.map(one => variantOutcome(head.version, key, parameter, one)) }]
        : [],
    )
    parameters.set(key, { key, cases, fallback, drawn, ...(rolled && { rolledFallback: rolled }) })
  }
  const etag = etagOf(head.projectId, head.kind, head.version)
  const units = [...new Set(conditions.flatMap(one => one.drawsBy))]
  const asked = { attributes: [...attributes].sort(), audiences: [...audiences], units }
  return { ...head, content, etag, conditions, tests, parameters, experiments, ...asked }
}

/** Asks one template about one context; each condition and each experiment is decided once. */
export class Asking {
  readonly #compiled: Compiled
  readonly #context: EvaluationContext
  /** By place of the test: 0 where it was not asked, 1 for yes, 2 for no. */
  readonly #known: Int8Array
  /** Whether all lots can be drawn. */
  readonly #hasUnits: boolean
  /** The place of a variant by place of the experiment; -1 for who takes no part. */
  readonly #variants: readonly number[]

  constructor(compiled: Compiled, context: EvaluationContext, kept: KeptVariants = nothingKept) {
    this.#compiled = compiled
    this.#context = context
    this.#known = new Int8Array(compiled.tests.length)
    this.#hasUnits = compiled.units.every(name => hasUnit(context.attributes[name]))
    this.#variants = compiled.experiments.map(one => one.draw(context, kept.get(one.of.experimentId)).variant)
  }

  /** Everything that the context takes part in, with the keys that it is about. */
  assigned(): (Assigned & { unit: string; keys: readonly string[] })[] {
    const drawn = this.#compiled.experiments.flatMap(({ of, parameters }, place) => {
      const variant = of.variants[this.#variants[place] ?? -1]
      if (!variant) return []
      const unit = unitIn(this.#context, of.unitAttr) ?? ''
      return [{ id: of.experimentId, phase: of.phase, unit, variant: variant.key, keys: parameters }]
    })
    return [...drawn, ...this.#rolled()]
  }

  /** Whether it is in the rollouts that are judged, told as of experiments: those whose branch decides about its value. */
  #rolled(): (Assigned & { unit: string; keys: readonly string[] })[] {
    return this.#compiled.rollouts.flatMap(({ rolloutId: id, parameter: key, condition, unitAttr, since }) => {
      const unit = unitIn(this.#context, unitAttr)
      const parameter = this.#compiled.parameters.get(key)
      if (since === undefined || unit === undefined || !parameter) return []
      const branch = this.#branchOf(parameter)
      if (branch.outcome.condition !== condition || !branch.rolled) return []
      const variant = branch.rolled.isIn(this.#context) ? 'in' : 'out'
      return [{ id, phase: since, unit, variant, keys: [key] }]
    })
  }

  /** The first condition that is true and has a value, else the default, with the rollout that replaces it. */
  #branchOf({ cases, fallback, rolledFallback }: CompiledParameter): { outcome: Outcome; rolled?: Rolled } {
    for (const found of cases) if (this.#holds(found.condition)) return found
    return { outcome: fallback, ...(rolledFallback && { rolled: rolledFallback }) }
  }

  /** What decides about a parameter by lot: the first of its experiments that the context takes part in. */
  assignedTo({ drawn }: CompiledParameter): Assigned | null {
    for (const { experiment } of drawn) {
      const { of } = this.#compiled.experiments[experiment]!
      const variant = of.variants[this.#variants[experiment] ?? -1]
      if (variant) return { id: of.experimentId, phase: of.phase, variant: variant.key }
    }
    return null
  }

  #holds(place: number): boolean {
    const { test } = this.#compiled.conditions[place]!
    const known = this.#known[test]
    if (known !== 0) return known === 1
    const isTrue = this.#compiled.tests[test]!(this.#context)
    this.#known[test] = isTrue ? 1 : 2
    return isTrue
  }

  /** Of all parameters, in their order. */
  outcomes(): Outcome[] {
    const { parameters } = this.#compiled
    const found = new Array<Outcome>(parameters.size)
    let at = 0
    for (const parameter of parameters.values()) found[at++] = this.outcomeOf(parameter)
    return found
  }

  /**
   * What holds for a parameter: what an experiment gives, else the value of the first condition that is true and has one,
   * else the default; those who are in its rollout get the value of that.
   */
  outcomeOf(parameter: CompiledParameter): Outcome {
    for (const { experiment, outcomes } of parameter.drawn) {
      const given = outcomes[this.#variants[experiment] ?? -1]
      if (given) return given
    }
    const { outcome, rolled } = this.#branchOf(parameter)
    const isIn = rolled?.isIn(this.#context) ?? null
    return !rolled || isIn === null ? outcome : isIn ? rolled.inside : rolled.outside
  }

  /** The attribute that a parameter draws by and the context has not, where that decides about it. */
  unitMissing(parameter: CompiledParameter): string | null {
    if (this.#hasUnits) return null
    const { attributes } = this.#context
    for (const { condition } of parameter.cases) {
      if (this.#holds(condition)) return null
      const missing = this.#compiled.conditions[condition]!.drawsBy.find(name => !hasUnit(attributes[name]))
      if (missing !== undefined) return missing
    }
    return null
  }
}

const hasUnit = (value: unknown) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
