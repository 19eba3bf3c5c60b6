import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { gateActions, gateLimits, gateMetrics, isOfStars, opsOf } from '../../gates/rules.ts'
import { type GateDraft, gatesOf, nextDraft, ofMetric } from './gate-draft.ts'
import { opText } from './phased-words.ts'

interface GateFieldsProps {
  value: readonly GateDraft[]
  onChange: (value: GateDraft[]) => void
}

/** A row for each gate: which metric, beyond what, of how many devices, and what happens then. */
export function GateFields({ value, onChange }: GateFieldsProps) {
  const { t } = useTranslation('distribute/versions')
  const { fault } = gatesOf(value)
  const set = (at: number, part: Partial<GateDraft>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)))
  const metricOf = (one: GateDraft['metric']) => ({ value: one, label: t(`phased.metrics.${one}`) })
  const opOf = (one: GateDraft['op']) => ({ value: one, label: opText[one] })
  const actionOf = (one: GateDraft['action']) => ({ value: one, label: t(`phased.gates.does.${one}`) })
  return (
    <SpaceBetween size="s">
      {value.map((gate, at) => {
        const faults = isOfStars(gate.metric) ? 'starFaults' : 'faults'
        const wrong = (field: string) =>
          fault?.at === at && fault.field === field
            ? t(`phased.gates.${faults}.${fault.rule}`, { least: gateLimits.minUsersLeast })
            : undefined
        return (
          <fieldset key={gate.key} className="phased-gate" aria-label={t('phased.gates.gate', { number: at + 1 })}>
            <FormField label={t('phased.gates.metric')} errorText={wrong('metric')}>
              <Select
                selectedOption={metricOf(gate.metric)}
                options={gateMetrics.map(metricOf)}
                onChange={({ detail }) => set(at, ofMetric(gate, detail.selectedOption.value as GateDraft['metric']))}
              />
            </FormField>
            <FormField label={t('phased.gates.op')} errorText={wrong('op')}>
              <Select
                selectedOption={opOf(gate.op)}
                options={opsOf(gate.metric).map(opOf)}
                onChange={({ detail }) => set(at, { op: detail.selectedOption.value as GateDraft['op'] })}
              />
            </FormField>
            <FormField
              label={t(isOfStars(gate.metric) ? 'phased.gates.starsValue' : 'phased.gates.value')}
              errorText={wrong('value')}
            >
              <Input
                value={gate.value}
                inputMode="decimal"
                onChange={({ detail }) => set(at, { value: detail.value })}
              />
            </FormField>
            <FormField label={t('phased.gates.minUsers')} errorText={wrong('minUsers')}>
              <Input
                value={gate.minUsers}
                inputMode="numeric"
                onChange={({ detail }) => set(at, { minUsers: detail.value })}
              />
            </FormField>
            <FormField label={t('phased.gates.action')}>
              <Select
                selectedOption={actionOf(gate.action)}
                options={gateActions.map(actionOf)}
                onChange={({ detail }) => set(at, { action: detail.selectedOption.value as GateDraft['action'] })}
              />
            </FormField>
            <Button
              formAction="none"
              iconName="remove"
              variant="icon"
              ariaLabel={t('phased.gates.remove', { number: at + 1 })}
              onClick={() => onChange(value.filter(one => one !== gate))}
            />
          </fieldset>
        )
      })}
      <Button
        formAction="none"
        iconName="add-plus"
        disabled={value.length >= gateLimits.gates}
        onClick={() => onChange([...value, nextDraft(value)])}
      >
        {t('phased.gates.add')}
      </Button>
    </SpaceBetween>
  )
}
