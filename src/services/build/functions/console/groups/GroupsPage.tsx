import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useProject } from '../../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../../console/kit/ProjectPage.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type GroupView, groupsApi, projectsApi } from '../function-calls.ts'
import { GroupDialog } from './GroupDialog.tsx'
import { GroupHistory } from './GroupHistory.tsx'
import { ReleaseDialog } from './ReleaseDialog.tsx'

/** Functions of a project that are released together. */
export default function GroupsPage() {
  const { t } = useTranslation('build/functions')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['q', 'cursor'])
  return (
    <ProjectPage of={of} title={t('groups.title')} text={t('groups.text')}>
      {projectId => <OfProject projectId={projectId} />}
    </ProjectPage>
  )
}

type Open = { what: 'edit'; group: GroupView | null } | { what: 'release' | 'history' | 'delete'; group: GroupView }

function OfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/functions')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const table = useTableState({ id: 'function-groups' })
  const keyword = table.search ? { keyword: table.search } : {}
  const query = { projectId, ...table.page, ...keyword }
  const result = useCall(groupsApi.listServices, { query }, { keepBefore: true })
  const remove = useAction(groupsApi.deleteService, { onDone: close })
  const make = (
    <Can call={groupsApi.createService}>
      <Button variant="primary" data-action="new-group" onClick={() => setOpen({ what: 'edit', group: null })}>
        {t('groups.new')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('groups.title')}
        table={table}
        result={result}
        rowKey={row => row.serviceId}
        rowName={row => row.name}
        searchLabel={t('search')}
        empty={{ title: t('groups.empty'), text: t('groups.emptyText'), action: make }}
        actions={make}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <div translate="no">
                {row.name}
                {row.description !== '' && <div className="lg-quiet">{row.description}</div>}
              </div>
            ),
          },
          { id: 'release', header: t('version'), minWidth: 240, cell: row => <State group={row} /> },
          {
            id: 'alias',
            header: t('groups.alias'),
            width: 120,
            cell: row => <span translate="no">{row.aliasName}</span>,
          },
          { id: 'members', header: t('groups.members'), minWidth: 220, cell: row => <Members group={row} /> },
          { id: 'updated', header: t('updated'), width: 170, cell: row => <When at={row.updatedAt} /> },
          {
            id: 'actions',
            header: t('actions'),
            minWidth: 260,
            cell: row => (
              <SpaceBetween direction="horizontal" size="xs">
                <Can call={groupsApi.releaseService}>
                  <Button
                    variant="inline-link"
                    data-action="release-group"
                    disabled={row.functions.length === 0}
                    onClick={() => setOpen({ what: 'release', group: row })}
                  >
                    {t('groups.release')}
                  </Button>
                </Can>
                <Button variant="inline-link" onClick={() => setOpen({ what: 'history', group: row })}>
                  {t('groups.history')}
                </Button>
                <Can call={groupsApi.updateService}>
                  <Button variant="inline-link" onClick={() => setOpen({ what: 'edit', group: row })}>
                    {t('edit')}
                  </Button>
                </Can>
                <Can call={groupsApi.deleteService}>
                  <Button variant="inline-link" onClick={() => setOpen({ what: 'delete', group: row })}>
                    {t('delete')}
                  </Button>
                </Can>
              </SpaceBetween>
            ),
          },
        ]}
      />
      {open?.what === 'edit' && <GroupDialog projectId={projectId} group={open.group} onClose={close} />}
      {open?.what === 'release' && <ReleaseDialog group={open.group} onClose={close} />}
      {open?.what === 'history' && <GroupHistory serviceId={open.group.serviceId} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmByName
          title={t('groups.deleteTitle')}
          name={open.group.name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { serviceId: open.group.serviceId } })}
          onCancel={close}
        >
          {t('groups.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}

function State({ group: { releaseNumber, functions } }: { group: GroupView }) {
  const { t } = useTranslation('build/functions')
  const moved = functions.filter(one => one.isMoved).length
  if (releaseNumber === 0) return <StatusBadge tone="off" text={t('groups.never')} />
  return (
    <>
      <StatusBadge tone={moved > 0 ? 'caution' : 'good'} text={t('groups.number', { number: releaseNumber })} />
      {moved > 0 && <div className="lg-quiet">{t('groups.moved', { count: moved })}</div>}
    </>
  )
}

function Members({ group }: { group: GroupView }) {
  return (
    <div translate="no">
      {group.functions.map(({ functionId, functionName, version }) => (
        <div key={functionId}>
          {functionName} <span className="lg-quiet">{version ?? '–'}</span>
        </div>
      ))}
    </div>
  )
}
