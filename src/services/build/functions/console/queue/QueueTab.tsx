import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { asyncStates } from '../../queue/rules.ts'
import type { FunctionView } from '../function-calls.ts'
import { AsyncCallDialog } from './AsyncCallDialog.tsx'
import { AsyncSettings } from './AsyncSettings.tsx'
import { type AsyncCallView, queueApi, reasonOf, toldText, toneOfState } from './queue-calls.ts'

const lookAgainMs = 3_000

/** Calls that nobody waits for, what became of each, and how they are made. */
export function QueueTab({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId } = of
  const [open, setOpen] = useState<string | null>(null)
  const table = useTableState<'queueState'>({ id: 'function-queue', filters: ['queueState'] })
  const state = asyncStates.find(one => one === table.filters.queueState)
  const result = useCall(
    queueApi.listAsyncCalls,
    { params: { functionId }, query: { ...table.page, ...(state ? { state } : {}) } },
    { keepBefore: true, refetchInterval: query => (isMoving(query.state.data?.list) ? lookAgainMs : false) },
  )
  return (
    <SpaceBetween size="l">
      <DataTable
        title={t('queue.title')}
        table={table}
        result={result}
        rowKey={row => row.requestId}
        rowName={row => row.requestId}
        filters={[
          {
            id: 'queueState',
            label: t('state'),
            options: asyncStates.map(value => ({ value, label: t(`queue.states.${value}`) })),
          },
        ]}
        empty={{ title: t('queue.empty'), text: t('queue.emptyText') }}
        columns={[
          { id: 'at', header: t('at'), isName: true, width: 190, cell: row => <When at={row.createdAt} /> },
          {
            id: 'state',
            header: t('state'),
            width: 130,
            cell: row => <StatusBadge tone={toneOfState(row.state)} text={t(`queue.states.${row.state}`)} />,
          },
          { id: 'source', header: t('source'), width: 110, cell: row => t(`sources.${row.source}`) },
          { id: 'version', header: t('version'), width: 100, cell: row => <span translate="no">{row.qualifier}</span> },
          {
            id: 'attempts',
            header: t('queue.attempts'),
            width: 110,
            cell: row => t('queue.attemptOf', { attempt: row.attempt, most: row.maxRetry + 1 }),
          },
          { id: 'reason', header: t('queue.what'), minWidth: 290, cell: row => <What row={row} /> },
          {
            id: 'actions',
            header: t('actions'),
            width: 120,
            cell: row => (
              <Button variant="inline-link" data-action="show-call" onClick={() => setOpen(row.requestId)}>
                {t('queue.show')}
              </Button>
            ),
          },
        ]}
      />
      <AsyncSettings of={of} />
      {open !== null && <AsyncCallDialog functionId={functionId} requestId={open} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}

const isMoving = (list: readonly AsyncCallView[] | undefined) =>
  list?.some(one => one.state === 'WAIT' || one.state === 'RUNNING') ?? false

function What({ row }: { row: AsyncCallView }) {
  const { t } = useTranslation('build/functions')
  if (row.state === 'WAIT' && row.attempt > 0)
    return (
      <div>
        {reasonOf(t, row)}
        <Box color="text-body-secondary">
          {t('queue.again')} <When at={row.availableAt} />
        </Box>
      </div>
    )
  return <>{reasonOf(t, row) ?? toldText(t, row) ?? '–'}</>
}
