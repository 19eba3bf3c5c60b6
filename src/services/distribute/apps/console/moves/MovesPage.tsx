import '../apps.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { moveStates } from '../../transfer/rules.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { type MoveView, moveCalls } from './move-calls.ts'
import { moveTones } from './move-words.ts'

type Filters = { side?: 'FROM' | 'TO'; state?: (typeof moveStates)[number] }
const busy = ['EXECUTING']

/** Apps on their way from the team and to it, and those that went. */
export default function MovesPage() {
  const { t } = useTranslation('distribute/apps')
  const [openId, setOpenId] = useState<string | null>(null)
  const table = useTableState<'side' | 'state'>({ id: 'moves', filters: ['side', 'state'] })
  const query = { ...table.page, ...(table.filters as Filters) }
  const result = useCall(
    moveCalls.listMoves,
    { query },
    {
      keepBefore: true,
      refetchInterval: found => (found.state.data?.list.some(one => busy.includes(one.state)) ? 1500 : false),
    },
  )
  const open = result.data?.list.find(one => one.moveId === openId)
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('moves.pageTitle')} description={t('moves.pageText')} />
      <DataTable
        title={t('moves.list')}
        table={table}
        result={result}
        rowKey={(row: MoveView) => row.moveId}
        rowName={row => row.apps.map(app => app.name).join(', ')}
        columns={[
          {
            id: 'apps',
            header: t('moves.apps'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <Button variant="inline-link" onClick={() => setOpenId(row.moveId)}>
                <span translate="no">{row.apps.map(app => app.name).join(', ')}</span>
              </Button>
            ),
          },
          {
            id: 'side',
            header: t('moves.way'),
            minWidth: 220,
            cell: row =>
              row.side === 'BOTH' ? (
                t('moves.sides.BOTH')
              ) : (
                <>
                  {t(`moves.sides.${row.side}`)}{' '}
                  <span translate="no">{(row.side === 'FROM' ? row.to : row.from).name}</span>
                </>
              ),
          },
          {
            id: 'state',
            header: t('moves.state'),
            width: 220,
            cell: row => <StatusBadge tone={moveTones[row.state]} text={t(`moves.states.${row.state}`)} />,
          },
          { id: 'created', header: t('moves.created'), width: 160, cell: row => <When at={row.createdAt} /> },
          { id: 'finished', header: t('moves.finished'), width: 160, cell: row => <When at={row.finishedAt} /> },
        ]}
        filters={[
          {
            id: 'side',
            label: t('moves.way'),
            options: (['FROM', 'TO'] as const).map(value => ({ value, label: t(`moves.filters.${value}`) })),
          },
          {
            id: 'state',
            label: t('moves.state'),
            options: moveStates.map(value => ({ value, label: t(`moves.states.${value}`) })),
          },
        ]}
        empty={{
          title: t('moves.empty'),
          text: t('moves.emptyText'),
          action: <Button href={hrefOf('/apps')}>{t('moves.toApps')}</Button>,
        }}
      />
      {open && <MoveDialog move={open} onClose={() => setOpenId(null)} />}
    </SpaceBetween>
  )
}
