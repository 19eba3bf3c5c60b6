import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { PersonName } from '../../../../../console/kit/PersonName.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useSession } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { accountStatus } from '../../rules.ts'
import { realStateTone } from '../profile/real-state.ts'
import { accountApi } from '../session-calls.ts'
import type { AccountView } from './staff-calls.ts'

const tones: Readonly<Record<number, Tone>> = { 1: 'good', 2: 'bad', 3: 'stopped', 4: 'bad', 6: 'waiting' }
const statuses = Object.values(accountStatus)

export default function AccountsPage() {
  const { t } = useTranslation('ground/session')
  const table = useTableState<'status'>({ id: 'accounts', filters: ['status'] })
  const { search, filters, page } = table
  const result = useCall(
    accountApi.listAccounts,
    { query: { ...page, search, ...(filters.status && { status: Number(filters.status) }) } },
    { keepBefore: true },
  )
  const columns: TableColumn<AccountView>[] = [
    {
      id: 'name',
      header: t('profile.name'),
      isName: true,
      minWidth: 220,
      cell: row => <PersonName name={row.name} loginName={row.loginName} />,
    },
    { id: 'email', header: t('profile.email'), minWidth: 180, cell: row => row.email ?? '–' },
    {
      id: 'status',
      header: t('accounts.status'),
      width: 190,
      cell: row => <StatusBadge tone={tones[row.status] ?? 'off'} text={t(`accounts.statuses.${row.status}`)} />,
    },
    {
      id: 'realName',
      header: t('realName.title'),
      width: 190,
      cell: row => (
        <StatusBadge
          tone={realStateTone[row.verifyRealState] ?? 'off'}
          text={t(`realName.states.${row.verifyRealState}`)}
        />
      ),
    },
    { id: 'created', header: t('profile.since'), width: 170, cell: row => <When at={row.createdAt} /> },
    { id: 'actions', header: t('providers.actions'), width: 110, cell: row => <StatusMenu row={row} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('accounts.title')} description={t('accounts.text')} />
      <DataTable
        title={t('accounts.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.accountId}
        rowName={row => row.name}
        searchLabel={t('accounts.search')}
        filters={[
          {
            id: 'status',
            label: t('accounts.status'),
            options: statuses.map(one => ({ value: String(one), label: t(`accounts.statuses.${one}`) })),
          },
        ]}
        empty={{ title: t('accounts.none') }}
      />
    </SpaceBetween>
  )
}

function StatusMenu({ row }: { row: AccountView }) {
  const { t } = useTranslation('ground/session')
  const session = useSession()
  const change = useAction(accountApi.setAccountStatus, {
    onDone: saved => {
      notify({ tone: 'success', text: t('accounts.changed', { name: saved.name }) })
    },
  })
  if (session.status === 'in' && session.info.account.id === row.accountId) {
    return <span className="lg-soft">{t('accounts.isYou')}</span>
  }
  return (
    <ButtonDropdown
      variant="icon"
      expandToViewport
      loading={change.isRunning}
      ariaLabel={t('accounts.actionsOf', { name: row.name })}
      items={statuses
        .filter(status => status !== row.status)
        .map(status => ({ id: String(status), text: t(`accounts.verbs.${status}`) }))}
      onItemClick={({ detail }) =>
        void change.run({
          params: { accountId: row.accountId },
          body: { status: Number(detail.id), revision: row.revision },
        })
      }
    />
  )
}
