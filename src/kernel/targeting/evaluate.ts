import { actualOf, type EvaluationContext, leafOutcome, type Outcome } from './leaf.ts'
import { isGroup, type Json, problemsOf, type Rule } from './rule.ts'

export type { EvaluationContext, Outcome } from './leaf.ts'

export interface CompiledRule {
  matches(context: EvaluationContext): boolean
}

/** Why a rule matched or not, node by node. A leaf whose attribute is not there is `missing`; it counts as false. */
export interface Explained {
  rule: Rule
  outcome: Outcome
  args?: Explained[]
  actual?: Json
}

type Test = (context: EvaluationContext) => boolean

/** A rule made ready once, to be asked often. One with problems matches nobody. */
export function compile(rule: Rule): CompiledRule {
  return { matches: problemsOf(rule).length > 0 ? () => false : testOf(rule) }
}

function testOf(rule: Rule): Test {
  if (!isGroup(rule)) {
    const outcome = leafOutcome(rule)
    return context => outcome(context) === 'true'
  }
  const tests = rule.args.map(testOf)
  const [first, second] = tests
  if (rule.op === 'not') return context => !(first as Test)(context)
  if (tests.length === 1) return first as Test
  if (tests.length === 2 && first && second) {
    return rule.op === 'and'
      ? context => first(context) && second(context)
      : context => first(context) || second(context)
  }
  const decides = rule.op === 'or'
  return context => {
    for (let at = 0; at < tests.length; at++) if ((tests[at] as Test)(context) === decides) return decides
    return !decides
  }
}

/** Why a rule matches a context or not. It matches exactly when the outcome is `true`, as `compile(rule).matches` says. */
export function explain(rule: Rule, context: EvaluationContext): Explained {
  return problemsOf(rule).length > 0 ? { rule, outcome: 'false' } : explainNode(rule, context)
}

function explainNode(rule: Rule, context: EvaluationContext): Explained {
  if (!isGroup(rule)) {
    const actual = actualOf(rule, context)
    return { rule, outcome: leafOutcome(rule)(context), ...(actual === undefined ? {} : { actual }) }
  }
  const args = rule.args.map(arg => explainNode(arg, context))
  return { rule, outcome: outcomeOf(rule.op, args), args }
}

function outcomeOf(op: 'and' | 'or' | 'not', args: readonly Explained[]): Outcome {
  const has = (outcome: Outcome) => args.some(arg => arg.outcome === outcome)
  if (op === 'not') return has('true') ? 'false' : 'true'
  if (op === 'and') return has('false') ? 'false' : has('missing') ? 'missing' : 'true'
  return has('true') ? 'true' : has('missing') ? 'missing' : 'false'
}
