import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BalanceSpec, policies, stickyParts } from '../../governance/rules.ts'
import { ChoiceField } from '../controls/ChoiceField.tsx'
import { ControlBox } from '../controls/ControlBox.tsx'
import { NumberField } from '../controls/NumberField.tsx'
import { type BalanceView, governanceApi } from '../function-calls.ts'
import { useSaved } from './use-saved.ts'

const calls = {
  create: governanceApi.createLoadBalancer,
  update: governanceApi.updateLoadBalancer,
  remove: governanceApi.deleteLoadBalancer,
}

/** How calls are spread over the copies. */
export function BalanceBox({ functionId, found }: { functionId: string; found: BalanceView }) {
  const { t } = useTranslation('build/functions')
  const [spec, setSpec] = useState<BalanceSpec>(found.spec)
  const [isOn, setOn] = useState(found.isEnabled)
  const saved = useSaved<BalanceSpec, never, never, never>(calls as never, functionId, found)
  const { policy, sticky } = spec
  const stick = (part: Partial<BalanceSpec['sticky']>) => setSpec({ ...spec, sticky: { ...sticky, ...part } })
  return (
    <ControlBox
      scope="balance"
      id="balance"
      title={t('balance.title')}
      text={t('balance.text')}
      isOn={isOn}
      onSwitch={setOn}
      isRunning={saved.isRunning}
      error={saved.error}
      onSave={() => saved.save(spec, isOn)}
      onDefault={saved.toDefault}
    >
      <RadioGroup
        value={policy}
        onChange={({ detail }) => setSpec({ ...spec, policy: detail.value as BalanceSpec['policy'] })}
        items={policies.map(value => ({
          value,
          label: t(`balance.policies.${value}`),
          description: t(`balance.policyTexts.${value}`),
        }))}
      />
      {policy === 'SessionStickiness' && (
        <div className="fn-fields">
          <ChoiceField
            label={t('balance.by')}
            value={sticky.by}
            options={stickyParts.map(value => ({ value, label: t(`balance.bys.${value}`) }))}
            onChange={by => stick({ by })}
          />
          {sticky.by !== 'uid' && (
            <FormField label={t('balance.name')}>
              <Input value={sticky.name} spellcheck={false} onChange={({ detail }) => stick({ name: detail.value })} />
            </FormField>
          )}
          <NumberField label={t('balance.ttlSec')} value={sticky.ttlSec} onChange={ttlSec => stick({ ttlSec })} />
        </div>
      )}
    </ControlBox>
  )
}
