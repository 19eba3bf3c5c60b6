import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import type { Language } from '../../../../../console/language.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { serviceApi } from '../project-calls.ts'
import { serviceName } from './service-words.ts'

/** Which service is offered where: to be looked at before a project's place is chosen. */
export function ZonesTab() {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const table = useTableState({ id: 'services-by-zone' })
  const result = useCall(serviceApi.getStrategy, { query: {} })
  const zones = result.data?.list ?? []
  const [first] = zones
  const list = first ? [...first.offered, ...first.notOffered].map(serviceId => ({ serviceId })) : []
  const word = table.search.trim().toLowerCase()
  return (
    <DataTable
      title={t('services.tabs.zones')}
      table={table}
      result={wholeList({ ...result, data: result.data && { list } }, row =>
        `${row.serviceId} ${serviceName(row.serviceId, language)}`.toLowerCase().includes(word),
      )}
      rowKey={row => row.serviceId}
      rowName={row => serviceName(row.serviceId, language)}
      searchLabel={t('services.searchServices')}
      empty={{ title: t('state.loading') }}
      columns={[
        {
          id: 'name',
          header: t('services.name'),
          isName: true,
          minWidth: 230,
          cell: row => serviceName(row.serviceId, language),
        },
        ...zones.map(({ zone, offered }) => ({
          id: zone,
          header: t(`zones.${zone}`),
          minWidth: 150,
          cell: ({ serviceId }: { serviceId: string }) =>
            offered.includes(serviceId) ? (
              <StatusBadge tone="good" text={t('services.offered')} />
            ) : (
              <StatusBadge tone="stopped" text={t('services.notOffered')} />
            ),
        })),
      ]}
    />
  )
}
