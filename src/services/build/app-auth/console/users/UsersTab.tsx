import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../../console/kit/ExportMenu.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { projectZone } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { importApi, usersApi } from '../auth-calls.ts'
import { providerOptions, providerText } from '../providers.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { UserDialog } from './UserDialog.tsx'

const states = ['ACTIVE', 'DISABLED'] as const

export function UsersTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/app-auth')
  const [open, setOpen] = useState<'new' | 'import' | null>(null)
  const table = useTableState<'provider' | 'state'>({ id: 'app-users', filters: ['provider', 'state'] })
  const { provider, state } = table.filters
  const filters = {
    projectId,
    ...(table.search ? { query: table.search } : {}),
    ...(provider === undefined ? {} : { provider: Number(provider) }),
    ...(state === undefined ? {} : { state: state as (typeof states)[number] }),
  }
  const result = useCall(usersApi.listUsers, { query: { ...filters, ...table.page } }, { keepBefore: true })
  const zone = projectZone.get()
  const actions = (
    <>
      <ExportMenu ask={wish => usersApi.exportUsers.raw({ query: { ...filters, ...wish } })} />
      <Can call={importApi.importUsers}>
        <Button data-action="import" onClick={() => setOpen('import')}>
          {t('import.open')}
        </Button>
      </Can>
      <Can call={usersApi.createUser}>
        <Button variant="primary" data-action="create" onClick={() => setOpen('new')}>
          {t('users.create')}
        </Button>
      </Can>
    </>
  )
  return (
    <>
      <DataTable
        title={t('tabs.users')}
        table={table}
        result={result}
        rowKey={row => row.uid}
        rowName={row => row.displayName || row.email || row.phone || row.uid}
        searchLabel={t('users.search')}
        filters={[
          { id: 'provider', label: t('users.provider'), options: providerOptions(t) },
          {
            id: 'state',
            label: t('users.state'),
            options: states.map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('users.empty'), text: t('users.emptyText') }}
        actions={actions}
        columns={[
          {
            id: 'name',
            header: t('users.name'),
            isName: true,
            minWidth: 190,
            cell: row => (
              <span translate="no">
                <Link href={hrefOf('/auth/users/$uid', { uid: row.uid }, { projectId, ...(zone ? { zone } : {}) })}>
                  {row.displayName || row.email || row.phone || t('ways.anonymous')}
                </Link>
                <br />
                <span className="lg-soft">{row.uid}</span>
              </span>
            ),
          },
          {
            id: 'reach',
            header: t('users.reach'),
            minWidth: 200,
            cell: row => (
              <span className="auth-wrap" translate="no">
                {[row.email, row.phone].filter(one => one !== null).join(', ') || '–'}
              </span>
            ),
          },
          {
            id: 'provider',
            header: t('users.provider'),
            minWidth: 150,
            cell: row => (
              <span className="auth-wrap">{row.providers.map(one => providerText(t, one)).join(', ') || '–'}</span>
            ),
          },
          {
            id: 'state',
            header: t('users.state'),
            width: 130,
            cell: row => <StatusBadge tone={row.state === 'ACTIVE' ? 'good' : 'off'} text={t(`states.${row.state}`)} />,
          },
          { id: 'created', header: t('users.created'), width: 170, cell: row => <When at={row.createdAt} /> },
          {
            id: 'seen',
            header: t('users.seen'),
            width: 140,
            cell: row =>
              row.lastSignInAt === null ? t('users.never') : <When at={row.lastSignInAt} show="relative" />,
          },
        ]}
      />
      {open === 'new' && <UserDialog projectId={projectId} user={null} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog projectId={projectId} onClose={() => setOpen(null)} />}
    </>
  )
}
