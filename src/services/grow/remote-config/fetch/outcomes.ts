import { isWithin } from '../../../../kernel/targeting/bucket.ts'
import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import { unitIn } from '../../../../kernel/targeting/experiment.ts'
import { type Parameter, type RunningExperiment, type RunningRollout, typedValue, type Value } from '../rules.ts'

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
  /** Name of the rollout that gives it. */
  rollout?: string
  /** One character that tells the outcomes of a parameter apart, for ETags. */
  mark: string
}

/** A rollout of one branch of a parameter. */
export interface Rolled {
  /** Whether a context is in; null of who has nothing to be drawn by, and takes no part. */
  isIn(context: EvaluationContext): boolean | null
  /** What those get who are in, and those who are not: the value of the branch, with word of the rollout. */
  inside: Outcome
  outside: Outcome
}

/** How a rollout changes what a branch gives. The protocol's metadata name it, with the phase where exposures are counted. */
export function rolledBy(version: number, { valueType }: Parameter, rollout: RunningRollout, branch: Outcome): Rolled {
  const { parameter: key, condition, value: text, seed, unitAttr, percent, rolloutId, since } = rollout
  const value = typedValue(valueType, text)
  const entry = { v: text, src: 'rollout', ...(condition !== null && { rule: condition }), variant: 'rollout' }
  const phase = since === undefined ? {} : { rolloutPhase: since }
  const flagOf = (rolloutVariant: 'in' | 'out', given: unknown) => {
    // The default of the code has neither a value nor a variant.
    const what = given === undefined ? {} : { value: given, variant: rolloutVariant }
    const metadata = { templateVersion: String(version), rolloutId, rolloutVariant, ...phase }
    return JSON.stringify({ key, ...what, reason: 'SPLIT', metadata })
  }
  return {
    isIn: context => {
      const unit = unitIn(context, unitAttr)
      return unit === undefined ? null : isWithin('rollout', seed, unit, percent)
    },
    // A parameter is in one rollout at most.
    inside: {
      ...{ condition, text, value, mark: '%', rollout: rollout.name },
      entry: `${JSON.stringify(key)}:${JSON.stringify(entry)}`,
      flag: flagOf('in', value),
    },
    outside: { ...branch, mark: '$', flag: flagOf('out', branch.value) },
  }
}

/** A character for each place of a condition, from `A` for the default on; there are at most 2,000 of them. */
export const markOf = (condition: number) => String.fromCharCode(0x42 + condition)

/** What a variant of an experiment gives; undefined where that is what is there without it. */
export function variantOutcome(
  version: number,
  key: string,
  parameter: Parameter,
  { key: variant, payload }: RunningExperiment['variants'][number],
): Outcome | undefined {
  if (!Object.hasOwn(payload, key)) return undefined
  const text = payload[key] as string
  const value = typedValue(parameter.valueType, text)
  const flag = { key, value, reason: 'SPLIT', variant, metadata: { templateVersion: String(version) } }
  return {
    // Which variant it is stands in the ETag by itself.
    ...{ condition: null, text, value, mark: '!', flag: JSON.stringify(flag) },
    entry: `${JSON.stringify(key)}:${JSON.stringify({ v: text, src: 'experiment', variant })}`,
  }
}

/** What is given where a condition holds, or by default. */
export function outcomeOf(
  version: number,
  key: string,
  { valueType }: Parameter,
  value: Value,
  condition: string | null,
  reason: string,
  mark: string,
): Outcome {
  const text = 'value' in value ? value.value : undefined
  const variant = text === undefined ? undefined : (condition ?? 'default')
  const metadata = { templateVersion: String(version) }
  if (text === undefined) {
    const flag = JSON.stringify({ key, reason, metadata })
    return { condition, text, value: undefined, entry: '', flag, mark }
  }
  const typed = typedValue(valueType, text)
  const src = condition === null ? 'default' : 'condition'
  const entry = { v: text, src, ...(condition !== null && { rule: condition }), variant }
  return {
    ...{ condition, text, value: typed, mark },
    entry: `${JSON.stringify(key)}:${JSON.stringify(entry)}`,
    flag: JSON.stringify({ key, value: typed, reason, variant, metadata }),
  }
}
