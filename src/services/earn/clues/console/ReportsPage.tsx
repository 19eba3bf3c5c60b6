import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { client } from '../../../../console/client.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { teamZone } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'
import { clues } from '../contract.ts'
import { type DataType, dataTypes } from '../rules.ts'

const api = client(clues)
type Row = Answer<(typeof clues.calls)['listBehaviors']>['list'][number]

/** What teams and visitors looked at, zone by zone. */
export default function ReportsPage() {
  const { t } = useTranslation('earn/clues')
  const table = useTableState<'zone' | 'kind'>({ id: 'clue-reports', filters: ['zone', 'kind'] })
  const { page, search, filters } = table
  const zone = (filters.zone ?? teamZone() ?? 'CN') as ZoneId
  const result = useCall(
    api.listBehaviors,
    { query: { ...page, search, ...(filters.kind && { dataType: filters.kind as DataType }) } },
    { keepBefore: true, zone },
  )
  const teamOf = (row: Row) => {
    if (row.teamId === null) return <span className="lg-soft">{t('visitor')}</span>
    return row.teamName === null ? t('gone') : <span translate="no">{row.teamName}</span>
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('title')} description={t('text')} />
      <DataTable
        title={t('all', { zone: t(`zones.${zone}`) })}
        table={table}
        result={result}
        rowKey={row => row.behaviorId}
        rowName={row => row.serviceCode}
        searchLabel={t('search')}
        filters={[
          { id: 'zone', label: t('zone'), options: shownZoneIds.map(value => ({ value, label: t(`zones.${value}`) })) },
          { id: 'kind', label: t('kind'), options: dataTypes.map(value => ({ value, label: t(`kinds.${value}`) })) },
        ]}
        empty={{ title: t('empty'), text: t('emptyText') }}
        columns={[
          {
            id: 'service',
            header: t('service'),
            isName: true,
            minWidth: 200,
            cell: row => <span translate="no">{row.serviceCode}</span>,
          },
          { id: 'kind', header: t('kind'), minWidth: 180, cell: row => t(`kinds.${row.dataType}`) },
          { id: 'menu', header: t('menu'), minWidth: 200, cell: row => <code translate="no">{row.menuId}</code> },
          { id: 'team', header: t('team'), minWidth: 180, cell: teamOf },
          { id: 'at', header: t('at'), width: 180, cell: row => <When at={row.at} /> },
        ]}
      />
    </SpaceBetween>
  )
}
