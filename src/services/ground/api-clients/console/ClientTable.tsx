import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { clientStates } from '../rules.ts'
import { ClientState } from './ClientState.tsx'
import { ClientWizard } from './ClientWizard.tsx'
import { callsOf, pageOfClient, type Whose } from './client-calls.ts'

export function ClientTable({ whose }: { whose: Whose }) {
  const { t } = useTranslation('ground/api-clients')
  const [isMaking, setMaking] = useState(false)
  const table = useTableState<'state'>({ id: `api-clients-${whose}`, filters: ['state'] })
  const { search, filters, page } = table
  const state = filters.state as (typeof clientStates)[number] | undefined
  const calls = callsOf[whose]
  const result = useCall(calls.list, { query: { ...page, search, ...(state && { state }) } }, { keepBefore: true })
  const create = (
    <Can call={calls.create}>
      <Button variant="primary" data-action="create" onClick={() => setMaking(true)}>
        {t('list.create')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t(`tabs.${whose}`)}
        table={table}
        result={result}
        rowKey={row => row.clientId}
        rowName={row => row.name}
        searchLabel={t('list.search')}
        filters={[
          {
            id: 'state',
            label: t('list.state'),
            options: clientStates.map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t(`empty.${whose}`), text: t(`emptyText.${whose}`), action: create }}
        actions={create}
        columns={[
          {
            id: 'name',
            header: t('list.name'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <span translate="no">
                <Link href={hrefOf(pageOfClient[whose], { clientId: row.clientId })}>{row.name}</Link>
                <br />
                <span className="lg-soft">{row.clientId}</span>
              </span>
            ),
          },
          { id: 'state', header: t('list.state'), width: 190, cell: row => <ClientState client={row} /> },
          {
            id: 'rights',
            header: t('list.rights'),
            width: 130,
            cell: row => t('list.rightsCount', { count: row.permissionsNow.length }),
          },
          { id: 'zones', header: t('list.zones'), width: 110, cell: row => row.zones.join(', ') },
          {
            id: 'used',
            header: t('list.used'),
            width: 170,
            cell: row => (row.lastUsedAt === null ? t('list.never') : <When at={row.lastUsedAt} show="relative" />),
          },
          {
            id: 'ends',
            header: t('list.ends'),
            width: 170,
            cell: row => (row.expiresAt === null ? t('list.open') : <When at={row.expiresAt} />),
          },
        ]}
      />
      {isMaking && <ClientWizard whose={whose} client={null} onClose={() => setMaking(false)} />}
    </>
  )
}
