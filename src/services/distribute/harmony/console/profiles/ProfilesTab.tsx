import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ProfileView } from '../../profiles/contract.ts'
import { type ProfileState, profileStates, profileTypeNumbers } from '../../rules.ts'
import { profilesApi, toneOfState } from '../harmony-calls.ts'
import { TimeLeft } from '../TimeLeft.tsx'
import { ProfileDialog } from './ProfileDialog.tsx'
import { ProfileForm } from './ProfileForm.tsx'

/** The profiles of the team's apps. */
export function ProfilesTab() {
  const { t } = useTranslation('distribute/harmony')
  const [isNew, setNew] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const table = useTableState<'type' | 'state' | 'app'>({ id: 'harmonyProfiles', filters: ['type', 'state', 'app'] })
  const { search, filters, page } = table
  const wish = {
    ...(search && { search }),
    ...(filters.app && { appId: filters.app }),
    ...(filters.type && { provisionType: Number(filters.type) }),
    ...(filters.state && { state: filters.state as ProfileState }),
  }
  const result = useCall(profilesApi.listProfiles, { query: { ...wish, ...page } }, { keepBefore: true })
  const open = result.data?.list.find(one => one.id === openId)
  const add = (
    <Can call={profilesApi.createProfile}>
      <Button variant="primary" data-action="createProfile" onClick={() => setNew(true)}>
        {t('profiles.new')}
      </Button>
    </Can>
  )
  const columns: TableColumn<ProfileView>[] = [
    {
      id: 'name',
      header: t('name'),
      isName: true,
      minWidth: 180,
      cell: row => (
        <Button variant="inline-link" onClick={() => setOpenId(row.id)}>
          <span translate="no">{row.provisionName}</span>
        </Button>
      ),
    },
    {
      id: 'app',
      header: t('profiles.app'),
      minWidth: 200,
      cell: row => (
        <span translate="no">
          {row.appName}
          <div className="lg-soft">{row.packageName}</div>
        </span>
      ),
    },
    { id: 'type', header: t('type'), width: 180, cell: row => t(`profileTypes.${row.provisionType}`) },
    {
      id: 'cert',
      header: t('profiles.cert'),
      minWidth: 150,
      cell: row => <span translate="no">{row.certName}</span>,
    },
    { id: 'devices', header: t('tabs.devices'), width: 110, cell: row => row.deviceCount || '–' },
    {
      id: 'state',
      header: t('state'),
      width: 180,
      cell: row => (
        <>
          <StatusBadge tone={toneOfState[row.state]} text={t(`states.${row.state}`)} />
          {row.invalidReason !== null && <div className="lg-soft">{t(`reasons.${row.invalidReason}`)}</div>}
        </>
      ),
    },
    {
      id: 'expires',
      header: t('expires'),
      width: 180,
      cell: row => <TimeLeft at={row.expireTime} isOver={row.state === 'EXPIRED'} />,
    },
  ]
  return (
    <>
      <DataTable
        title={t('tabs.profiles')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.provisionName}
        searchLabel={t('profiles.search')}
        filters={[
          {
            id: 'type',
            label: t('type'),
            options: profileTypeNumbers.map(type => ({ value: String(type), label: t(`profileTypes.${type}`) })),
          },
          {
            id: 'state',
            label: t('state'),
            options: profileStates.map(state => ({ value: state, label: t(`states.${state}`) })),
          },
        ]}
        empty={{ title: t('profiles.empty'), text: t('profiles.emptyText'), action: add }}
        actions={add}
      />
      {isNew && <ProfileForm profile={null} onClose={() => setNew(false)} />}
      {open && <ProfileDialog profile={open} onClose={() => setOpenId(null)} />}
    </>
  )
}
