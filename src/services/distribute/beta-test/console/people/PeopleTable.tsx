import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../../console/kit/ExportMenu.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type UserState, userStates } from '../../rules.ts'
import { type GroupView, invitationsApi, peopleApi, type UserView } from '../beta-calls.ts'
import { toneOfUser } from '../beta-words.ts'
import { AddPeople } from './AddPeople.tsx'
import { EditPerson } from './EditPerson.tsx'
import { ImportPeople } from './ImportPeople.tsx'
import { RemovePeople } from './RemovePeople.tsx'

/** The people of a group, with what can be done with those who are ticked. */
export function PeopleTable({ group }: { group: GroupView }) {
  const { t } = useTranslation('distribute/beta-test')
  const { groupId, appId } = group
  const [open, setOpen] = useState<'add' | 'import' | 'remove' | null>(null)
  const [edited, setEdited] = useState<UserView | null>(null)
  const [chosen, setChosen] = useState<UserView[]>([])
  const table = useTableState<'state'>({ id: 'people', filters: ['state'] })
  const { search, filters, page } = table
  const filter = { ...(search && { search }), ...(filters.state && { state: filters.state as UserState }) }
  const result = useCall(
    peopleApi.listGroupUsers,
    { params: { groupId }, query: { ...filter, ...page } },
    { keepBefore: true },
  )
  const onDone = ({ invited }: { invited: number }) => {
    notify({ tone: 'success', text: t('people.invited', { count: invited }) })
    setChosen([])
  }
  const inviteAll = useAction(invitationsApi.inviteGroup, { onDone })
  const inviteSome = useAction(invitationsApi.inviteUsers, { onDone })
  const close = () => {
    setOpen(null)
    setChosen([])
  }
  const invite = () =>
    chosen.length === 0
      ? inviteAll.run({ params: { groupId } })
      : inviteSome.run({ body: { userIds: chosen.map(one => one.userId) } })
  const add = (
    <Can call={peopleApi.addGroupUsers}>
      <Button variant="primary" data-action="addUsers" onClick={() => setOpen('add')}>
        {t('people.add')}
      </Button>
    </Can>
  )
  const columns: TableColumn<UserView>[] = [
    {
      id: 'account',
      header: t('people.account'),
      isName: true,
      minWidth: 220,
      cell: row => (
        <>
          <span translate="no">{row.account}</span>
          {row.page !== null && (
            <div>
              <CopyToClipboard
                variant="inline"
                textToCopy={row.page}
                textToDisplay={t('people.passOn')}
                copyButtonAriaLabel={`${t('people.passOn')}: ${row.account}`}
                copySuccessText={t('links.copied')}
                copyErrorText={t('state.failed')}
              />
            </div>
          )}
        </>
      ),
    },
    {
      id: 'nickname',
      header: t('people.nickname'),
      minWidth: 150,
      cell: row =>
        may('betaTest.manage') ? (
          <Button
            variant="inline-link"
            data-action="updateUser"
            ariaLabel={`${t('people.rename')}: ${row.account}`}
            onClick={() => setEdited(row)}
          >
            <span translate="no">{row.nickname || t('people.rename')}</span>
          </Button>
        ) : (
          <span translate="no">{row.nickname || '–'}</span>
        ),
    },
    {
      id: 'state',
      header: t('people.state'),
      width: 140,
      cell: row => <StatusBadge tone={toneOfUser[row.state]} text={t(`states.${row.state}`)} />,
    },
    { id: 'invited', header: t('people.invitedAt'), width: 170, cell: row => <When at={row.invitedAt} /> },
    { id: 'install', header: t('people.lastInstall'), width: 170, cell: row => <When at={row.lastInstall} /> },
  ]
  return (
    <>
      <DataTable
        title={t('people.title')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.userId}
        rowName={row => row.account}
        searchLabel={t('people.search')}
        filters={[
          {
            id: 'state',
            label: t('people.state'),
            options: userStates.map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('people.empty'), text: t('people.emptyText'), action: add }}
        {...(may('betaTest.manage') && { selection: { type: 'multi', rows: chosen, onChange: setChosen } })}
        actions={
          <>
            {chosen.length > 0 && (
              <Button data-action="removeUsers" onClick={() => setOpen('remove')}>
                {t('people.remove', { count: chosen.length })}
              </Button>
            )}
            {group.count > 0 && (
              <Can call={invitationsApi.inviteGroup}>
                <Button
                  data-action="inviteUsers"
                  loading={inviteAll.isRunning || inviteSome.isRunning}
                  onClick={() => void invite()}
                >
                  {chosen.length === 0 ? t('people.inviteAll') : t('people.invite', { count: chosen.length })}
                </Button>
              </Can>
            )}
            <ExportMenu ask={wish => peopleApi.exportUsers.raw({ query: { appId, groupId, ...filter, ...wish } })} />
            <Can call={peopleApi.importGroupUsers}>
              <Button data-action="importUsers" onClick={() => setOpen('import')}>
                {t('import.verb')}
              </Button>
            </Can>
            {add}
          </>
        }
      />
      {open === 'add' && <AddPeople groupId={groupId} onClose={close} />}
      {open === 'import' && <ImportPeople appId={appId} groupId={groupId} onClose={close} />}
      {open === 'remove' && <RemovePeople people={chosen} onClose={close} />}
      {edited && <EditPerson person={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
