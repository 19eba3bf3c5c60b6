import type { ReactNode } from 'react'
import type { Rule, RuleProblem } from '../../../kernel/targeting/rule.ts'

/** One condition that the builder does not know, for its row. */
export interface OtherCondition {
  rule: Rule
  /** Those of this condition, with pointers into it. */
  problems: readonly RuleProblem[]
  isDisabled: boolean
  isTurned: boolean
  onTurn: () => void
  onChange: (rule: Rule) => void
  onRemove: () => void
}

/** Conditions of a kind that is not the builder's own. */
interface OtherConditions {
  /** What the button says that adds one. */
  add: string
  begin: Rule
  isOne: (rule: Rule) => boolean
  problemsOf: (rule: Rule) => RuleProblem[]
  row: (one: OtherCondition) => ReactNode
}

/** What a builder of conditions proposes. */
export interface Choices {
  attributes: readonly string[]
  audiences: readonly { audienceId: string; name: string; size: number }[]
  others?: OtherConditions
}
