import './qualification.css'
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
import { taskStates } from '../rules.ts'
import { DeskDialog } from './DeskDialog.tsx'
import { desk } from './qualification-calls.ts'
import { tones, worded } from './qualification-words.ts'

const readZone = (raw: Record<string, unknown>): { zone?: ZoneId | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})

/** Papers that wait for the store, those that came first at the top. */
export default function QualificationDeskPage() {
  const { t } = useTranslation('distribute/qualification')
  const [{ zone }] = usePageSearch(readZone)
  const [openId, setOpenId] = useState<string | null>(null)
  const table = useTableState<'status'>({ id: 'qualification-desk', filters: ['status'] })
  const { status } = table.filters
  const query = { ...table.page, ...(status !== undefined && { status: Number(status) }) }
  const result = useCall(desk.listDeskTasks, { query }, { keepBefore: true, ...(zone && { zone }) })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('desk.title')} description={t('desk.text')} />
      <DataTable
        title={t('desk.list')}
        table={table}
        result={result}
        rowKey={row => row.taskId}
        rowName={row => row.appName}
        columns={[
          {
            id: 'app',
            header: t('desk.app'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <Button variant="inline-link" data-action="openTask" onClick={() => setOpenId(row.taskId)}>
                <span translate="no">{row.appName}</span>
              </Button>
            ),
          },
          { id: 'tag', header: t('desk.tag'), minWidth: 160, cell: row => worded(row.tagName) },
          {
            id: 'state',
            header: t('desk.state'),
            width: 210,
            cell: row => (
              <StatusBadge
                tone={row.isAsked ? 'waiting' : tones[row.state]}
                text={t(row.isAsked ? 'states.askedDesk' : `states.${row.state}`)}
              />
            ),
          },
          { id: 'submitted', header: t('desk.submitted'), width: 165, cell: row => <When at={row.submittedAt} /> },
          { id: 'due', header: t('desk.due'), width: 165, cell: row => <When at={row.slaDueAt} /> },
        ]}
        filters={[
          {
            id: 'status',
            label: t('desk.state'),
            options: taskStates.map((state, at) => ({ value: String(at), label: t(`states.${state}`) })),
          },
        ]}
        empty={{ title: t('desk.empty'), text: t('desk.emptyText') }}
      />
      {openId !== null && <DeskDialog taskId={openId} zone={zone} onClose={() => setOpenId(null)} />}
    </SpaceBetween>
  )
}
