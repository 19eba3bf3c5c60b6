import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import type { Language } from '../../../../../console/language.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, type ServiceView, serviceApi } from '../project-calls.ts'
import { wholeList } from '../whole-list.ts'
import { Agreements } from './Agreements.tsx'
import { ServiceSettings } from './ServiceSettings.tsx'

const tones: Record<ServiceView['state'], Tone> = { NONE: 'off', REFUSED: 'bad', ENABLED: 'good', DISABLED: 'stopped' }

export default function ProjectServicesPage() {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const projectId = usePageParam('projectId')
  const [chosen, setChosen] = useState<ServiceView | null>(null)
  const found = useCall(api.getProject, { query: { projectId } })
  const result = useCall(serviceApi.listOrders, { query: { projectId } })
  const table = useTableState({ id: 'project-services' })
  const order = useAction(serviceApi.orderService)
  const end = useAction(serviceApi.endService)
  const project = found.data
  usePageTitle(project && t('services.titleOf', { name: project.name }))

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!project) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const nameOf = (serviceId: string) =>
    result.data?.list.find(one => one.serviceId === serviceId)?.name[language] ?? serviceId
  const hint = ({ obstacle, neededBy, state }: ServiceView) => {
    if (obstacle?.kind === 'zone') return t('services.notInZone')
    if (obstacle?.kind === 'agreement') return t('services.agreeFirst')
    if (obstacle) return t('services.needs', { names: obstacle.missing.map(nameOf).join(', ') })
    return state === 'ENABLED' && neededBy.length > 0
      ? t('services.neededBy', { names: neededBy.map(nameOf).join(', ') })
      : ''
  }
  const actions = (row: ServiceView) => {
    const key = { projectId, serviceId: row.serviceId }
    if (row.state !== 'ENABLED') {
      return (
        <Button
          variant="inline-link"
          data-action="order-service"
          disabled={row.obstacle !== null}
          onClick={() => void order.run({ body: key })}
        >
          {t('services.turnOn')}
        </Button>
      )
    }
    return (
      <SpaceBetween direction="horizontal" size="xs">
        {Object.keys(row.config).length > 0 && (
          <Button variant="inline-link" data-action="configure-service" onClick={() => setChosen(row)}>
            {t('services.settings')}
          </Button>
        )}
        <Button
          variant="inline-link"
          data-action="end-service"
          disabled={row.neededBy.length > 0}
          onClick={() => void end.run({ query: key })}
        >
          {t('services.turnOff')}
        </Button>
      </SpaceBetween>
    )
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('services.titleOf', { name: project.name })}
        description={t('services.text')}
        actions={<Button href={hrefOf('/projects/$projectId/settings', { projectId })}>{t('settings.title')}</Button>}
      />
      <Agreements projectId={projectId} />
      <DataTable
        title={t('services.title')}
        table={table}
        result={wholeList(result)}
        rowKey={row => row.serviceId}
        rowName={row => row.name[language]}
        empty={{ title: t('state.loading') }}
        columns={[
          {
            id: 'name',
            header: t('services.name'),
            isName: true,
            minWidth: 170,
            cell: row => row.name[language],
          },
          { id: 'category', header: t('services.category'), width: 130, cell: row => t(`groups.${row.category}`) },
          {
            id: 'state',
            header: t('files.state'),
            width: 160,
            cell: row => <StatusBadge tone={tones[row.state]} text={t(`services.states.${row.state}`)} />,
          },
          { id: 'hint', header: t('services.hint'), minWidth: 220, cell: hint },
          ...(may('projects.edit')
            ? [{ id: 'actions', header: t('properties.actions'), minWidth: 200, cell: actions }]
            : []),
        ]}
      />
      {chosen && <ServiceSettings service={chosen} onClose={() => setChosen(null)} />}
    </SpaceBetween>
  )
}
