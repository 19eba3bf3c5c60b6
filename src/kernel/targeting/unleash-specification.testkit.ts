import gradualByUser from '@unleash/client-specification/specifications/03-gradual-rollout-user-id-strategy.json' with {
  type: 'json',
}
import gradualBySession from '@unleash/client-specification/specifications/04-gradual-rollout-session-id-strategy.json' with {
  type: 'json',
}
import variants from '@unleash/client-specification/specifications/08-variants.json' with { type: 'json' }
import flexible from '@unleash/client-specification/specifications/10-flexible-rollout-strategy.json' with {
  type: 'json',
}
import stickiness from '@unleash/client-specification/specifications/12-custom-stickiness.json' with { type: 'json' }
import versions from '@unleash/client-specification/specifications/14-constraint-semver-operators.json' with {
  type: 'json',
}
import strategyVariants from '@unleash/client-specification/specifications/16-strategy-variants.json' with {
  type: 'json',
}
import patterns from '@unleash/client-specification/specifications/21-regex-constraint-operators.json' with {
  type: 'json',
}
import ranges from '@unleash/client-specification/specifications/22-cidr-constraint-operators.json' with {
  type: 'json',
}

export interface Constraint {
  operator: string
  contextName: string
  value?: string
  values?: string[]
  inverted?: boolean
  caseInsensitive?: boolean
}
interface Variant {
  name: string
  weight: number
  stickiness?: string
  overrides?: unknown[]
}
interface Feature {
  name: string
  enabled: boolean
  strategies: { name: string; parameters: Record<string, string>; constraints?: Constraint[]; variants?: Variant[] }[]
  variants?: Variant[]
}
export type Context = Record<string, unknown> & { properties?: Record<string, unknown> }
interface Case<Expected> {
  description: string
  context: Context
  toggleName: string
  expectedResult: Expected
}
interface Specification {
  name: string
  state: { features: Feature[] }
  tests?: Case<boolean>[]
  variantTests?: Case<{ name: string }>[]
}

const read = (...files: unknown[]) => files as Specification[]

/** Parts of the published specification of Unleash clients (Apache-2.0), as its package brings them. */
export const unleash = {
  rollouts: read(gradualByUser, gradualBySession, flexible, stickiness),
  variants: read(variants, stickiness, strategyVariants),
  constraints: read(versions, patterns, ranges),
}
