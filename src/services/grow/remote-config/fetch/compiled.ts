import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import { compile } from '../../../../kernel/targeting/evaluate.ts'
import { audiencesOf } from '../../../../kernel/targeting/rule.ts'
import { expandAll, readsOf } from '../condition-rules.ts'
import { etagOf, type Kind, type Parameter, type Template, typedValue, type Value } from '../rules.ts'

/** One outcome of a parameter, with its JSON as each protocol wants it. */
export interface Outcome {
  /** Name of the condition; null is the default. */
  condition: string | null
  /** Undefined where the app's own default holds. */
  text: string | undefined
  value: unknown
  /** `"key":{...}` of the config wire; empty where the app's own default holds. */
  entry: string
  /** The success of the evaluation protocol. */
  flag: string
}

interface CompiledCondition {
  name: string
  drawsBy: readonly string[]
  matches(context: EvaluationContext): boolean
}

export interface CompiledParameter {
  key: string
  /** By place of the condition. */
  cases: readonly { condition: number; outcome: Outcome }[]
  fallback: Outcome
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
  parameters: ReadonlyMap<string, CompiledParameter>
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
}

export function compileTemplate(stored: Stored): Compiled {
  const { content, ...head } = stored
  const expanded = expandAll(content.conditions)
  const attributes = new Set<string>()
  const audiences = new Set<string>()
  const conditions = content.conditions.map(({ name }): CompiledCondition => {
    const found = expanded.get(name)
    // What was published was checked; a condition that cannot be read holds for nobody.
    if (!found || 'problem' in found) return { name, drawsBy: [], matches: () => false }
    const reads = readsOf(found.rule)
    for (const attribute of reads.attributes) attributes.add(attribute)
    for (const audience of audiencesOf(found.rule)) audiences.add(audience)
    const rule = compile(found.rule)
    return { name, drawsBy: reads.drawsBy, matches: context => rule.matches(context) }
  })
  const places = new Map(content.conditions.map((one, at) => [one.name, at]))
  const parameters = new Map<string, CompiledParameter>()
  for (const key of Object.keys(content.parameters).sort()) {
    const parameter = content.parameters[key]!
    const cases = Object.entries(parameter.conditional)
      .map(([name, value]) => ({ name, value, condition: places.get(name) ?? -1 }))
      .filter(one => one.condition >= 0)
      .sort((a, b) => a.condition - b.condition)
      .map(({ name, value, condition }) => {
        const reason = conditions[condition]!.drawsBy.length > 0 ? 'SPLIT' : 'TARGETING_MATCH'
        return { condition, outcome: outcomeOf(head.version, key, parameter, value, name, reason) }
      })
    // The protocol has no reason of its own for a default that rules led to.
    const reason = cases.length === 0 ? 'STATIC' : 'UNKNOWN'
    const fallback = outcomeOf(head.version, key, parameter, parameter.default, null, reason)
    parameters.set(key, { key, cases, fallback })
  }
  const etag = etagOf(head.projectId, head.kind, head.version)
  const asked = { attributes: [...attributes].sort(), audiences: [...audiences] }
  return { ...head, content, etag, conditions, parameters, ...asked }
}

function outcomeOf(
  version: number,
  key: string,
  { valueType }: Parameter,
  value: Value,
  condition: string | null,
  reason: string,
): Outcome {
  const text = 'value' in value ? value.value : undefined
  const variant = text === undefined ? undefined : (condition ?? 'default')
  const metadata = { templateVersion: String(version) }
  if (text === undefined) {
    const flag = JSON.stringify({ key, reason, metadata })
    return { condition, text, value: undefined, entry: '', flag }
  }
  const typed = typedValue(valueType, text)
  const src = condition === null ? 'default' : 'condition'
  const entry = { v: text, src, ...(condition !== null && { rule: condition }), variant }
  return {
    ...{ condition, text, value: typed },
    entry: `${JSON.stringify(key)}:${JSON.stringify(entry)}`,
    flag: JSON.stringify({ key, value: typed, reason, variant, metadata }),
  }
}

/** Asks one template about one context; each condition is decided once. */
export class Asking {
  readonly #compiled: Compiled
  readonly #context: EvaluationContext
  readonly #known: Int8Array

  constructor(compiled: Compiled, context: EvaluationContext) {
    this.#compiled = compiled
    this.#context = context
    this.#known = new Int8Array(compiled.conditions.length)
  }

  #holds(place: number): boolean {
    const known = this.#known[place]
    if (known !== 0) return known === 1
    const isTrue = this.#compiled.conditions[place]!.matches(this.#context)
    this.#known[place] = isTrue ? 1 : 2
    return isTrue
  }

  /** What holds for a parameter: the first condition that is true and has a value, else the default. */
  outcomeOf(parameter: CompiledParameter): Outcome {
    for (const { condition, outcome } of parameter.cases) if (this.#holds(condition)) return outcome
    return parameter.fallback
  }

  /** The attribute that a parameter draws by and the context has not, where that decides about it. */
  unitMissing(parameter: CompiledParameter): string | null {
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
