import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type ClientView, clientKeyApi, type KeyView } from './client-calls.ts'
import { NewKeyPair } from './NewKeyPair.tsx'
import { RegisterKey } from './RegisterKey.tsx'

/** The public keys of a client, made here and registered. */
export function KeysBox({ client }: { client: ClientView }) {
  const { t } = useTranslation('ground/api-clients')
  const { clientId } = client
  const [open, setOpen] = useState<'pair' | 'register' | null>(null)
  const [doomed, setDoomed] = useState<KeyView | null>(null)
  const table = useTableState({ id: 'client-keys' })
  const made = useCall(clientKeyApi.listKeyPairs, { query: { clientId } })
  const registered = useCall(clientKeyApi.listPublicKeys, { query: { clientId } })
  const remove = useAction(clientKeyApi.deleteKey, { onDone: () => setDoomed(null) })
  const list = made.data && registered.data && [...made.data.list, ...registered.data.list]
  const result = {
    data: list && { total: list.length, list, nextCursor: null },
    error: made.error ?? registered.error,
    isPending: made.isPending || registered.isPending,
    isFetching: made.isFetching || registered.isFetching,
    refetch: () => void Promise.all([made.refetch(), registered.refetch()]),
  }
  return (
    <>
      <DataTable
        title={t('keys.title')}
        table={table}
        result={result}
        rowKey={row => row.keyId}
        rowName={row => row.name}
        empty={{ title: t('keys.empty'), text: t('keys.emptyText') }}
        actions={
          <Can call={clientKeyApi.createKeyPair}>
            <SpaceBetween direction="horizontal" size="xs">
              <Button data-action="register-key" onClick={() => setOpen('register')}>
                {t('keys.register')}
              </Button>
              <Button data-action="create-key" onClick={() => setOpen('pair')}>
                {t('keys.create')}
              </Button>
            </SpaceBetween>
          </Can>
        }
        columns={[
          {
            id: 'name',
            header: t('list.name'),
            isName: true,
            minWidth: 160,
            cell: row => <span translate="no">{row.name}</span>,
          },
          {
            id: 'kid',
            header: t('keys.kid'),
            minWidth: 200,
            cell: row => (
              <code className="clients-break" translate="no">
                {row.kid}
              </code>
            ),
          },
          { id: 'algorithm', header: t('keys.algorithm'), width: 120, cell: row => row.algorithm },
          {
            id: 'origin',
            header: t('keys.origin'),
            width: 150,
            cell: row => (row.isMadeHere ? t('keys.here') : t('keys.own')),
          },
          { id: 'made', header: t('client.made'), width: 170, cell: row => <When at={row.createdAt} /> },
          ...(may('apiClients.edit')
            ? [
                {
                  id: 'actions',
                  header: t('actions.more'),
                  width: 120,
                  cell: (row: KeyView) => (
                    <Button variant="inline-link" data-action="delete-key" onClick={() => setDoomed(row)}>
                      {t('action.delete')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {open === 'pair' && <NewKeyPair clientId={clientId} onClose={() => setOpen(null)} />}
      {open === 'register' && <RegisterKey clientId={clientId} onClose={() => setOpen(null)} />}
      {doomed && (
        <ConfirmByName
          title={t('keys.deleteTitle', { name: doomed.name })}
          name={doomed.name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { clientId, keyId: doomed.keyId } })}
          onCancel={() => setDoomed(null)}
        >
          {t('keys.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
