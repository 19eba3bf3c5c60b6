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
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type TeamRole, teamRoles } from '../rules.ts'
import { AddMember } from './AddMember.tsx'
import { MemberActions } from './MemberActions.tsx'
import { api, type MemberView } from './team-calls.ts'

export default function MembersPage() {
  const { t } = useTranslation('ground/teams')
  const [isAdding, setAdding] = useState(false)
  const table = useTableState<'role'>({ id: 'members', filters: ['role'] })
  const { search, filters, page } = table
  const result = useCall(
    api.listMembers,
    { query: { ...page, search, ...(filters.role && { role: filters.role as TeamRole }) } },
    { keepBefore: true },
  )
  const add = (
    <Can call={api.addMember}>
      <Button variant="primary" onClick={() => setAdding(true)}>
        {t('members.add')}
      </Button>
    </Can>
  )
  const columns: TableColumn<MemberView>[] = [
    {
      id: 'name',
      header: t('members.name'),
      isName: true,
      minWidth: 220,
      cell: row => (
        <span className="lg-thing-line">
          <ThingIcon name={row.name} />
          <span>
            {row.name}
            <br />
            <span className="lg-soft">{row.loginName}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'roles',
      header: t('members.roles'),
      minWidth: 260,
      cell: row => (
        <span className="teams-roles">
          {row.roles.map(role => (
            <Badge key={role}>{t(`roles.${role}`)}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'status',
      header: t('members.status'),
      width: 150,
      cell: row => (
        <StatusBadge tone={row.status === 'active' ? 'good' : 'stopped'} text={t(`members.statuses.${row.status}`)} />
      ),
    },
    { id: 'joined', header: t('members.joined'), width: 170, cell: row => <When at={row.joinedAt} /> },
    ...(may('teams.members')
      ? [
          {
            id: 'actions',
            header: t('members.actions'),
            width: 200,
            cell: (row: MemberView) => <MemberActions member={row} />,
          },
        ]
      : []),
  ]

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
            options: teamRoles.map(role => ({ value: role, label: t(`roles.${role}`) })),
          },
        ]}
        empty={{ title: t('members.empty') }}
        actions={add}
      />
      {isAdding && <AddMember onClose={() => setAdding(false)} />}
    </SpaceBetween>
  )
}
