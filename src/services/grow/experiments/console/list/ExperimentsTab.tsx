import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type State, states } from '../../rules.ts'
import { experimentsApi } from '../experiment-calls.ts'
import { numbersOf } from '../numbers.ts'
import { StateChip, StatusChip } from '../StatusChip.tsx'
import { NewExperiment } from './NewExperiment.tsx'
import { Sparkline } from './Sparkline.tsx'

/** The experiments of a project: where each is, what its numbers say, and how they came about. */
export function ExperimentsTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole, change } = numbersOf(i18n.resolvedLanguage)
  const table = useTableState<'state'>({ id: 'experiments', filters: ['state'] })
  const [isAdding, setAdding] = useState(false)
  const state = table.filters.state as State | undefined
  const query = { projectId, ...table.page, search: table.search, ...(state && { state }) }
  const result = useCall(experimentsApi.listExperiments, { query }, { keepBefore: true })
  const add = (
    <Can call={experimentsApi.createExperiment}>
      <Button variant="primary" data-action="create" onClick={() => setAdding(true)}>
        {t('list.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.experiments')}
        table={table}
        result={result}
        rowKey={row => row.experimentId}
        rowName={row => row.name}
        searchLabel={t('list.search')}
        filters={[
          { id: 'state', label: t('state'), options: states.map(value => ({ value, label: t(`states.${value}`) })) },
        ]}
        empty={{ title: t('list.empty'), text: t('list.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <span translate="no">
                <Link href={hrefOf('/experiments/$experimentId', { experimentId: row.experimentId }, { projectId })}>
                  {row.name}
                </Link>
              </span>
            ),
          },
          { id: 'state', header: t('state'), width: 150, cell: row => <StateChip {...row} /> },
          { id: 'status', header: t('list.status'), width: 190, cell: row => <StatusChip status={row.status} /> },
          { id: 'units', header: t('list.units'), width: 110, cell: row => whole(row.units) },
          {
            id: 'trend',
            header: t('list.trend'),
            width: 210,
            cell: row => {
              const last = row.trend.at(-1) ?? null
              return (
                <div className="lg-actions">
                  <Sparkline values={row.trend} label={t('list.trendOf', { name: row.name, change: change(last) })} />
                  {last !== null && <span>{change(last)}</span>}
                </div>
              )
            },
          },
          {
            id: 'parameters',
            header: t('list.parameters'),
            width: 180,
            cell: row => <span translate="no">{row.parameters.join(', ') || '–'}</span>,
          },
          {
            id: 'started',
            header: t('startedAt'),
            width: 170,
            cell: row => (row.startedAt === null ? '–' : <When at={row.startedAt} />),
          },
        ]}
      />
      {isAdding && <NewExperiment projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  )
}
