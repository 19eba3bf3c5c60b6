import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { type GroupTeamView, type GroupView, operations } from '../menu-calls.ts'
import { AddTeams } from './AddTeams.tsx'
import { ImportTeams } from './ImportTeams.tsx'

/** The teams of a group: added by name, imported by id, taken out one or many at a time. */
export function GroupTeams({ group, zone }: { group: GroupView; zone: ZoneId }) {
  const { t } = useTranslation('ground/menu')
  const { groupCode, name } = group
  const [open, setOpen] = useState<'add' | 'import' | null>(null)
  const [chosen, setChosen] = useState<GroupTeamView[]>([])
  const table = useTableState({ id: 'group-teams' })
  const result = useCall(
    operations.listGroupTeams,
    { params: { groupCode }, query: table.page },
    { keepBefore: true, zone },
  )
  const change = useAction(operations.changeGroup, { onDone: () => setChosen([]) })
  const takeOut = (rows: readonly GroupTeamView[]) =>
    void change.run({ body: { groupCode, name, join: [], leave: rows.map(row => row.teamId) } }, { zone })
  const add = (
    <Button variant="primary" data-action="addTeams" onClick={() => setOpen('add')}>
      {t('groups.add')}
    </Button>
  )
  return (
    <>
      <DataTable
        title={t('groups.teams')}
        table={table}
        result={result}
        rowKey={row => row.teamId}
        rowName={row => row.name ?? row.teamId}
        selection={{ type: 'multi', rows: chosen, onChange: setChosen }}
        empty={{ title: t('groups.noTeams'), text: t('groups.noTeamsText') }}
        actions={
          <>
            {chosen.length > 0 && (
              <Button data-action="takeOutChosen" loading={change.isRunning} onClick={() => takeOut(chosen)}>
                {t('groups.takeOutMany', { count: chosen.length })}
              </Button>
            )}
            <Button data-action="importTeams" onClick={() => setOpen('import')}>
              {t('groups.import')}
            </Button>
            {add}
          </>
        }
        columns={[
          {
            id: 'name',
            header: t('who.team'),
            isName: true,
            minWidth: 220,
            cell: row => (row.name === null ? t('groups.goneTeam') : <span translate="no">{row.name}</span>),
          },
          { id: 'id', header: t('groups.teamId'), minWidth: 190, cell: row => <code>{row.teamId}</code> },
          {
            id: 'zone',
            header: t('who.zone'),
            width: 150,
            cell: row => (row.zone ? <ZoneName zone={row.zone} /> : '–'),
          },
          { id: 'joined', header: t('groups.joined'), width: 190, cell: row => <When at={row.joinedAt} /> },
          {
            id: 'actions',
            header: t('write.actions'),
            width: 150,
            cell: row => (
              <Button
                variant="inline-link"
                data-action="takeOut"
                ariaLabel={t('groups.takeOutOf', { name: row.name ?? row.teamId })}
                onClick={() => takeOut([row])}
              >
                {t('groups.takeOut')}
              </Button>
            ),
          },
        ]}
      />
      {open === 'add' && <AddTeams group={group} zone={zone} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportTeams group={group} zone={zone} onClose={() => setOpen(null)} />}
    </>
  )
}
