import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { MetricView } from '../../metrics/contract.ts'
import { metricsApi } from '../experiment-calls.ts'
import { MetricDialog } from './MetricDialog.tsx'

/** What experiments of a project are measured by, and whether its events come. */
export function MetricsTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('grow/experiments')
  const table = useTableState({ id: 'experiment-metrics' })
  const [open, setOpen] = useState<'new' | MetricView | null>(null)
  const [leaving, setLeaving] = useState<MetricView | null>(null)
  const query = { projectId, ...table.page, search: table.search }
  const result = useCall(metricsApi.listMetrics, { query }, { keepBefore: true })
  const remove = useAction(metricsApi.deleteMetric, { onDone: () => setLeaving(null) })
  const add = (
    <Can call={metricsApi.createMetric}>
      <Button variant="primary" data-action="create" onClick={() => setOpen('new')}>
        {t('metrics.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.metrics')}
        table={table}
        result={result}
        rowKey={row => row.metricId}
        rowName={row => row.name}
        searchLabel={t('metrics.search')}
        empty={{ title: t('metrics.empty'), text: t('metrics.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 180,
            cell: row => <span translate="no">{row.name}</span>,
          },
          { id: 'kind', header: t('metrics.kind'), width: 140, cell: row => t(`metricKinds.${row.definition.kind}`) },
          {
            id: 'event',
            header: t('metrics.event'),
            width: 200,
            cell: ({ definition: { event, denominator } }) => (
              <span translate="no">{denominator ? `${event} / ${denominator.event}` : event}</span>
            ),
          },
          {
            id: 'data',
            header: t('metrics.data'),
            width: 190,
            cell: row =>
              row.missing.length === 0 ? (
                <StatusBadge tone="good" text={t('metrics.comes')} />
              ) : (
                <StatusBadge tone="caution" text={t('metrics.missing')} />
              ),
          },
          {
            id: 'usedBy',
            header: t('metrics.usedBy'),
            width: 180,
            cell: row => <span translate="no">{[...row.usedBy, ...row.guards].join(', ') || '–'}</span>,
          },
          {
            id: 'actions',
            header: t('actions'),
            width: 190,
            cell: row => (
              <Can call={metricsApi.updateMetric}>
                <div className="lg-actions">
                  <Button variant="inline-link" onClick={() => setOpen(row)}>
                    {t('change')}
                  </Button>
                  <Button variant="inline-link" onClick={() => setLeaving(row)}>
                    {t('delete')}
                  </Button>
                </div>
              </Can>
            ),
          },
        ]}
      />
      {open !== null && (
        <MetricDialog projectId={projectId} metric={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
      {leaving && (
        <ConfirmByName
          title={t('metrics.deleteTitle', { name: leaving.name })}
          name={leaving.name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { metricId: leaving.metricId } })}
          onCancel={() => setLeaving(null)}
        >
          {t('metrics.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
