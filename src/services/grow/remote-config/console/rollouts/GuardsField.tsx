import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { type Guards, guardLimits, srmActions } from '../../../../../kernel/ramp/guards.ts'
import { rolloutsApi } from '../config-calls.ts'

export const noGuards: Guards = { guardrails: [], signals: [], srmAction: 'warn' }

interface Props {
  projectId: string
  guards: Guards
  onChange: (guards: Guards) => void
}

/** By which metrics a rollout is taken back or held, and what an uneven split does. */
export function GuardsField({ projectId, guards, onChange }: Props) {
  const { t } = useTranslation('grow/remote-config')
  const metrics = useCall(rolloutsApi.listRolloutMetrics, { query: { projectId } })
  const known = metrics.data?.list ?? []
  const action = (value: Guards['srmAction']) => ({ value, label: t(`rollouts.srmActions.${value}`) })
  const isEmpty = metrics.data !== undefined && known.length === 0
  return (
    <>
      {(['guardrails', 'signals'] as const).map(role => {
        const other = guards[role === 'guardrails' ? 'signals' : 'guardrails']
        const isFull = guards[role].length >= guardLimits.most
        const options = known
          .filter(({ metricId }) => !other.includes(metricId))
          .map(({ metricId, name }) => ({
            value: metricId,
            label: name,
            disabled: isFull && !guards[role].includes(metricId),
          }))
        return (
          <FormField
            key={role}
            label={t(`rollouts.${role}`)}
            description={t(`rollouts.${role}Text`)}
            constraintText={isEmpty ? t('rollouts.noMetrics') : t('rollouts.mostMetrics', { most: guardLimits.most })}
            errorText={metrics.error ? t('rollouts.metricsUnread') : ''}
          >
            <Multiselect
              selectedOptions={options.filter(one => guards[role].includes(one.value))}
              options={options}
              disabled={known.length === 0}
              placeholder={t('rollouts.chooseMetrics')}
              filteringType={known.length > 10 ? 'auto' : 'none'}
              statusType={metrics.isLoading ? 'loading' : 'finished'}
              loadingText={t('loading')}
              deselectAriaLabel={option => t('rollouts.removeMetric', { name: option.label ?? '' })}
              onChange={({ detail }) =>
                onChange({ ...guards, [role]: detail.selectedOptions.map(one => one.value ?? '') })
              }
            />
          </FormField>
        )
      })}
      <FormField label={t('rollouts.srm')} description={t('rollouts.srmText')}>
        <Select
          selectedOption={action(guards.srmAction)}
          options={srmActions.map(action)}
          onChange={({ detail }) =>
            onChange({ ...guards, srmAction: srmActions.find(one => one === detail.selectedOption.value) ?? 'warn' })
          }
        />
      </FormField>
    </>
  )
}
