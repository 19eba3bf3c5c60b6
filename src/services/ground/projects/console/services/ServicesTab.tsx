import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import type { Language } from '../../../../../console/language.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { keyApi, type ServiceView, serviceApi } from '../project-calls.ts'
import { ApplyForServices } from './ApplyForServices.tsx'
import { ServiceDetail } from './ServiceDetail.tsx'
import { ServiceSettings } from './ServiceSettings.tsx'
import { serviceNote, serviceTones } from './service-words.ts'

/** Every service there is: turned on one by one, or several applied for at once. */
export function ServicesTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const [open, setOpen] = useState<{ as: 'detail' | 'settings'; row: ServiceView } | null>(null)
  const [chosen, setChosen] = useState<ServiceView[]>([])
  const [isApplying, setApplying] = useState(false)
  const result = useCall(serviceApi.listOrders, { query: { projectId } })
  const status = useCall(keyApi.getServiceStatus, { query: { projectId } })
  const table = useTableState({ id: 'project-services' })
  const order = useAction(serviceApi.orderService)
  const end = useAction(serviceApi.endService)
  const canEdit = may('projects.edit')
  const wanted = chosen.filter(row => row.state !== 'ENABLED')
  const interfaces = ({ serviceId }: ServiceView) => {
    const found = status.data?.list.find(one => one.serviceId === serviceId)
    return found && found.apis > 0 ? t('services.openOf', { open: found.openApis, total: found.apis }) : '–'
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
          <Button
            variant="inline-link"
            data-action="configure-service"
            onClick={() => setOpen({ as: 'settings', row })}
          >
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
    <>
      <DataTable
        title={t('services.title')}
        table={table}
        result={wholeList(result)}
        rowKey={row => row.serviceId}
        rowName={row => row.name[language]}
        empty={{ title: t('state.loading') }}
        {...(canEdit && { selection: { type: 'multi' as const, rows: chosen, onChange: setChosen } })}
        actions={
          canEdit &&
          wanted.length > 0 && (
            <Button variant="primary" data-action="apply-for-services" onClick={() => setApplying(true)}>
              {t('services.applyFor', { count: wanted.length })}
            </Button>
          )
        }
        columns={[
          {
            id: 'name',
            header: t('services.name'),
            isName: true,
            minWidth: 170,
            cell: row => (
              <Button
                variant="inline-link"
                data-action="service-detail"
                ariaLabel={t('services.detailOf', { name: row.name[language] })}
                onClick={() => setOpen({ as: 'detail', row })}
              >
                {row.name[language]}
              </Button>
            ),
          },
          { id: 'category', header: t('services.category'), width: 120, cell: row => t(`groups.${row.category}`) },
          {
            id: 'state',
            header: t('files.state'),
            width: 150,
            cell: row => <StatusBadge tone={serviceTones[row.state]} text={t(`services.states.${row.state}`)} />,
          },
          { id: 'interfaces', header: t('keys.apis'), width: 130, cell: interfaces },
          {
            id: 'hint',
            header: t('services.hint'),
            minWidth: 260,
            cell: row => <div className="lg-wrapped">{serviceNote(row, language, t) || '–'}</div>,
          },
          ...(canEdit ? [{ id: 'actions', header: t('properties.actions'), minWidth: 180, cell: actions }] : []),
        ]}
      />
      {open?.as === 'settings' && <ServiceSettings service={open.row} onClose={() => setOpen(null)} />}
      {open?.as === 'detail' && <ServiceDetail service={open.row} onClose={() => setOpen(null)} />}
      {isApplying && (
        <ApplyForServices
          projectId={projectId}
          services={wanted}
          onDone={() => setChosen([])}
          onClose={() => setApplying(false)}
        />
      )}
    </>
  )
}
