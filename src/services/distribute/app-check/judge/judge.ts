import { type RuleId, ruleIds, ruleTexts } from '../rule-texts.data.ts'
import { type CheckItem, type CheckKind, checkLimits } from '../rules.ts'
import type { Subject } from '../subject.ts'
import type { Finder } from './finder.ts'
import * as others from './others.ts'
import * as security from './security.ts'

const { onDevice, ...rest } = others
const finders: Readonly<Record<RuleId, Finder>> = { ...security, ...rest, battery: onDevice, crashes: onDevice }

/** What every rule of the kinds finds, the worst first; evidence is bounded and can be kept as JSON. */
export function judge(subject: Subject, kinds: readonly CheckKind[]): CheckItem[] {
  return ruleIds
    .filter(ruleId => kinds.includes(ruleTexts[ruleId].kind))
    .map(ruleId => {
      const { result = 'PASS', evidence } = finders[ruleId](subject)
      return {
        ruleId,
        kind: ruleTexts[ruleId].kind,
        result,
        evidence: evidence.slice(0, checkLimits.evidence).map(kept),
      }
    })
}

const kept = (text: string) =>
  text.replaceAll('\0', '').toWellFormed().slice(0, checkLimits.evidenceLength).toWellFormed()
