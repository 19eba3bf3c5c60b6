import './conditions.css'
import { useTranslation } from 'react-i18next'
import type { Explained } from '../../../kernel/targeting/evaluate.ts'
import { problemsOf, type Rule } from '../../../kernel/targeting/rule.ts'
import type { Choices } from './choices.ts'
import { GroupBox } from './GroupBox.tsx'
import { asGroup } from './rule-edit.ts'

interface ConditionBuilderProps {
  rule: Rule
  onChange: (rule: Rule) => void
  /** Attributes to propose, and audiences to choose from; any other attribute can be typed. */
  choices: Choices
  /** Why the rule matched a context or not: each row then says its part. */
  explained?: Explained | undefined
  isDisabled?: boolean
}

/** A rule as groups of conditions that are changed in place. Knows no service; who uses it keeps the rule. */
export function ConditionBuilder({ rule, onChange, choices, explained, isDisabled = false }: ConditionBuilderProps) {
  const { t } = useTranslation('kit/conditions')
  const group = asGroup(rule)
  const problems = (choices.others?.problemsOf ?? problemsOf)(group)
  // A rule that is a leaf is shown in a group, and so is its explanation.
  const why = explained && group !== rule ? { ...explained, rule: group, args: [explained] } : explained
  return (
    <section aria-label={t('label')}>
      <GroupBox
        group={group}
        pointer=""
        depth={1}
        problems={problems}
        choices={choices}
        explained={why}
        isDisabled={isDisabled}
        onChange={onChange}
      />
    </section>
  )
}
