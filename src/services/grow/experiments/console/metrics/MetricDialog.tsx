import Alert from '@cloudscape-design/components/alert'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { MetricView } from '../../metrics/contract.ts'
import { aggregations, type Measured, type MetricDefinition, metricFaults, metricKinds } from '../../metrics/rules.ts'
import { limits } from '../../rules.ts'
import { metricsApi } from '../experiment-calls.ts'
import { EventField } from './EventField.tsx'

const newMetric: MetricDefinition = {
  ...{ kind: 'proportion', event: '', of: 'count', denominator: null, quantile: null, fromHours: 0, toHours: 168 },
  ...{ cap: null, direction: 'up' },
}

interface MetricDialogProps {
  projectId: string
  metric: MetricView | null
  onClose: () => void
}

/** Makes or changes a metric: which events, what is made of them, and within which hours after the first exposure. */
export function MetricDialog({ projectId, metric, onClose }: MetricDialogProps) {
  const { t } = useTranslation('grow/experiments')
  const [name, setName] = useState(metric?.name ?? '')
  const [definition, setDefinition] = useState<MetricDefinition>(metric?.definition ?? newMetric)
  const create = useAction(metricsApi.createMetric, { errors: 'form', onDone: onClose })
  const update = useAction(metricsApi.updateMetric, { errors: 'form', onDone: onClose })
  const error = create.error ?? update.error
  const { kind, denominator, quantile, fromHours, toHours, cap, direction } = definition
  const set = (more: Partial<MetricDefinition>) => setDefinition({ ...definition, ...more })
  const faults = metricFaults(definition)
  const save = () =>
    metric
      ? update.run({ params: { metricId: metric.metricId }, body: { name, definition, revision: metric.revision } })
      : create.run({ body: { projectId, name, definition } })
  const kinds = metricKinds.map(value => ({
    ...{ value, label: t(`metricKinds.${value}`), description: t(`metricKindTexts.${value}`) },
  }))
  const choose = (next: MetricDefinition['kind']) =>
    set({
      kind: next,
      denominator: next === 'ratio' ? { event: '', of: 'count' } : null,
      quantile: next === 'quantile' ? 0.9 : null,
      cap: null,
      of: next === 'proportion' || next === 'retention' ? 'count' : 'sum',
      fromHours: next === 'retention' ? 24 : 0,
      toHours: next === 'retention' ? 48 : toHours,
    })
  return (
    <DialogBox
      title={metric ? t('metrics.changeTitle', { name: metric.name }) : t('metrics.add')}
      action="save-metric"
      size="large"
      isRunning={create.isRunning || update.isRunning}
      canSubmit={name.trim() !== '' && definition.event !== '' && faults.length === 0 && denominator?.event !== ''}
      refusal={error && errorText(error)}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input
          value={name}
          autoFocus
          nativeInputAttributes={{ maxLength: limits.nameLength }}
          onChange={({ detail }) => setName(detail.value)}
        />
      </FormField>
      <FormField label={t('metrics.kind')}>
        <Select
          selectedOption={kinds.find(one => one.value === kind) ?? null}
          options={kinds}
          onChange={({ detail }) => choose(detail.selectedOption.value as MetricDefinition['kind'])}
        />
      </FormField>
      <MeasuredFields
        projectId={projectId}
        label={t('metrics.event')}
        measured={definition}
        hasChoice={kind !== 'proportion' && kind !== 'retention'}
        onChange={set}
      />
      {denominator && (
        <MeasuredFields
          projectId={projectId}
          label={t('metrics.denominator')}
          measured={denominator}
          hasChoice
          onChange={more => set({ denominator: { ...denominator, ...more } })}
        />
      )}
      <ColumnLayout columns={2}>
        <NumberField
          label={t('metrics.fromHours')}
          value={fromHours}
          onChange={value => set({ fromHours: value ?? 0 })}
        />
        <NumberField
          label={t('metrics.toHours')}
          hint={t('metrics.toHoursHint')}
          value={toHours}
          onChange={value => set({ toHours: value })}
        />
        {quantile !== null && (
          <NumberField
            label={t('metrics.quantile')}
            value={quantile}
            onChange={value => set({ quantile: value ?? 0.5 })}
          />
        )}
        {(kind === 'mean' || kind === 'ratio') && (
          <NumberField
            label={t('metrics.cap')}
            hint={t('metrics.capHint')}
            value={cap?.by === 'percentile' ? cap.at : null}
            onChange={value => set({ cap: value === null ? null : { by: 'percentile', at: value } })}
          />
        )}
        <FormField label={t('metrics.direction')}>
          <SegmentedControl
            label={t('metrics.direction')}
            selectedId={direction}
            options={(['up', 'down'] as const).map(id => ({ id, text: t(`directions.${id}`) }))}
            onChange={({ detail }) => set({ direction: detail.selectedId as 'up' })}
          />
        </FormField>
      </ColumnLayout>
      {faults[0] && definition.event !== '' && <Alert type="warning">{t('metrics.wrong')}</Alert>}
    </DialogBox>
  )
}

interface MeasuredFieldsProps {
  projectId: string
  label: string
  measured: Measured
  hasChoice: boolean
  onChange: (more: Partial<Measured>) => void
}

function MeasuredFields({ projectId, label, measured, hasChoice, onChange }: MeasuredFieldsProps) {
  const { t } = useTranslation('grow/experiments')
  const options = aggregations.map(value => ({ value, label: t(`aggregations.${value}`) }))
  return (
    <ColumnLayout columns={hasChoice ? 2 : 1}>
      <EventField projectId={projectId} label={label} value={measured.event} onChange={event => onChange({ event })} />
      {hasChoice && (
        <FormField label={t('metrics.of')}>
          <Select
            selectedOption={options.find(one => one.value === measured.of) ?? null}
            options={options}
            onChange={({ detail }) => onChange({ of: detail.selectedOption.value as Measured['of'] })}
          />
        </FormField>
      )}
    </ColumnLayout>
  )
}

interface NumberFieldProps {
  label: string
  hint?: string
  value: number | null
  onChange: (value: number | null) => void
}

function NumberField({ label, hint, value, onChange }: NumberFieldProps) {
  return (
    <FormField label={label} description={hint}>
      <Input
        type="number"
        value={value === null ? '' : String(value)}
        onChange={({ detail }) => onChange(detail.value.trim() === '' ? null : Number(detail.value))}
      />
    </FormField>
  )
}
