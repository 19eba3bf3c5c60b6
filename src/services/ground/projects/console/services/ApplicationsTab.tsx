import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import type { Language } from '../../../../../console/language.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { serviceApi } from '../project-calls.ts'
import { serviceName, serviceNote, serviceTones } from './service-words.ts'

const states = ['ENABLED', 'REFUSED', 'DISABLED'] as const

/** What was applied for, by whom and what for, and what stands in the way now. */
export function ApplicationsTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const table = useTableState<'state'>({ id: 'project-applications', filters: ['state'] })
  const result = useCall(serviceApi.queryApplications, { query: { projectId } })
  const orders = useCall(serviceApi.listOrders, { query: { projectId } })
  const { search, filters } = table
  const word = search.trim().toLowerCase()
  const note = (serviceId: string) => {
    const order = orders.data?.list.find(one => one.serviceId === serviceId)
    if (!order) return '–'
    const isFree = order.state === 'REFUSED' && order.obstacle === null
    return isFree ? t('services.freeNow') : serviceNote(order, language, t) || '–'
  }
  return (
    <DataTable
      title={t('services.tabs.applications')}
      table={table}
      result={wholeList(
        result,
        row =>
          (filters.state === undefined || row.state === filters.state) &&
          `${row.serviceId} ${serviceName(row.serviceId, language)} ${row.purpose}`.toLowerCase().includes(word),
      )}
      rowKey={row => row.orderId}
      rowName={row => serviceName(row.serviceId, language)}
      searchLabel={t('services.searchApplications')}
      filters={[
        {
          id: 'state',
          label: t('files.state'),
          options: states.map(value => ({ value, label: t(`services.states.${value}`) })),
        },
      ]}
      empty={{ title: t('services.noApplications'), text: t('services.noApplicationsText') }}
      columns={[
        {
          id: 'name',
          header: t('services.name'),
          isName: true,
          minWidth: 170,
          cell: row => serviceName(row.serviceId, language),
        },
        {
          id: 'state',
          header: t('files.state'),
          width: 150,
          cell: row => <StatusBadge tone={serviceTones[row.state]} text={t(`services.states.${row.state}`)} />,
        },
        {
          id: 'hint',
          header: t('services.hint'),
          minWidth: 220,
          cell: row => <div className="lg-wrapped">{note(row.serviceId)}</div>,
        },
        {
          id: 'purpose',
          header: t('services.purpose'),
          minWidth: 200,
          cell: row => (row.purpose === '' ? '–' : <span translate="no">{row.purpose}</span>),
        },
        {
          id: 'by',
          header: t('services.orderedBy'),
          minWidth: 140,
          cell: row => <span translate="no">{row.orderedByName ?? '–'}</span>,
        },
        { id: 'at', header: t('services.orderedAt'), width: 180, cell: row => <When at={row.orderedAt} /> },
      ]}
    />
  )
}
