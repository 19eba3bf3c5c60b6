import '../version.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type GroupKind, groupKinds } from '../../testing/rules.ts'
import { appsApi, type TestGroupView, testsApi } from '../version-calls.ts'
import { GroupPeople } from './GroupPeople.tsx'
import { NewGroup } from './NewGroup.tsx'

/** The groups of people who test an app. */
export default function TestersPage() {
  const { t } = useTranslation('distribute/versions')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const [isMaking, setMaking] = useState(false)
  const [shown, setShown] = useState<TestGroupView | null>(null)
  const [going, setGoing] = useState<TestGroupView | null>(null)
  const table = useTableState<'kind'>({ id: 'testers', filters: ['kind'] })
  const { search, filters, page } = table
  const query = { appId, ...page, ...(search && { search }), ...(filters.kind && { kind: filters.kind as GroupKind }) }
  const result = useCall(testsApi.listTestGroups, { query }, { keepBefore: true })
  const remove = useAction(testsApi.deleteTestGroup, {
    onDone: () => {
      notify({ tone: 'success', text: t('testers.gone') })
      setGoing(null)
    },
  })
  const make = (
    <Can call={testsApi.createTestGroup}>
      <Button variant="primary" data-action="createGroup" onClick={() => setMaking(true)}>
        {t('testers.make')}
      </Button>
    </Can>
  )
  const columns: TableColumn<TestGroupView>[] = [
    {
      id: 'name',
      header: t('testers.name'),
      isName: true,
      minWidth: 180,
      cell: row => <span translate="no">{row.name}</span>,
    },
    { id: 'kind', header: t('testers.kind'), width: 150, cell: row => t(`testers.kinds.${row.kind}`) },
    { id: 'count', header: t('testers.count'), width: 110, cell: row => row.count },
    {
      id: 'used',
      header: t('testers.used'),
      width: 150,
      cell: row => t('testers.usedBy', { count: row.inUseByVersionIds.length }),
    },
    { id: 'made', header: t('testers.made'), width: 170, cell: row => <When at={row.createTime} /> },
    {
      id: 'actions',
      header: t('tests.actions'),
      minWidth: 180,
      cell: row => (
        <span className="version-tests-actions">
          <Button
            variant="inline-link"
            data-action="people"
            ariaLabel={`${t('testers.show')}: ${row.name}`}
            onClick={() => setShown(row)}
          >
            {t('testers.show')}
          </Button>
          {row.inUseByVersionIds.length === 0 && (
            <Can call={testsApi.deleteTestGroup}>
              <Button
                variant="inline-link"
                data-action="deleteGroup"
                ariaLabel={`${t('action.delete')}: ${row.name}`}
                onClick={() => setGoing(row)}
              >
                {t('action.delete')}
              </Button>
            </Can>
          )}
        </span>
      ),
    },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('testers.title')} description={t('testers.text')} />
      <DataTable
        title={t('testers.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.groupId}
        rowName={row => row.name}
        searchLabel={t('testers.search')}
        filters={[
          {
            id: 'kind',
            label: t('testers.kind'),
            options: groupKinds.map(value => ({ value, label: t(`testers.kinds.${value}`) })),
          },
        ]}
        empty={{ title: t('testers.empty'), text: t('testers.emptyText'), action: make }}
        actions={make}
      />
      {isMaking && <NewGroup appId={appId} onClose={() => setMaking(false)} />}
      {shown && <GroupPeople group={shown} onClose={() => setShown(null)} />}
      {going && (
        <ConfirmByName
          title={t('testers.delete', { name: going.name })}
          name={going.name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { groupId: going.groupId } })}
          onCancel={() => setGoing(null)}
        >
          {t('testers.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
