import './api-clients.css'
import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type GrantView, grantApi } from './client-calls.ts'
import { useRightWords } from './right-words.ts'

/** Who granted which client what, and when; what was granted to other teams' clients can be taken back here. */
export function GrantsTab() {
  const { t } = useTranslation('ground/api-clients')
  const words = useRightWords()
  const [doomed, setDoomed] = useState<GrantView | null>(null)
  const table = useTableState<'live'>({ id: 'client-grants', filters: ['live'] })
  const result = useCall(
    grantApi.listGrantRecords,
    { query: { ...table.page, ...(table.filters.live && { isLive: true }) } },
    { keepBefore: true },
  )
  const end = useAction(grantApi.endGrant, { onDone: () => setDoomed(null) })
  const kindOf = (row: GrantView) =>
    row.isOwnTeam ? t('grants.own') : row.isGiven ? t('grants.given') : t('grants.received')
  const canEnd = (row: GrantView) => row.endedAt === null && row.isGiven && !row.isOwnTeam && may('apiClients.grant')
  return (
    <>
      <DataTable
        title={t('tabs.grants')}
        table={table}
        result={result}
        rowKey={row => row.grantId}
        rowName={row => row.clientName}
        filters={[{ id: 'live', label: t('grants.which'), options: [{ value: 'yes', label: t('grants.live') }] }]}
        empty={{ title: t('empty.grants'), text: t('emptyText.grants') }}
        columns={[
          {
            id: 'client',
            header: t('grants.client'),
            isName: true,
            minWidth: 150,
            cell: row => <span translate="no">{row.clientName}</span>,
          },
          { id: 'kind', header: t('grants.kind'), width: 170, cell: kindOf },
          {
            id: 'rights',
            header: t('list.rights'),
            minWidth: 190,
            cell: row => {
              const shown = row.permissions.slice(0, 3).map(words.right).join(', ')
              const more = row.permissions.length - 3
              return (
                <span className="clients-wrap">
                  {more > 0 ? `${shown} ${t('grants.more', { count: more })}` : shown}
                </span>
              )
            },
          },
          {
            id: 'by',
            header: t('grants.by'),
            width: 130,
            cell: row => <span translate="no">{row.grantedBy.name}</span>,
          },
          { id: 'at', header: t('grants.at'), width: 170, cell: row => <When at={row.grantedAt} /> },
          {
            id: 'state',
            header: t('list.state'),
            width: 130,
            cell: row =>
              row.endedAt === null ? (
                <StatusBadge tone="good" text={t('grants.live')} />
              ) : (
                <StatusBadge tone="off" text={t('grants.ended')} />
              ),
          },
          {
            id: 'actions',
            header: t('actions.more'),
            width: 125,
            cell: row =>
              canEnd(row) && (
                <Button variant="inline-link" data-action="end-grant" onClick={() => setDoomed(row)}>
                  {t('grants.end')}
                </Button>
              ),
          },
        ]}
      />
      {doomed && (
        <ConfirmByName
          title={t('grants.endTitle', { name: doomed.clientName })}
          name={doomed.clientName}
          verb={t('grants.end')}
          isRunning={end.isRunning}
          onConfirm={() => void end.run({ query: { grantId: doomed.grantId } })}
          onCancel={() => setDoomed(null)}
        >
          {t('grants.endText')}
        </ConfirmByName>
      )}
    </>
  )
}
