import './teams.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { TestUserForm } from './TestUserForm.tsx'
import { type TestUserView, testUserApi } from './team-calls.ts'

export default function TestUsersPage() {
  const { t } = useTranslation('ground/teams')
  const [open, setOpen] = useState<TestUserView | 'new' | null>(null)
  const [ending, setEnding] = useState<TestUserView | null>(null)
  const table = useTableState({ id: 'test-users' })
  const result = useCall(
    testUserApi.listTestUsers,
    { query: { ...table.page, search: table.search } },
    { keepBefore: true },
  )
  const remove = useAction(testUserApi.deleteTestUser, {
    onDone: () => {
      notify({ tone: 'success', text: t('testUsers.deleted') })
      setEnding(null)
    },
  })
  const add = (
    <Button variant="primary" data-action="new-test-user" onClick={() => setOpen('new')}>
      {t('testUsers.add')}
    </Button>
  )
  const columns: TableColumn<TestUserView>[] = [
    { id: 'name', header: t('members.name'), isName: true, minWidth: 180, cell: row => row.name },
    { id: 'address', header: t('invite.address'), minWidth: 220, cell: row => row.address },
    { id: 'note', header: t('providers.note'), minWidth: 180, cell: row => row.note || '–' },
    { id: 'created', header: t('testUsers.since'), width: 180, cell: row => <When at={row.createdAt} /> },
    {
      id: 'actions',
      header: t('members.actions'),
      width: 180,
      cell: row => (
        <span className="teams-acts">
          <Button
            variant="inline-link"
            data-action="edit-test-user"
            ariaLabel={t('testUsers.editOf', { name: row.name })}
            onClick={() => setOpen(row)}
          >
            {t('ownRoles.edit')}
          </Button>
          <Button
            variant="inline-link"
            data-action="delete-test-user"
            ariaLabel={t('testUsers.deleteOf', { name: row.name })}
            onClick={() => setEnding(row)}
          >
            {t('ownRoles.delete')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('testUsers.title')} description={t('testUsers.text')} />
      <DataTable
        title={t('testUsers.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.testUserId}
        rowName={row => row.name}
        searchLabel={t('testUsers.search')}
        empty={{ title: t('testUsers.empty'), text: t('testUsers.emptyText'), action: add }}
        actions={add}
      />
      {open && <TestUserForm row={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {ending && (
        <ConfirmByName
          title={t('testUsers.deleteOf', { name: ending.name })}
          name={ending.name}
          verb={t('ownRoles.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { testUserId: ending.testUserId } })}
          onCancel={() => setEnding(null)}
        >
          {t('testUsers.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
