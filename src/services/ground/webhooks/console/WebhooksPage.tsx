import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { type EndpointState, endpointStates } from '../rules.ts'
import { EndpointState as StateOf } from './EndpointState.tsx'
import { NewWebhook } from './NewWebhook.tsx'
import { api, type EndpointView } from './webhook-calls.ts'

export default function WebhooksPage() {
  const { t } = useTranslation('ground/webhooks')
  const [isAdding, setAdding] = useState(false)
  const table = useTableState<'state'>({ id: 'webhooks', filters: ['state'] })
  const { search, filters, page } = table
  const state = filters.state as EndpointState | undefined
  const result = useCall(
    api.listEndpoints,
    { query: { ...page, search, ...(state && { state }) } },
    { keepBefore: true },
  )
  const add = (
    <Can call={api.createEndpoint}>
      <Button variant="primary" data-action="create" onClick={() => setAdding(true)}>
        {t('list.add')}
      </Button>
    </Can>
  )
  const columns: TableColumn<EndpointView>[] = [
    {
      id: 'name',
      header: t('list.name'),
      isName: true,
      minWidth: 220,
      cell: row => (
        <span className="webhooks-address">
          <Link href={hrefOf('/webhooks/$endpointId', { endpointId: row.endpointId })}>{row.name}</Link>
          <br />
          <span className="lg-soft">{row.url}</span>
        </span>
      ),
    },
    {
      id: 'events',
      header: t('list.events'),
      width: 150,
      cell: row => (row.eventTypes.length === 0 ? t('events.all') : t('events.some', { count: row.eventTypes.length })),
    },
    {
      id: 'of',
      header: t('list.of'),
      width: 150,
      cell: row => (row.projectId === null ? t('list.ofTeam') : t('list.ofProject')),
    },
    { id: 'state', header: t('list.state'), width: 180, cell: row => <StateOf endpoint={row} /> },
    { id: 'changed', header: t('list.changed'), width: 170, cell: row => <When at={row.updatedAt} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('list.title')} description={t('list.text')} />
      <DataTable
        title={t('list.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.endpointId}
        rowName={row => row.name}
        searchLabel={t('list.search')}
        filters={[
          {
            id: 'state',
            label: t('list.state'),
            options: endpointStates.map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('list.empty'), text: t('list.emptyText'), action: add }}
        actions={add}
      />
      {isAdding && <NewWebhook onClose={() => setAdding(false)} />}
    </SpaceBetween>
  )
}
