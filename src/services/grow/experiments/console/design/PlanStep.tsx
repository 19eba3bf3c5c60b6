import Alert from '@cloudscape-design/components/alert'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { corrections, type Design, engines, goalCount } from '../../rules.ts'
import { analysisApi } from '../experiment-calls.ts'
import { numbersOf } from '../numbers.ts'
import type { StepProps } from './step-props.ts'

/** How it is judged, and how long that takes. */
export function PlanStep({ design, isDisabled, onChange }: StepProps) {
  const { t } = useTranslation('grow/experiments')
  const number = (name: 'alpha' | 'mde' | 'power' | 'minDays' | 'maxDays' | 'tunedFor', scale = 1) => (
    <FormField label={t(`plan.${name}`)} description={t(`planHints.${name}`)}>
      <Input
        type="number"
        value={String(Math.round(design[name] * scale * 1e6) / 1e6)}
        disabled={isDisabled}
        onChange={({ detail }) => onChange({ [name]: Number(detail.value) / scale })}
      />
    </FormField>
  )
  const engineOptions = engines.map(value => ({
    value,
    label: t(`engines.${value}`),
    description: t(`engineHints.${value}`),
  }))
  const correctionOptions = corrections.map(value => ({ value, label: t(`corrections.${value}`) }))
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h3">{t('plan.judged')}</Header>}>
        <ColumnLayout columns={2}>
          <FormField label={t('plan.engine')}>
            <Select
              selectedOption={engineOptions.find(one => one.value === design.engine) ?? null}
              options={engineOptions}
              disabled={isDisabled}
              onChange={({ detail }) => onChange({ engine: detail.selectedOption.value as Design['engine'] })}
            />
          </FormField>
          <FormField label={t('plan.correction')}>
            <Select
              selectedOption={correctionOptions.find(one => one.value === design.correction) ?? null}
              options={correctionOptions}
              disabled={isDisabled}
              onChange={({ detail }) => onChange({ correction: detail.selectedOption.value as Design['correction'] })}
            />
          </FormField>
          {number('mde', 100)}
          {number('alpha', 100)}
          {number('power', 100)}
          {number('minDays')}
          {number('maxDays')}
          {design.engine === 'sequential' && number('tunedFor')}
        </ColumnLayout>
        <SpaceBetween size="s">
          <Toggle
            checked={design.cupedDays !== null}
            disabled={isDisabled}
            description={t('planHints.cuped')}
            onChange={({ detail }) => onChange({ cupedDays: detail.checked ? 14 : null })}
          >
            {t('plan.cuped')}
          </Toggle>
          <Toggle
            checked={design.isSticky}
            disabled={isDisabled}
            description={t('planHints.sticky')}
            onChange={({ detail }) => onChange({ isSticky: detail.checked })}
          >
            {t('plan.sticky')}
          </Toggle>
        </SpaceBetween>
      </Container>
      <Planner design={design} />
    </SpaceBetween>
  )
}

function Planner({ design }: { design: Design }) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole } = numbersOf(i18n.resolvedLanguage)
  const [share, setShare] = useState('10')
  const [perDay, setPerDay] = useState('1000')
  const { mde, alpha, power, variants, correction } = design
  const base = Number(share) / 100
  const isFit =
    base > 0 && base < 1 && Number(perDay) >= 0 && mde >= 0.001 && mde <= 10 && alpha >= 0.001 && alpha <= 0.2
  const body = {
    ...{ share: base, mde, alpha, power, variants: variants.length, goals: Math.max(1, goalCount(design)) },
    ...{ isCorrected: correction !== 'none', unitsPerDay: Number(perDay) },
  }
  const found = useCall(analysisApi.planExperiment, { body }, { enabled: isFit, keepBefore: true })
  return (
    <Container
      header={
        <Header variant="h3" description={t('plan.plannerText')}>
          {t('plan.planner')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <ColumnLayout columns={2}>
          <FormField label={t('plan.share')}>
            <Input type="number" value={share} onChange={({ detail }) => setShare(detail.value)} />
          </FormField>
          <FormField label={t('plan.perDay')}>
            <Input type="number" value={perDay} onChange={({ detail }) => setPerDay(detail.value)} />
          </FormField>
        </ColumnLayout>
        {isFit && found.data ? (
          <Alert type={found.data.days !== null && found.data.days > design.maxDays ? 'warning' : 'info'}>
            {found.data.days === null
              ? t('plan.unitsOnly', { of: whole(found.data.unitsOfVariant), units: whole(found.data.units) })
              : t('plan.result', {
                  ...{ of: whole(found.data.unitsOfVariant), units: whole(found.data.units), count: found.data.days },
                })}
          </Alert>
        ) : (
          <Alert type="warning">{t('plan.wrong')}</Alert>
        )}
      </SpaceBetween>
    </Container>
  )
}
