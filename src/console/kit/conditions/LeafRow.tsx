import Autosuggest from '@cloudscape-design/components/autosuggest'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import type { Explained } from '../../../kernel/targeting/evaluate.ts'
import {
  comparesText,
  type Json,
  type Leaf,
  type LeafOp,
  leafOps,
  nowAttribute,
  type RuleProblem,
} from '../../../kernel/targeting/rule.ts'
import type { Choices } from './choices.ts'
import { LeafValue } from './LeafValue.tsx'
import { OutcomeMark } from './OutcomeMark.tsx'
import { withAttribute, withOp } from './rule-edit.ts'

interface LeafRowProps {
  leaf: Leaf
  pointer: string
  problems: readonly RuleProblem[]
  choices: Choices
  explained: Explained | undefined
  actual: Json | undefined
  isDisabled: boolean
  isTurned: boolean
  onTurn: () => void
  onChange: (leaf: Leaf) => void
  onRemove: () => void
}

/** One condition: an attribute, what is asked of it, and the value it is compared with. */
export function LeafRow(props: LeafRowProps) {
  const { leaf, pointer, problems, choices, explained, actual, isDisabled, isTurned, onTurn, onChange, onRemove } =
    props
  const { t } = useTranslation('kit/conditions')
  const own = problems.filter(one => one.pointer.startsWith(`${pointer}/`))
  const has = (part: string) => own.some(one => one.pointer.startsWith(`${pointer}/${part}`))
  const part = has('attr') ? 'attr' : has('zone') ? 'zone' : 'value'
  const ops = leafOps.map(value => ({ value, label: t(`ops.${value}`) }))
  const proposed = [...choices.attributes, nowAttribute].map(value => ({
    value,
    ...(value === nowAttribute ? { description: t('now') } : {}),
  }))
  return (
    <fieldset className="lg-conditions-leaf" aria-label={t('one', { attribute: leaf.attr || '…' })}>
      <div className="lg-conditions-fields">
        {isTurned && <strong>{t('not')}</strong>}
        <div className="lg-conditions-attribute" translate="no">
          <Autosuggest
            ariaLabel={t('attribute')}
            placeholder={t('attribute')}
            value={leaf.attr}
            options={proposed}
            enteredTextLabel={value => t('typed', { value })}
            invalid={has('attr') && leaf.attr !== ''}
            disabled={isDisabled}
            onChange={({ detail }) => onChange(withAttribute(leaf, detail.value))}
          />
        </div>
        <div className="lg-conditions-op">
          <Select
            ariaLabel={t('op')}
            selectedOption={ops.find(one => one.value === leaf.op) ?? null}
            options={ops}
            filteringType="auto"
            disabled={isDisabled}
            onChange={({ detail }) => onChange(withOp(leaf, detail.selectedOption.value as LeafOp))}
          />
        </div>
        <div className="lg-conditions-value">
          <LeafValue leaf={leaf} choices={choices} isDisabled={isDisabled} onChange={onChange} />
        </div>
        <Button
          variant="icon"
          iconName="remove"
          ariaLabel={t('remove', { attribute: leaf.attr || '…' })}
          disabled={isDisabled}
          onClick={onRemove}
        />
      </div>
      <div className="lg-conditions-more">
        {comparesText(leaf.op) && (
          <Checkbox
            checked={leaf.isCaseInsensitive === true}
            disabled={isDisabled}
            onChange={({ detail }) => {
              const { isCaseInsensitive: _was, ...rest } = leaf
              onChange(detail.checked ? { ...rest, isCaseInsensitive: true } : rest)
            }}
          >
            {t('anyCase')}
          </Checkbox>
        )}
        <Checkbox checked={isTurned} disabled={isDisabled} onChange={onTurn}>
          {t('turned')}
        </Checkbox>
        <OutcomeMark explained={explained} actual={actual} />
        {own.length > 0 && <span className="lg-conditions-problem">{t(`problems.${part}`)}</span>}
      </div>
    </fieldset>
  )
}
