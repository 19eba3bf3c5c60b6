import './groups.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type GroupView, groupsApi } from '../store-calls.ts'
import { GroupActions } from './GroupActions.tsx'
import { GroupForm } from './GroupForm.tsx'
import { NewAddress, type SecretAddress } from './NewAddress.tsx'

/** The repositories that a team gives to its groups of testers and devices. */
export default function RepositoriesPage() {
  const { t } = useTranslation('distribute/store')
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<SecretAddress | null>(null)
  const table = useTableState<'state'>({ id: 'repositories', filters: ['state'] })
  const { search, filters, page } = table
  const query = { ...page, search, ...(filters.state && { state: filters.state as GroupView['state'] }) }
  const result = useCall(groupsApi.listGroups, { query }, { keepBefore: true })
  const make = (
    <Can call={groupsApi.createGroup}>
      <Button variant="primary" data-action="createGroup" onClick={() => setMaking(true)}>
        {t('groups.new')}
      </Button>
    </Can>
  )
  const columns: TableColumn<GroupView>[] = [
    { id: 'name', header: t('groups.name'), isName: true, minWidth: 200, cell: row => row.name },
    {
      id: 'state',
      header: t('groups.state'),
      width: 150,
      cell: row => (
        <StatusBadge tone={row.state === 'ACTIVE' ? 'good' : 'stopped'} text={t(`groups.states.${row.state}`)} />
      ),
    },
    { id: 'apps', header: t('groups.apps'), width: 110, cell: row => row.appIds.length },
    {
      id: 'address',
      header: t('groups.address'),
      width: 250,
      cell: row => (
        <>
          <code>…{row.tokenEnd}</code> · <When at={row.tokenAt} />
        </>
      ),
    },
    {
      id: 'used',
      header: t('groups.used'),
      width: 170,
      cell: row => (row.usedAt === null ? t('groups.neverUsed') : <When at={row.usedAt} />),
    },
    {
      id: 'actions',
      header: t('groups.actions'),
      minWidth: 260,
      cell: row => <GroupActions group={row} onAddress={setMade} />,
    },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('groups.title')} description={t('groups.text')} />
      <DataTable
        title={t('groups.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.repositoryId}
        rowName={row => row.name}
        searchLabel={t('groups.search')}
        filters={[
          {
            id: 'state',
            label: t('groups.state'),
            options: (['ACTIVE', 'REVOKED'] as const).map(value => ({ value, label: t(`groups.states.${value}`) })),
          },
        ]}
        empty={{ title: t('groups.empty'), text: t('groups.emptyText'), action: make }}
        actions={make}
      />
      {isMaking && <GroupForm onClose={() => setMaking(false)} onAddress={setMade} />}
      {made && <NewAddress {...made} onClose={() => setMade(null)} />}
    </SpaceBetween>
  )
}
