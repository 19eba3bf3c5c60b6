import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ConditionBuilder } from '../../../../../console/kit/conditions/ConditionBuilder.tsx'
import type { Choices } from '../../../../../console/kit/conditions/choices.ts'
import { OutcomeMark } from '../../../../../console/kit/conditions/OutcomeMark.tsx'
import type { Explained } from '../../../../../kernel/targeting/evaluate.ts'
import { limits } from '../../rules.ts'
import { type DraftRule, payloadOf } from './draft.ts'

interface EditedRuleProps {
  rule: DraftRule
  priority: number
  isLast: boolean
  isDisabled: boolean
  choices: Choices
  explained: Explained | undefined
  onChange: (rule: DraftRule) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One rule of a set: its conditions, and what who asks gets when they hold. */
export function EditedRule(props: EditedRuleProps) {
  const { rule, priority, isLast, isDisabled, choices, explained, onChange, onMove, onRemove } = props
  const { t } = useTranslation('grow/targeting')
  const { name } = rule
  const actions = (
    <div className="lg-actions">
      <Toggle
        checked={rule.isOn}
        disabled={isDisabled}
        onChange={({ detail }) => onChange({ ...rule, isOn: detail.checked })}
      >
        {t('rules.isOn')}
      </Toggle>
      <Button
        variant="icon"
        iconName="angle-up"
        ariaLabel={t('rules.up', { name })}
        disabled={isDisabled || priority === 1}
        onClick={() => onMove(-1)}
      />
      <Button
        variant="icon"
        iconName="angle-down"
        ariaLabel={t('rules.down', { name })}
        disabled={isDisabled || isLast}
        onClick={() => onMove(1)}
      />
      <Button
        variant="icon"
        iconName="remove"
        ariaLabel={t('rules.remove', { name })}
        disabled={isDisabled}
        onClick={onRemove}
      />
    </div>
  )
  return (
    <Container
      header={
        <Header variant="h2" actions={actions} info={<OutcomeMark explained={explained} />}>
          {t('rules.one', { priority })}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <FormField label={t('name')} errorText={name.trim() === '' ? t('rules.nameMissing') : undefined}>
          <Input
            value={name}
            disabled={isDisabled}
            nativeInputAttributes={{ maxLength: limits.nameLength }}
            onChange={({ detail }) => onChange({ ...rule, name: detail.value })}
          />
        </FormField>
        <ConditionBuilder
          rule={rule.rule}
          choices={choices}
          explained={explained}
          isDisabled={isDisabled}
          onChange={changed => onChange({ ...rule, rule: changed })}
        />
        <FormField
          label={t('rules.payload')}
          description={t('rules.payloadHint')}
          errorText={payloadOf(rule) === undefined ? t('rules.payloadWrong') : undefined}
        >
          <div className="lg-conditions-context" translate="no">
            <Textarea
              value={rule.payload}
              rows={3}
              spellcheck={false}
              disabled={isDisabled}
              onChange={({ detail }) => onChange({ ...rule, payload: detail.value })}
            />
          </div>
        </FormField>
      </SpaceBetween>
    </Container>
  )
}
