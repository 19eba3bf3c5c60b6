import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ExperimentView } from '../contract.ts'
import { analysisApi, experimentsApi } from './experiment-calls.ts'

/** Ships a variant, or says that there is none to ship. A split that is not trusted asks for a reason. */
export function ConcludeDialog({ experiment, onClose }: { experiment: ExperimentView; onClose: () => void }) {
  const { t } = useTranslation('grow/experiments')
  const { experimentId, revision, allowedActions, design } = experiment
  const params = { experimentId }
  const report = useCall(analysisApi.getReport, { params, query: {} })
  const [choice, setChoice] = useState('')
  const [audience, setAudience] = useState<'everybody' | 'targeted'>('everybody')
  const [reason, setReason] = useState('')
  const ship = useAction(experimentsApi.releaseExperiment, { errors: 'form', onDone: onClose })
  const conclude = useAction(experimentsApi.concludeExperiment, { errors: 'form', onDone: onClose })
  const error = ship.error ?? conclude.error
  const isTrusted = report.data?.results.srm?.isHealthy ?? true
  const isShipping = choice.startsWith('ship ')
  const submit = () =>
    isShipping
      ? ship.run({ params, body: { variant: choice.slice(5), audience, reason, revision } })
      : conclude.run({ params, body: { outcome: choice as 'rolledBack', reason, revision } })
  const items = [
    ...design.variants.map(({ key, name }) => ({
      value: `ship ${key}`,
      label: t('conclude.ship', { name }),
      description: key === report.data?.variant && report.data.isShippable ? t('conclude.proposed') : undefined,
    })),
    ...(allowedActions.includes('conclude') ? (['rolledBack', 'inconclusive'] as const) : []).map(value => ({
      ...{ value, label: t(`outcomes.${value}`), description: t(`conclude.${value}`) },
    })),
  ]
  return (
    <DialogBox
      title={t('acts.conclude')}
      verb={isShipping ? t('conclude.shipVerb') : t('acts.conclude')}
      action="conclude-experiment"
      isRunning={ship.isRunning || conclude.isRunning}
      canSubmit={choice !== '' && (isTrusted || reason.trim() !== '')}
      refusal={error && errorText(error)}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!isTrusted && (
        <Alert type="error" header={t('report.untrusted')}>
          {t('conclude.untrusted')}
        </Alert>
      )}
      <FormField label={t('conclude.what')}>
        <RadioGroup value={choice} items={items} onChange={({ detail }) => setChoice(detail.value)} />
      </FormField>
      {isShipping && design.rule !== null && (
        <FormField label={t('conclude.audience')}>
          <SegmentedControl
            label={t('conclude.audience')}
            selectedId={audience}
            options={(['everybody', 'targeted'] as const).map(id => ({ id, text: t(`audiences.${id}`) }))}
            onChange={({ detail }) => setAudience(detail.selectedId as typeof audience)}
          />
        </FormField>
      )}
      <FormField label={t('conclude.reason')}>
        <Textarea value={reason} rows={3} onChange={({ detail }) => setReason(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
