import './teams.css'
import Badge from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type InvitationState, invitationLifeCycle } from '../invitations/rules.ts'
import { InviteWizard, LinkToPassOn } from './InviteWizard.tsx'
import { ScopeText } from './ScopeText.tsx'
import { type InvitationView, invitationApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

const tones = { open: 'waiting', accepted: 'good', declined: 'bad', canceled: 'stopped', expired: 'off' } as const

export default function InvitationsPage() {
  const { t } = useTranslation('ground/teams')
  const { nameOf } = useRoles()
  const [isInviting, setInviting] = useState(false)
  const table = useTableState<'state'>({ id: 'invitations', filters: ['state'] })
  const state = table.filters.state as InvitationState | undefined
  const query = { ...table.page, search: table.search, ...(state && { state }) }
  const result = useCall(invitationApi.listInvitations, { query }, { keepBefore: true })
  const invite = (
    <Button variant="primary" data-action="invite" onClick={() => setInviting(true)}>
      {t('invite.open')}
    </Button>
  )
  const columns: TableColumn<InvitationView>[] = [
    { id: 'address', header: t('invitations.address'), isName: true, minWidth: 190, cell: row => row.address },
    {
      id: 'roles',
      header: t('members.roles'),
      minWidth: 150,
      cell: row => (
        <span className="teams-roles">
          {row.roles.map(role => (
            <Badge key={role}>{nameOf(role)}</Badge>
          ))}
        </span>
      ),
    },
    { id: 'scope', header: t('scope.title'), minWidth: 110, cell: row => <ScopeText scope={row.scope} /> },
    {
      id: 'state',
      header: t('members.status'),
      width: 110,
      cell: row => <StatusBadge tone={tones[row.state]} text={t(`invitations.states.${row.state}`)} />,
    },
    { id: 'by', header: t('invitations.by'), width: 130, cell: row => row.invitedByName },
    { id: 'expires', header: t('invitations.expires'), width: 175, cell: row => <When at={row.expiresAt} /> },
    { id: 'actions', header: t('members.actions'), width: 190, cell: row => <RowActions row={row} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('invitations.title')} description={t('invitations.text')} />
      <DataTable
        title={t('invitations.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.invitationId}
        rowName={row => row.address}
        searchLabel={t('invite.address')}
        filters={[
          {
            id: 'state',
            label: t('members.status'),
            options: invitationLifeCycle.states.map(one => ({ value: one, label: t(`invitations.states.${one}`) })),
          },
        ]}
        empty={{ title: t('invitations.empty'), text: t('invitations.emptyText'), action: invite }}
        actions={invite}
      />
      {isInviting && <InviteWizard onClose={() => setInviting(false)} />}
    </SpaceBetween>
  )
}

function RowActions({ row }: { row: InvitationView }) {
  const { t } = useTranslation('ground/teams')
  const [link, setLink] = useState<string | null>(null)
  const { invitationId, address } = row
  const resend = useAction(invitationApi.resendInvitation, {
    onDone: sent => {
      if (sent.link !== null) return setLink(sent.link)
      notify({ tone: 'success', text: t('invite.sent', { address }) })
    },
  })
  const cancel = useAction(invitationApi.cancelInvitation, {
    onDone: () => {
      notify({ tone: 'success', text: t('invitations.canceled', { address }) })
    },
  })
  return (
    <span className="teams-acts">
      {row.allowedActions.includes('resend') && (
        <Button
          variant="inline-link"
          data-action="resend"
          loading={resend.isRunning}
          ariaLabel={t('invitations.resendTo', { address })}
          onClick={() => void resend.run({ body: { invitationId } })}
        >
          {t('invitations.resend')}
        </Button>
      )}
      {row.allowedActions.includes('cancel') && (
        <Button
          variant="inline-link"
          data-action="cancel"
          loading={cancel.isRunning}
          ariaLabel={t('invitations.cancelOf', { address })}
          onClick={() => void cancel.run({ query: { invitationId } })}
        >
          {t('invitations.cancel')}
        </Button>
      )}
      {link !== null && <LinkToPassOn link={link} onClose={() => setLink(null)} />}
    </span>
  )
}
