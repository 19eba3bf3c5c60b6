import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ServiceView, serviceApi } from '../project-calls.ts'
import { InterfacesOfService } from './InterfacesOfService.tsx'
import { serviceNote, serviceTones } from './service-words.ts'

/** One service of the project: its order, its settings, and the interfaces that keys reach it by. */
export function ServiceDetail({ service, onClose }: { service: ServiceView; onClose: () => void }) {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const { projectId, serviceId } = service
  const found = useCall(serviceApi.getOrder, { query: { projectId, serviceId } })
  const { state, category, orderedAt, orderId, config, ...order } = found.data ?? service
  const value = (given: string | number | boolean) =>
    typeof given === 'boolean' ? t(given ? 'services.yes' : 'services.no') : given
  return (
    <Modal visible size="large" header={service.name[language]} onDismiss={onClose}>
      <SpaceBetween size="l">
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        <KeyValuePairs
          columns={3}
          minColumnWidth={180}
          items={[
            {
              label: t('files.state'),
              value: <StatusBadge tone={serviceTones[state]} text={t(`services.states.${state}`)} />,
            },
            { label: t('services.category'), value: t(`groups.${category}`) },
            { label: t('services.hint'), value: serviceNote({ ...service, ...order, state }, language, t) || '–' },
            { label: t('services.orderedOn'), value: <When at={orderedAt} /> },
            { label: t('services.orderId'), value: orderId ?? '–' },
            ...Object.entries(config).map(([name, given]) => ({
              label: t(`services.setting.${name}`),
              value: value(given),
            })),
          ]}
        />
        <InterfacesOfService projectId={projectId} serviceId={serviceId} />
      </SpaceBetween>
    </Modal>
  )
}
