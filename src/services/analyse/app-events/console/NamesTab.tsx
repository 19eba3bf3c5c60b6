import './app-events.css'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DayBars } from '../../../../console/kit/DayBars.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCall } from '../../../../console/use-call.ts'
import { eventsApi } from './events-calls.ts'

const periods = ['7', '30', '90']

/** The names of a project's events with how often they came, by how many, day by day. */
export function NamesTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('analyse/app-events')
  const table = useTableState<'days'>({ id: 'app-event-names', filters: ['days'] })
  const days = Number(periods.find(one => one === table.filters.days) ?? 30)
  const query = { projectId, ...table.page, search: table.search, days }
  const result = useCall(eventsApi.listEventNames, { query }, { keepBefore: true })
  const number = (value: number) => value.toLocaleString(i18n.resolvedLanguage)
  return (
    <DataTable
      title={t('names')}
      table={table}
      result={result}
      rowKey={row => row.name}
      rowName={row => row.name}
      searchLabel={t('search')}
      filters={[
        {
          id: 'days',
          label: t('period'),
          options: periods.map(value => ({ value, label: t('lastDays', { count: Number(value) }) })),
        },
      ]}
      empty={{ title: t('empty'), text: t('emptyText') }}
      columns={[
        {
          id: 'name',
          header: t('name'),
          isName: true,
          minWidth: 180,
          cell: row => (
            <code className="events-name" translate="no">
              {row.name}
            </code>
          ),
        },
        { id: 'count', header: t('count'), width: 130, cell: row => number(row.count) },
        { id: 'units', header: t('units'), width: 130, cell: row => number(row.units) },
        { id: 'value', header: t('value'), width: 120, cell: row => t(row.hasValue ? 'hasValue' : 'noValue') },
        {
          id: 'days',
          header: t('byDay'),
          width: 180,
          cell: row => (
            <DayBars counts={row.days} label={t('byDayOf', { name: row.name, count: row.days.at(-1) ?? 0 })} />
          ),
        },
      ]}
    />
  )
}
