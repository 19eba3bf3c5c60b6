import './teams.css'
import Badge from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../console/kit/ExportMenu.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { PersonName } from '../../../../console/kit/PersonName.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type MemberStatus, memberLifeCycle } from '../rules.ts'
import { AddMember } from './AddMember.tsx'
import { BulkActions } from './BulkActions.tsx'
import { InviteWizard } from './InviteWizard.tsx'
import { MemberActions } from './MemberActions.tsx'
import { ScopeText } from './ScopeText.tsx'
import { type MemberView, memberApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

const tones = { active: 'good', suspended: 'caution', removed: 'off' } as const

export default function MembersPage() {
  const { t } = useTranslation('ground/teams')
  const [open, setOpen] = useState<'add' | 'invite' | null>(null)
  const [chosen, setChosen] = useState<MemberView[]>([])
  const roles = useRoles()
  const table = useTableState<'role' | 'status'>({ id: 'members', filters: ['role', 'status'] })
  const { search, filters, page } = table
  const status = filters.status as MemberStatus | undefined
  const query = { ...page, search, ...(filters.role && { role: filters.role }), ...(status && { status }) }
  const result = useCall(memberApi.listMembers, { query }, { keepBefore: true })
  const columns: TableColumn<MemberView>[] = [
    {
      id: 'name',
      header: t('members.name'),
      isName: true,
      minWidth: 220,
      cell: row => <PersonName name={row.name} loginName={row.loginName} />,
    },
    {
      id: 'roles',
      header: t('members.roles'),
      minWidth: 200,
      cell: row => (
        <span className="teams-roles">
          {row.isLeader ? (
            <Badge color="blue">{t('roles.leader')}</Badge>
          ) : (
            row.roles.map(role => <Badge key={role}>{roles.nameOf(role)}</Badge>)
          )}
        </span>
      ),
    },
    { id: 'scope', header: t('scope.title'), minWidth: 150, cell: row => <ScopeText scope={row.scope} /> },
    {
      id: 'status',
      header: t('members.status'),
      width: 120,
      cell: row => <StatusBadge tone={tones[row.status]} text={t(`members.statuses.${row.status}`)} />,
    },
    { id: 'joined', header: t('members.joined'), width: 180, cell: row => <When at={row.joinedAt} /> },
    ...(may('teams.members')
      ? [
          {
            id: 'actions',
            header: t('members.actions'),
            width: 110,
            cell: (row: MemberView) => <MemberActions member={row} />,
          },
        ]
      : []),
  ]
  const exporting = chosen.length === 0 && (
    <Can call={memberApi.exportMembers}>
      <ExportMenu
        isDisabled={result.data?.total === 0}
        ask={wish =>
          memberApi.exportMembers.raw({
            query: { ...wish, search, ...(filters.role && { role: filters.role }), ...(status && { status }) },
          })
        }
      />
    </Can>
  )
  const actions = (
    <Can call={memberApi.addMember}>
      <BulkActions chosen={chosen} onDone={() => setChosen([])} />
      {chosen.length === 0 && (
        <>
          <Button data-action="add-account" onClick={() => setOpen('add')}>
            {t('members.add')}
          </Button>
          <Button data-action="invite" variant="primary" onClick={() => setOpen('invite')}>
            {t('invite.open')}
          </Button>
        </>
      )}
    </Can>
  )

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('members.title')}
        description={
          <>
            {t('members.text')} <Link href={hrefOf('/team/roles')}>{t('members.rolesLink')}</Link>
          </>
        }
      />
      <DataTable
        title={t('members.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.accountId}
        rowName={row => row.name}
        searchLabel={t('members.search')}
        filters={[
          {
            id: 'role',
            label: t('members.role'),
            options: roles.all.map(({ role }) => ({ value: role, label: roles.nameOf(role) })),
          },
          {
            id: 'status',
            label: t('members.status'),
            options: memberLifeCycle.states.map(one => ({ value: one, label: t(`members.statuses.${one}`) })),
          },
        ]}
        empty={{ title: t('members.empty') }}
        actions={
          <>
            {exporting}
            {actions}
          </>
        }
        {...(may('teams.members') && { selection: { type: 'multi', rows: chosen, onChange: setChosen } })}
      />
      {open === 'add' && <AddMember onClose={() => setOpen(null)} />}
      {open === 'invite' && <InviteWizard onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
