import './comments.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type ZoneId, zoneIds } from '../../../../kernel/zones.ts'
import { reportStates } from '../desk/contract.ts'
import { type Policy, policies } from '../rules.ts'
import { desk, type ReportView } from './comment-calls.ts'
import { Stars } from './Stars.tsx'
import { VerdictDialog } from './VerdictDialog.tsx'

const tones = { OPEN: 'waiting', KEPT: 'good', HIDDEN: 'stopped', GONE: 'off' } as const
const readZone = (raw: Record<string, unknown>): { zone?: ZoneId | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})

/** Comments that teams reported; those that came first at the top. */
export default function CommentDeskPage() {
  const { t } = useTranslation('distribute/comments')
  const [{ zone }] = usePageSearch(readZone)
  const [open, setOpen] = useState<ReportView | null>(null)
  const table = useTableState<'state' | 'policy'>({ id: 'comment-desk', filters: ['state', 'policy'] })
  const { state, policy } = table.filters
  const query = {
    ...table.page,
    ...(state && { state: state as ReportView['state'] }),
    ...(policy && { policyId: policy as Policy }),
  }
  const result = useCall(desk.listReports, { query }, { keepBefore: true, ...(zone && { zone }) })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('desk.title')} description={t('desk.text')} />
      <DataTable
        title={t('desk.list')}
        table={table}
        result={result}
        rowKey={row => row.reportId}
        rowName={row => row.comment.text.slice(0, 60)}
        columns={[
          {
            id: 'comment',
            header: t('desk.comment'),
            isName: true,
            minWidth: 280,
            cell: row => (
              <Button variant="inline-link" data-action="openReport" onClick={() => setOpen(row)}>
                <span className="cm-clip" translate="no">
                  {row.comment.text || t('states.DELETED')}
                </span>
              </Button>
            ),
          },
          { id: 'stars', header: t('filters.stars'), width: 110, cell: row => <Stars value={row.comment.stars} /> },
          { id: 'app', header: t('desk.app'), minWidth: 140, cell: row => <span translate="no">{row.appName}</span> },
          { id: 'policy', header: t('report.policy'), minWidth: 160, cell: row => t(`policies.${row.policyId}`) },
          {
            id: 'state',
            header: t('desk.state'),
            width: 150,
            cell: row => <StatusBadge tone={tones[row.state]} text={t(`reportStates.${row.state}`)} />,
          },
          { id: 'at', header: t('desk.at'), width: 165, cell: row => <When at={row.createdAt} /> },
        ]}
        filters={[
          {
            id: 'state',
            label: t('desk.state'),
            options: reportStates.map(value => ({ value, label: t(`reportStates.${value}`) })),
          },
          {
            id: 'policy',
            label: t('report.policy'),
            options: policies.map(value => ({ value, label: t(`policies.${value}`) })),
          },
        ]}
        empty={{ title: t('desk.empty'), text: t('desk.emptyText') }}
      />
      {open && <VerdictDialog report={open} zone={zone} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
