import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { listingLanguages } from '../../apps/contract.ts'
import { confidences, type Element, elements, limits, type Metric, metrics } from '../tests/rules.ts'
import { api, numberText, percentText } from './material-calls.ts'

interface NewTestProps {
  appId: string
  lang: string
  onClose: () => void
}

/** What a new test looks for, and how many devices that takes. */
export function NewTest({ appId, lang, onClose }: NewTestProps) {
  const { t } = useTranslation('distribute/material')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Element[]>(['icon'])
  const [langs, setLangs] = useState<string[]>([lang])
  const [metric, setMetric] = useState<Metric>('first_installs')
  const [traffic, setTraffic] = useState('50')
  const [base, setBase] = useState('20')
  const [change, setChange] = useState('10')
  const [confidence, setConfidence] = useState<(typeof confidences)[number]>(0.95)
  const [autoStop, setAutoStop] = useState(false)
  const design = {
    trafficPercent: Number(traffic),
    baseRate: Number(base) / 100,
    mde: Number(change) / 100,
    confidence,
  }
  const isSound =
    Number.isInteger(design.trafficPercent) &&
    within(design.trafficPercent, 1, 100) &&
    within(design.baseRate, 0.0001, 0.95) &&
    within(design.mde, 0.01, 1)
  const create = useAction(api.createTest, {
    errors: 'form',
    onDone: ({ testId }) => {
      onClose()
      location.hash = hrefOf('/apps/$appId/material-tests/$testId', { appId, testId }).replace(/^[^#]*#/, '#')
    },
  })
  const body = { appId, name, elements: chosen, langs, metric, autoStop, ...design }
  const languageOptions = listingLanguages.map(value => ({ value, label: value }))
  return (
    <DialogBox
      title={t('new.title')}
      verb={t('new.verb')}
      action="createTest"
      size="large"
      isRunning={create.isRunning}
      canSubmit={
        isSound && name.trim() !== '' && name.length <= limits.nameLength && chosen.length > 0 && langs.length > 0
      }
      refusal={create.error && errorText(create.error)}
      onSubmit={() => void create.run({ body })}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <FormField stretch label={t('field.name')}>
          <Input value={name} onChange={({ detail }) => setName(detail.value)} />
        </FormField>
        <FormField label={t('field.elements')} description={t('new.elementsText')}>
          <SpaceBetween direction="horizontal" size="m">
            {elements.map(element => (
              <Checkbox
                key={element}
                checked={chosen.includes(element)}
                onChange={({ detail }) =>
                  setChosen(elements.filter(one => (one === element ? detail.checked : chosen.includes(one))))
                }
              >
                {t(`elements.${element}`)}
              </Checkbox>
            ))}
          </SpaceBetween>
        </FormField>
        <FormField stretch label={t('field.langs')} description={t('new.langsText')}>
          <Multiselect
            options={languageOptions}
            selectedOptions={languageOptions.filter(one => langs.includes(one.value))}
            filteringType="auto"
            onChange={({ detail }) => setLangs(detail.selectedOptions.flatMap(one => one.value ?? []))}
          />
        </FormField>
        <div className="material-fields">
          <FormField label={t('field.metric')}>
            <Select
              selectedOption={{ value: metric, label: t(`metrics.${metric}`) }}
              options={metrics.map(value => ({ value, label: t(`metrics.${value}`) }))}
              onChange={({ detail }) => setMetric(detail.selectedOption.value as Metric)}
            />
          </FormField>
          <FormField label={t('new.traffic')}>
            <Input type="number" value={traffic} onChange={({ detail }) => setTraffic(detail.value)} />
          </FormField>
          <FormField label={t('new.base')}>
            <Input type="number" value={base} onChange={({ detail }) => setBase(detail.value)} />
          </FormField>
          <FormField label={t('new.change')}>
            <Input type="number" value={change} onChange={({ detail }) => setChange(detail.value)} />
          </FormField>
          <FormField label={t('field.confidence')}>
            <Select
              selectedOption={{ value: String(confidence), label: percentText(confidence, 0) }}
              options={confidences.map(value => ({ value: String(value), label: percentText(value, 0) }))}
              onChange={({ detail }) =>
                setConfidence(confidences.find(one => String(one) === detail.selectedOption.value) ?? 0.95)
              }
            />
          </FormField>
        </div>
        {isSound && <Sample appId={appId} design={design} />}
        <Checkbox checked={autoStop} onChange={({ detail }) => setAutoStop(detail.checked)}>
          {t('new.autoStop')}
        </Checkbox>
      </SpaceBetween>
    </DialogBox>
  )
}

const within = (value: number, least: number, most: number) => value >= least && value <= most

interface Design {
  trafficPercent: number
  baseRate: number
  mde: number
  confidence: (typeof confidences)[number]
}

function Sample({ appId, design }: { appId: string; design: Design }) {
  const { t } = useTranslation('distribute/material')
  const [perDay, setPerDay] = useState('')
  const devicesPerDay = Number(perDay)
  const isDaily = Number.isInteger(devicesPerDay) && devicesPerDay > 0
  const wish = { ...design, variants: 1, ...(isDaily && { devicesPerDay }) }
  const plan = useCall(api.planSample, { query: { appId, ...wish } }, { keepBefore: true })
  const { perArm = 0, total = 0, days = null, isTooLong = false } = plan.data ?? {}
  return (
    <div className="material-sample" aria-live="polite">
      <FormField label={t('sample.perDay')} description={t('sample.perDayText')}>
        <Input type="number" value={perDay} onChange={({ detail }) => setPerDay(detail.value)} />
      </FormField>
      <p>
        {t('sample.devices', { perArm: numberText(perArm), total: numberText(total) })}
        {days !== null && <> {t('sample.days', { count: days })}</>}
        {isTooLong && <> {t('sample.tooLong', { days: limits.mostDays })}</>}
      </p>
    </div>
  )
}
