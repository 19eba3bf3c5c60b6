import '../beta.css'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../../console/kit/ExportMenu.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type GroupKind, groupKinds } from '../../rules.ts'
import { appsApi, type GroupView, groupsApi, peopleApi } from '../beta-calls.ts'
import { ImportPeople } from '../people/ImportPeople.tsx'
import { GroupForm } from './GroupForm.tsx'

/** The groups of people who test an app. */
export default function GroupsPage() {
  const { t } = useTranslation('distribute/beta-test')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const [open, setOpen] = useState<'make' | 'import' | null>(null)
  const [going, setGoing] = useState<GroupView | null>(null)
  const table = useTableState<'kind'>({ id: 'testers', filters: ['kind'] })
  const { search, filters, page } = table
  const query = { appId, ...page, ...(search && { search }), ...(filters.kind && { kind: filters.kind as GroupKind }) }
  const result = useCall(groupsApi.listGroups, { query }, { keepBefore: true })
  const remove = useAction(groupsApi.deleteGroup, {
    onDone: () => {
      notify({ tone: 'success', text: t('groups.gone') })
      setGoing(null)
    },
  })
  const make = (
    <Can call={groupsApi.createGroup}>
      <Button variant="primary" data-action="createGroup" onClick={() => setOpen('make')}>
        {t('groups.make')}
      </Button>
    </Can>
  )
  const columns: TableColumn<GroupView>[] = [
    {
      id: 'name',
      header: t('groups.name'),
      isName: true,
      minWidth: 180,
      cell: row => (
        <Link href={hrefOf('/apps/$appId/testers/$groupId', { appId, groupId: row.groupId })}>
          <span translate="no">{row.name}</span>
        </Link>
      ),
    },
    { id: 'kind', header: t('groups.kind'), width: 140, cell: row => t(`kinds.${row.kind}`) },
    {
      id: 'count',
      header: t('groups.count'),
      width: 190,
      cell: row => t('groups.joined', { count: row.count, accepted: row.accepted }),
    },
    {
      id: 'used',
      header: t('groups.used'),
      width: 140,
      cell: row => t('groups.usedBy', { count: row.inUseByVersionIds.length }),
    },
    { id: 'made', header: t('groups.made'), width: 170, cell: row => <When at={row.createTime} /> },
    {
      id: 'actions',
      header: t('actions'),
      width: 130,
      cell: row =>
        row.inUseByVersionIds.length === 0 && row.activityId === null ? (
          <Can call={groupsApi.deleteGroup}>
            <Button
              variant="inline-link"
              data-action="deleteGroup"
              ariaLabel={`${t('action.delete')}: ${row.name}`}
              onClick={() => setGoing(row)}
            >
              {t('action.delete')}
            </Button>
          </Can>
        ) : (
          '–'
        ),
    },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('groups.title')}
        description={t('groups.text')}
        actions={
          <>
            <Button href={hrefOf('/apps/$appId/tests', { appId })}>{t('tests')}</Button>
            <Button href={hrefOf('/apps/$appId/feedback', { appId })}>{t('feedback.title')}</Button>
            <Button href={hrefOf('/apps/$appId/activities', { appId })}>{t('activities.title')}</Button>
          </>
        }
      />
      <DataTable
        title={t('groups.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.groupId}
        rowName={row => row.name}
        searchLabel={t('groups.search')}
        filters={[
          {
            id: 'kind',
            label: t('groups.kind'),
            options: groupKinds.map(value => ({ value, label: t(`kinds.${value}`) })),
          },
        ]}
        empty={{ title: t('groups.empty'), text: t('groups.emptyText'), action: make }}
        actions={
          <>
            <ExportMenu ask={wish => peopleApi.exportUsers.raw({ query: { appId, ...wish } })} />
            <Can call={peopleApi.importUsers}>
              <Button data-action="importUsers" onClick={() => setOpen('import')}>
                {t('import.verb')}
              </Button>
            </Can>
            {make}
          </>
        }
      />
      {open === 'make' && <GroupForm appId={appId} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportPeople appId={appId} onClose={() => setOpen(null)} />}
      {going && (
        <ConfirmByName
          title={t('groups.delete', { name: going.name })}
          name={going.name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { groupId: going.groupId } })}
          onCancel={() => setGoing(null)}
        >
          {t('groups.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
