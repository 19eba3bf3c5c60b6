import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { ZoneChoice } from '../../../../../console/kit/ZoneChoice.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { shownZoneIds } from '../../../../../kernel/zones.ts'
import { staffAppsApi } from '../version-calls.ts'

const shelfStates = ['ON_SHELF', 'OFF_SHELF', 'NEVER'] as const
const readZone = (raw: Record<string, unknown>) => ({
  zone: shownZoneIds.find(zone => zone === raw['zone']),
  page: undefined as string | undefined,
  cursor: undefined as string | undefined,
})

/** Apps of all teams of a zone, for the store's staff. */
export default function StaffAppsPage() {
  const { t } = useTranslation('distribute/versions')
  const [{ zone }, change] = usePageSearch(readZone)
  const table = useTableState<'shelfState' | 'state'>({
    id: 'staffApps',
    filters: ['shelfState', 'state'],
    sort: { by: 'updated', isDescending: true },
  })
  const { shelfState, state } = table.filters
  const result = useCall(
    staffAppsApi.queryApps,
    {
      body: {
        ...table.page,
        ...(table.search && { search: table.search }),
        ...(shelfState && { shelfState: shelfState as 'NEVER' }),
        ...(state && { state: state as 'FROZEN' }),
        ...(table.sort && { sort: table.sort.by as 'updated', order: table.sort.isDescending ? 'desc' : 'asc' }),
      },
    },
    { keepBefore: true, ...(zone && { zone }) },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('staff.title')}
        description={t('staff.text')}
        actions={
          <ZoneChoice zone={zone} onChoose={chosen => change({ page: undefined, cursor: undefined, zone: chosen })} />
        }
      />
      <DataTable
        title={t('staff.title')}
        table={table}
        result={result}
        rowKey={app => app.appId}
        rowName={app => app.name}
        searchLabel={t('staff.search')}
        filters={[
          {
            id: 'shelfState',
            label: t('staff.shelf'),
            options: shelfStates.map(value => ({ value, label: t(`staff.shelfStates.${value}`) })),
          },
          {
            id: 'state',
            label: t('staff.state'),
            options: [
              { value: 'ACTIVE', label: t('staff.active') },
              { value: 'FROZEN', label: t('staff.frozen') },
            ],
          },
        ]}
        empty={{ title: t('staff.empty') }}
        columns={[
          {
            id: 'name',
            header: t('staff.app'),
            isName: true,
            sortBy: 'name',
            minWidth: 220,
            cell: app => (
              <>
                <Link href={hrefOf('/desk/apps/$appId', { appId: app.appId }, zone ? { zone } : {})}>{app.name}</Link>
                <div className="lg-soft">{app.packageName ?? '–'}</div>
              </>
            ),
          },
          { id: 'team', header: t('staff.team'), minWidth: 180, cell: app => app.teamId },
          {
            id: 'state',
            header: t('staff.state'),
            cell: app => (
              <StatusBadge
                tone={app.lifecycle === 'FROZEN' ? 'bad' : 'good'}
                text={app.lifecycle === 'FROZEN' ? t('staff.frozen') : t('staff.active')}
              />
            ),
          },
          {
            id: 'shelf',
            header: t('staff.shelf'),
            cell: app =>
              app.shelf
                ? `${app.shelf.versionName} (${app.shelf.versionCode})`
                : t(`staff.shelfStates.${app.everOnShelf ? 'OFF_SHELF' : 'NEVER'}`),
          },
          {
            id: 'updated',
            header: t('staff.updated'),
            sortBy: 'updated',
            cell: app => <When at={app.updatedAt} show="relative" />,
          },
        ]}
      />
    </SpaceBetween>
  )
}
