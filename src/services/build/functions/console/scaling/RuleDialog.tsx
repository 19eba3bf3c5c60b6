import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { refusalText } from '../../../../../console/refusal-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type CronRule, type MetricRule, metrics } from '../../scaling/rules.ts'
import { ChoiceField } from '../controls/ChoiceField.tsx'
import { NumberField } from '../controls/NumberField.tsx'
import { type ScalingRules, scalingApi } from '../function-calls.ts'

interface RuleDialogProps {
  functionId: string
  qualifier: string
  rule: ScalingRules['list'][number] | null
  onClose: () => void
}

/** One scaling rule: a floor by the clock, or a size by what is measured. */
export function RuleDialog({ functionId, qualifier, rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation('build/functions')
  const [name, setName] = useState(rule?.name ?? '')
  const [kind, setKind] = useState<'CRON' | 'METRIC'>(rule?.kind ?? 'CRON')
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [cron, setCron] = useState<CronRule>(
    rule?.cron ?? { cron: '0 8 * * 1-5', timezone: own, holdMinutes: 600, count: 2 },
  )
  const [metric, setMetric] = useState<MetricRule>(
    rule?.metric ?? { metric: 'Concurrency', threshold: 10, min: 0, max: 10 },
  )
  const create = useAction(scalingApi.createScalingRule, { errors: 'form', onDone: onClose })
  const update = useAction(scalingApi.updateScalingRule, { errors: 'form', onDone: onClose })
  const { error, isRunning } = rule ? update : create
  const submit = () => {
    const body = { name, qualifier, kind, ...(kind === 'CRON' ? { cron } : { metric }) }
    if (rule)
      void update.run({ params: { functionId, ruleId: rule.ruleId }, body: { ...body, revision: rule.revision } })
    else void create.run({ params: { functionId }, body })
  }
  const text = (part: 'cron' | 'timezone') => (
    <FormField label={t(`scaling.${part}`)} constraintText={t(`scaling.hints.${part}`)}>
      <Input
        value={cron[part]}
        spellcheck={false}
        onChange={({ detail }) => setCron({ ...cron, [part]: detail.value })}
      />
    </FormField>
  )
  return (
    <DialogBox
      title={rule ? rule.name : t('scaling.newRule')}
      action="rule"
      isRunning={isRunning}
      canSubmit={name.trim() !== ''}
      refusal={error && refusalText(error, 'scaling')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <RadioGroup
        value={kind}
        onChange={({ detail }) => setKind(detail.value as 'CRON')}
        items={(['CRON', 'METRIC'] as const).map(value => ({ value, label: t(`scaling.kinds.${value}`) }))}
      />
      {kind === 'CRON' ? (
        <>
          {text('cron')}
          {text('timezone')}
          <NumberField
            label={t('scaling.holdMinutes')}
            value={cron.holdMinutes}
            onChange={holdMinutes => setCron({ ...cron, holdMinutes })}
          />
          <NumberField label={t('scaling.count')} value={cron.count} onChange={count => setCron({ ...cron, count })} />
        </>
      ) : (
        <>
          <ChoiceField
            label={t('scaling.metric')}
            value={metric.metric}
            options={metrics.map(value => ({ value, label: t(`scaling.metrics.${value}`) }))}
            onChange={value => setMetric({ ...metric, metric: value })}
          />
          {(['threshold', 'min', 'max'] as const).map(part => (
            <NumberField
              key={part}
              label={t(`scaling.${part}`)}
              value={metric[part]}
              onChange={value => setMetric({ ...metric, [part]: value })}
            />
          ))}
        </>
      )}
    </DialogBox>
  )
}
