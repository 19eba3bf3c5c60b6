import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BreakerSpec, forcedStates, windowTypes } from '../../governance/rules.ts'
import { ChoiceField } from '../controls/ChoiceField.tsx'
import { ControlBox } from '../controls/ControlBox.tsx'
import { NumberField } from '../controls/NumberField.tsx'
import { type BreakerView, governanceApi } from '../function-calls.ts'
import { BreakerPicture } from './BreakerPicture.tsx'
import { useSaved } from './use-saved.ts'

const calls = {
  create: governanceApi.createCircuitBreaker,
  update: governanceApi.updateCircuitBreaker,
  remove: governanceApi.deleteCircuitBreaker,
}
const numbers = [
  'failureRateThreshold',
  'slowCallRateThreshold',
  'slowCallDurationMs',
  'minimumNumberOfCalls',
  'slidingWindowSize',
  'waitInOpenMs',
  'permittedCallsInHalfOpen',
] as const

/** When calls are held back, and what the breaker sees now. */
export function BreakerBox({ functionId, found }: { functionId: string; found: BreakerView }) {
  return <BreakerForm key={`${found.qualifier} ${found.revision}`} functionId={functionId} found={found} />
}

function BreakerForm({ functionId, found }: { functionId: string; found: BreakerView }) {
  const { t } = useTranslation('build/functions')
  const [spec, setSpec] = useState<BreakerSpec>(found.spec)
  const [isOn, setOn] = useState(found.isEnabled)
  const { save, toDefault, isRunning, error } = useSaved<BreakerSpec, never, never, never>(
    calls as never,
    functionId,
    found,
  )
  const change = (part: Partial<BreakerSpec>) => setSpec({ ...spec, ...part })
  return (
    <ControlBox
      scope="breaker"
      id="breaker"
      title={t('breaker.title')}
      text={t('breaker.text')}
      isOn={isOn}
      onSwitch={setOn}
      isRunning={isRunning}
      error={error}
      onSave={() => save(spec, isOn)}
      onDefault={toDefault}
    >
      {found.status.map(live => (
        <BreakerPicture key={live.node} live={live} spec={found.spec} isOn={found.isEnabled} />
      ))}
      <div className="fn-fields">
        {numbers.map(name => (
          <NumberField
            key={name}
            label={t(`breaker.${name}`)}
            value={spec[name]}
            onChange={value => change({ [name]: value })}
          />
        ))}
        <ChoiceField
          label={t('breaker.slidingWindowType')}
          value={spec.slidingWindowType}
          options={windowTypes.map(value => ({ value, label: t(`breaker.windows.${value}`) }))}
          onChange={slidingWindowType => change({ slidingWindowType })}
        />
        <ChoiceField
          label={t('breaker.forced')}
          value={spec.forced}
          options={forcedStates.map(value => ({ value, label: t(`breaker.forcedStates.${value}`) }))}
          onChange={forced => change({ forced })}
        />
      </div>
    </ControlBox>
  )
}
