import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { rampLimits, stepFaults } from '../../../../../kernel/ramp/ramp.ts'
import { holds, holdText } from './rollout-words.ts'

/** A step as it is typed. */
export interface TypedStep {
  id: number
  percent: string
  holdMs: number | null
}

export const stepsOf = (typed: readonly TypedStep[]) =>
  typed.map(({ percent, holdMs }) => ({ percent: percent.trim() === '' ? Number.NaN : Number(percent), holdMs }))

interface Props {
  steps: readonly TypedStep[]
  onChange: (steps: TypedStep[]) => void
}

/** The steps from the first share to the last, each with how long it is held or that somebody approves it. */
export function StepsField({ steps, onChange }: Props) {
  const { t } = useTranslation('grow/remote-config')
  const [fault] = stepFaults(stepsOf(steps))
  const wrong = fault && fault.pointer !== '' ? Number(fault.pointer.split('/')[1]) + 1 : 0
  const put = (id: number, what: Partial<TypedStep>) =>
    onChange(steps.map(one => (one.id === id ? { ...one, ...what } : one)))
  const add = () => {
    const last = steps.at(-1)
    onChange([...steps, { id: (last?.id ?? 0) + 1, percent: '', holdMs: last?.holdMs ?? null }])
  }
  const option = (holdMs: number | null) => ({ value: String(holdMs), label: holdText(t, holdMs) })
  return (
    <FormField
      label={t('rollouts.steps')}
      constraintText={t('rollouts.percentText', { least: rampLimits.leastPercent })}
      errorText={wrong > 0 ? t('rollouts.badSteps', { step: wrong }) : ''}
      stretch
    >
      <SpaceBetween size="xs">
        <ol className="rcs-steps">
          {steps.map(({ id, percent, holdMs }, at) => (
            <li key={id}>
              <Input
                value={percent}
                inputMode="decimal"
                invalid={wrong === at + 1}
                ariaLabel={`${t('rollouts.step')} ${at + 1}, ${t('rollouts.percent')}`}
                onChange={({ detail }) => put(id, { percent: detail.value.replace(',', '.') })}
              />
              <span aria-hidden="true">%</span>
              <Select
                selectedOption={option(holdMs)}
                invalid={false}
                options={[...(Number(percent) === 100 ? [0] : []), ...holds, null].map(option)}
                ariaLabel={`${t('rollouts.step')} ${at + 1}, ${t('rollouts.hold')}`}
                onChange={({ detail }) => {
                  const { value } = detail.selectedOption
                  put(id, { holdMs: value === 'null' ? null : Number(value) })
                }}
              />
              <Button
                variant="icon"
                iconName="close"
                formAction="none"
                disabled={steps.length === 1}
                ariaLabel={t('rollouts.removeStep', { step: at + 1 })}
                onClick={() => onChange(steps.filter(one => one.id !== id))}
              />
            </li>
          ))}
        </ol>
        <Button formAction="none" iconName="add-plus" disabled={steps.length >= rampLimits.steps} onClick={add}>
          {t('rollouts.addStep')}
        </Button>
      </SpaceBetween>
    </FormField>
  )
}
