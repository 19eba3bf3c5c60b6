import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { providerApi } from '../session-calls.ts'
import { ProviderForm } from './ProviderForm.tsx'
import type { ProviderView } from './staff-calls.ts'

export default function ProvidersPage() {
  const { t } = useTranslation('ground/session')
  const [open, setOpen] = useState<{ kind: 'edit' | 'delete'; row: ProviderView } | 'new' | null>(null)
  const close = () => setOpen(null)
  const table = useTableState({ id: 'identity-providers' })
  const result = useCall(providerApi.listProviders, { query: table.page }, { keepBefore: true })
  const remove = useAction(providerApi.deleteProvider, {
    onDone: () => {
      notify({ tone: 'success', text: t('providers.deleted') })
      close()
    },
  })
  const columns: TableColumn<ProviderView>[] = [
    { id: 'name', header: t('providers.name'), isName: true, minWidth: 160, cell: row => row.name },
    { id: 'issuer', header: t('providers.issuer'), minWidth: 240, cell: row => row.issuer },
    { id: 'clientId', header: t('providers.clientId'), minWidth: 160, cell: row => row.clientId },
    { id: 'people', header: t('providers.people'), width: 140, cell: row => row.people },
    {
      id: 'state',
      header: t('providers.state'),
      width: 140,
      cell: row => (
        <StatusBadge
          tone={row.isEnabled ? 'good' : 'stopped'}
          text={t(row.isEnabled ? 'providers.on' : 'providers.off')}
        />
      ),
    },
    {
      id: 'actions',
      header: t('providers.actions'),
      width: 110,
      cell: row => (
        <ButtonDropdown
          variant="icon"
          expandToViewport
          ariaLabel={t('providers.actionsOf', { name: row.name })}
          items={[
            { id: 'edit', text: t('providers.edit') },
            { id: 'delete', text: t('providers.delete') },
          ]}
          onItemClick={({ detail }) => setOpen({ kind: detail.id as 'edit' | 'delete', row })}
        />
      ),
    },
  ]
  const add = (
    <Can call={providerApi.createProvider}>
      <Button variant="primary" data-action="add-provider" onClick={() => setOpen('new')}>
        {t('providers.add')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('providers.title')} description={t('providers.text')} />
      <DataTable
        title={t('providers.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.providerId}
        rowName={row => row.name}
        empty={{ title: t('providers.none'), text: t('providers.noneText') }}
        actions={add}
      />
      {open === 'new' && <ProviderForm onClose={close} />}
      {open !== null && open !== 'new' && open.kind === 'edit' && <ProviderForm row={open.row} onClose={close} />}
      {open !== null && open !== 'new' && open.kind === 'delete' && (
        <ConfirmByName
          title={t('providers.deleteTitle', { name: open.row.name })}
          name={open.row.name}
          verb={t('providers.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { providerId: open.row.providerId } })}
          onCancel={close}
        >
          {t('providers.deleteText', { count: open.row.people })}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
