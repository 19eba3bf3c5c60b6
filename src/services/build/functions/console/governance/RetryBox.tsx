import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RetrySpec, retryErrors, waitStrategies } from '../../governance/rules.ts'
import { ChoiceField } from '../controls/ChoiceField.tsx'
import { ControlBox } from '../controls/ControlBox.tsx'
import { NumberField } from '../controls/NumberField.tsx'
import { governanceApi, type RetryView } from '../function-calls.ts'
import { useSaved } from './use-saved.ts'

const calls = {
  create: governanceApi.createRetry,
  update: governanceApi.updateRetry,
  remove: governanceApi.deleteRetry,
}
const always = ['maxAttempts', 'retryOnSame', 'waitMs'] as const
const growing = ['multiplier', 'maxWaitMs', 'jitter'] as const

/** Which calls are made again, and after what time. */
export function RetryBox({ functionId, found }: { functionId: string; found: RetryView }) {
  const { t } = useTranslation('build/functions')
  const [spec, setSpec] = useState<RetrySpec>(found.spec)
  const [statuses, setStatuses] = useState(found.spec.retryOnResponseStatus.join(', '))
  const [isOn, setOn] = useState(found.isEnabled)
  const saved = useSaved<RetrySpec, never, never, never>(calls as never, functionId, found)
  const change = (part: Partial<RetrySpec>) => setSpec({ ...spec, ...part })
  const errors = retryErrors.map(value => ({ value, label: t(`retry.errors.${value}`) }))
  const retryOnResponseStatus = statuses.split(/[\s,]+/).filter(one => one !== '')
  const field = (name: (typeof always)[number] | (typeof growing)[number]) => (
    <NumberField
      key={name}
      label={t(`retry.${name}`)}
      value={spec[name]}
      onChange={value => change({ [name]: value })}
    />
  )
  return (
    <ControlBox
      scope="retry"
      id="retry"
      title={t('retry.title')}
      text={t('retry.text')}
      isOn={isOn}
      onSwitch={setOn}
      isRunning={saved.isRunning}
      error={saved.error}
      onSave={() => saved.save({ ...spec, retryOnResponseStatus: retryOnResponseStatus.map(Number) }, isOn)}
      onDefault={saved.toDefault}
    >
      <Checkbox
        checked={spec.isIdempotent}
        description={t('retry.isIdempotentText')}
        onChange={({ detail }) => change({ isIdempotent: detail.checked })}
      >
        {t('retry.isIdempotent')}
      </Checkbox>
      <div className="fn-fields">
        {always.map(field)}
        <ChoiceField
          label={t('retry.strategy')}
          value={spec.strategy}
          options={waitStrategies.map(value => ({ value, label: t(`retry.strategies.${value}`) }))}
          onChange={strategy => change({ strategy })}
        />
        {spec.strategy === 'RANDOM_BACKOFF' && growing.map(field)}
        <FormField label={t('retry.retryOnErrors')}>
          <Multiselect
            selectedOptions={errors.filter(one => spec.retryOnErrors.includes(one.value))}
            options={errors}
            onChange={({ detail }) =>
              change({ retryOnErrors: detail.selectedOptions.map(one => one.value as (typeof retryErrors)[number]) })
            }
          />
        </FormField>
        <FormField label={t('retry.retryOnResponseStatus')}>
          <Input value={statuses} onChange={({ detail }) => setStatuses(detail.value)} />
        </FormField>
      </div>
    </ControlBox>
  )
}
