import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Multiselect from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { TokenInput } from '../../../../../console/kit/conditions/TokenInput.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type Role, roles } from '../../rules.ts'
import { metricsApi } from '../experiment-calls.ts'
import type { StepProps } from './step-props.ts'

/** What decides, what is looked at beside it, and what must not get worse. */
export function MetricsStep({ experiment, design, isDisabled, onChange }: StepProps) {
  const { t } = useTranslation('grow/experiments')
  const { projectId } = experiment
  const found = useCall(metricsApi.listMetrics, { query: { projectId, pageSize: 100 } })
  const list = found.data?.list ?? []
  const { metrics } = design
  const options = list.map(one => ({
    ...{ value: one.metricId, label: one.name, tags: [t(`metricKinds.${one.definition.kind}`)] },
    ...(one.missing.length > 0 && { description: t('metrics.missing') }),
  }))
  const put = (role: Role, ids: string[]) =>
    onChange({
      metrics: [
        ...metrics.filter(one => one.role !== role && !ids.includes(one.metricId)),
        ...ids.map(metricId => ({
          metricId,
          role,
          isPostHoc: metrics.find(one => one.metricId === metricId)?.isPostHoc ?? false,
        })),
      ],
    })
  const unseen = list.filter(one => one.missing.length > 0 && metrics.some(used => used.metricId === one.metricId))
  return (
    <Container
      header={
        <Header
          variant="h3"
          actions={
            <Button href={hrefOf('/experiments', {}, { projectId, tab: 'metrics' })}>{t('metrics.manage')}</Button>
          }
        >
          {t('steps.metrics')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {unseen.length > 0 && (
          <Alert type="warning">{t('design.unseen', { names: unseen.map(one => one.name).join(', ') })}</Alert>
        )}
        {roles.map(role => (
          <FormField key={role} label={t(`roles.${role}`)} description={t(`roleHints.${role}`)} stretch>
            <div translate="no">
              <Multiselect
                selectedOptions={metrics
                  .filter(one => one.role === role)
                  .map(
                    one =>
                      options.find(two => two.value === one.metricId) ?? { value: one.metricId, label: one.metricId },
                  )}
                options={options}
                disabled={isDisabled}
                filteringType="auto"
                statusType={found.isPending ? 'loading' : found.error ? 'error' : 'finished'}
                empty={t('metrics.empty')}
                onChange={({ detail }) =>
                  put(
                    role,
                    detail.selectedOptions.map(one => one.value ?? ''),
                  )
                }
              />
            </div>
          </FormField>
        ))}
        <FormField label={t('design.segments')} description={t('design.segmentsHint')} stretch>
          <TokenInput
            values={design.segments}
            label={t('design.segments')}
            placeholder="device.country"
            isDisabled={isDisabled}
            onChange={segments => onChange({ segments })}
          />
        </FormField>
      </SpaceBetween>
    </Container>
  )
}
