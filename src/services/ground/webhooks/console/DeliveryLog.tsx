import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type DeliveryState, deliveryStates } from '../rules.ts'
import { Replay } from './Replay.tsx'
import { api, type DeliveryView, toneOfDelivery } from './webhook-calls.ts'

/** What was and will be sent, looked up again every few seconds while it is on screen. */
export function DeliveryLog({ endpointId, isEnabled }: { endpointId: string; isEnabled: boolean }) {
  const { t } = useTranslation('ground/webhooks')
  const table = useTableState<'state' | 'type'>({ id: 'webhook-deliveries', filters: ['state', 'type'] })
  const { filters, page } = table
  const types = useCall(api.listEventTypes, {}, { staleTime: Number.POSITIVE_INFINITY })
  const query = {
    ...page,
    ...(filters.state && { state: filters.state as DeliveryState }),
    ...(filters.type && { type: filters.type }),
  }
  const result = useCall(
    api.listDeliveries,
    { params: { endpointId }, query },
    { keepBefore: true, refetchInterval: 10_000 },
  )
  const columns: TableColumn<DeliveryView>[] = [
    {
      id: 'type',
      header: t('log.type'),
      isName: true,
      minWidth: 220,
      cell: row => (
        <Link href={hrefOf('/webhooks/$endpointId/deliveries/$deliveryId', { endpointId, deliveryId: row.deliveryId })}>
          {row.type}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('log.state'),
      width: 180,
      cell: row => <StatusBadge tone={toneOfDelivery[row.state]} text={t(`deliveryStates.${row.state}`)} />,
    },
    { id: 'answer', header: t('log.answer'), width: 110, cell: row => row.lastStatus ?? '–' },
    { id: 'tries', header: t('log.tries'), width: 100, cell: row => row.tries },
    { id: 'at', header: t('log.at'), width: 170, cell: row => <When at={row.createdAt} /> },
    { id: 'next', header: t('log.next'), width: 170, cell: row => <When at={row.nextTryAt} show="relative" /> },
    ...(may('webhooks.edit') && isEnabled
      ? [
          {
            id: 'actions',
            header: t('log.actions'),
            width: 140,
            cell: (row: DeliveryView) => <Replay delivery={row} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable
      title={t('log.title')}
      table={table}
      result={result}
      columns={columns}
      rowKey={row => row.deliveryId}
      rowName={row => `${row.type} ${row.deliveryId}`}
      filters={[
        {
          id: 'state',
          label: t('log.state'),
          options: deliveryStates.map(value => ({ value, label: t(`deliveryStates.${value}`) })),
        },
        {
          id: 'type',
          label: t('log.type'),
          options: (types.data?.list ?? []).map(({ type }) => ({ value: type, label: type })),
        },
      ]}
      empty={{ title: t('log.empty'), text: t('log.emptyText') }}
    />
  )
}
