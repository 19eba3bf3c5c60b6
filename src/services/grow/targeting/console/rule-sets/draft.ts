import { randomUuid } from '../../../../../console/random-id.ts'
import { type Explained, explain } from '../../../../../kernel/targeting/evaluate.ts'
import type { Rule } from '../../../../../kernel/targeting/rule.ts'
import type { SetRule } from '../../rule-sets/contract.ts'

/** A rule on screen: its payload as it is typed, and a key that stays while it moves. */
export interface DraftRule {
  key: string
  ruleId?: string
  name: string
  isOn: boolean
  rule: Rule
  payload: string
}

export function draftsOf(rules: readonly SetRule[]): DraftRule[] {
  return rules.map(({ payload, ...one }) => ({ ...one, key: one.ruleId, payload: JSON.stringify(payload, null, 2) }))
}

export function newRule(name: string): DraftRule {
  return { key: randomUuid(), name, isOn: true, rule: { op: 'and', args: [] }, payload: '{}' }
}

/** The payload of a rule; undefined while it is no JSON. */
export function payloadOf({ payload }: DraftRule): unknown {
  try {
    return JSON.parse(payload) as unknown
  } catch {
    return undefined
  }
}

export const isWhole = (rule: DraftRule) => payloadOf(rule) !== undefined && rule.name.trim() !== ''

export function toSend(rules: readonly DraftRule[]) {
  return rules.map(one => ({
    ...(one.ruleId === undefined ? {} : { ruleId: one.ruleId }),
    ...{ name: one.name, isOn: one.isOn, rule: one.rule, payload: payloadOf(one) },
  }))
}

/** The list with one rule one place up or down. */
export function moved(rules: readonly DraftRule[], at: number, by: -1 | 1): DraftRule[] {
  const next = [...rules]
  const [one] = next.splice(at, 1)
  if (one) next.splice(at + by, 0, one)
  return next
}

/** What each rule says to a context, by the same code as on the server. */
export function explainAll(
  rules: readonly DraftRule[],
  attributes: Record<string, unknown>,
  isInAudience: (id: string) => boolean,
): Explained[] {
  const context = { attributes, now: Date.now(), isInAudience }
  return rules.map(one => explain(one.rule, context))
}
