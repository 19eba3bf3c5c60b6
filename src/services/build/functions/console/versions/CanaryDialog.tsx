import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { canaryLimits, stepsProblem } from '../../canary/rules.ts'
import { ChoiceField } from '../controls/ChoiceField.tsx'
import { NumberField } from '../controls/NumberField.tsx'
import { type Alias, canaryApi } from '../function-calls.ts'

interface CanaryDialogProps {
  functionId: string
  aliases: readonly Alias[]
  versions: readonly string[]
  onClose: () => void
}

const first = [
  { weight: 5, holdMinutes: 10 },
  { weight: 25, holdMinutes: 20 },
  { weight: 50, holdMinutes: 30 },
]

/** Which second version gets which shares, for how long, and what ends it. */
export function CanaryDialog({ functionId, aliases, versions, onClose }: CanaryDialogProps) {
  const { t } = useTranslation('build/functions')
  const [alias, setAlias] = useState(aliases[0]?.name ?? '')
  const leads = aliases.find(one => one.name === alias)?.version
  const others = versions.filter(one => one !== leads)
  const [wanted, setVersion] = useState('')
  const version = others.includes(wanted) ? wanted : (others[0] ?? '')
  const [steps, setSteps] = useState(first)
  const [limits, setLimits] = useState({ errorPercent: 5, minimumCalls: 20 })
  const [p95, setP95] = useState('')
  const start = useAction(canaryApi.startCanary, { errors: 'form', onDone: onClose })
  const change = (at: number, part: Partial<(typeof first)[number]>) =>
    setSteps(steps.map((one, place) => (place === at ? { ...one, ...part } : one)))
  const submit = () =>
    void start.run({
      params: { functionId, name: alias },
      body: { version, steps, limits: { ...limits, p95Ms: p95 === '' ? null : Number(p95) } },
    })
  const problem = stepsProblem(steps) !== null
  return (
    <DialogBox
      title={t('canary.new')}
      verb={t('canary.start')}
      action="canary"
      isRunning={start.isRunning}
      canSubmit={!problem && version !== '' && alias !== ''}
      refusal={problem ? t('canary.mustGrow') : start.error && errorText(start.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChoiceField
        label={t('canary.alias')}
        value={alias}
        options={aliases.map(one => ({ value: one.name, label: `${one.name} (${one.version})` }))}
        onChange={setAlias}
      />
      <ChoiceField
        label={t('secondVersion')}
        value={version}
        options={others.map(value => ({ value, label: value }))}
        onChange={setVersion}
      />
      {steps.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name than their place
        <div key={at} className="fn-step">
          <NumberField label={t('canary.weight')} value={one.weight} onChange={weight => change(at, { weight })} />
          <NumberField
            label={t('canary.holdMinutes')}
            value={one.holdMinutes}
            onChange={holdMinutes => change(at, { holdMinutes })}
          />
          <Button
            formAction="none"
            iconName="close"
            variant="icon"
            disabled={steps.length === 1}
            ariaLabel={t('canary.removeStep')}
            onClick={() => setSteps(steps.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          formAction="none"
          iconName="add-plus"
          disabled={steps.length >= canaryLimits.steps}
          onClick={() =>
            setSteps([...steps, { weight: Math.min(99, (steps.at(-1)?.weight ?? 0) + 20), holdMinutes: 30 }])
          }
        >
          {t('canary.addStep')}
        </Button>
      </SpaceBetween>
      <div className="fn-fields">
        <NumberField
          label={t('canary.errorPercent')}
          value={limits.errorPercent}
          onChange={errorPercent => setLimits({ ...limits, errorPercent })}
        />
        <FormField label={t('canary.p95Ms')} constraintText={t('canary.p95Hint')}>
          <Input type="number" value={p95} onChange={({ detail }) => setP95(detail.value)} />
        </FormField>
        <NumberField
          label={t('canary.minimumCalls')}
          value={limits.minimumCalls}
          onChange={minimumCalls => setLimits({ ...limits, minimumCalls })}
        />
      </div>
    </DialogBox>
  )
}
