import Button from '@cloudscape-design/components/button'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import type { CallInput } from '../../../../console/client.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../console/kit/ExportMenu.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { apps } from '../contract.ts'
import { packageTypes } from '../rules.ts'
import { api } from './app-calls.ts'
import { appColumns } from './app-columns.tsx'
import { AppGlance } from './list/AppGlance.tsx'
import { BulkBar } from './list/BulkBar.tsx'
import { usePictures } from './use-pictures.ts'
import { useTeamZones } from './use-team-zones.ts'

type Wish = NonNullable<CallInput<typeof apps.calls.listApps>['query']>
type Page = Answer<typeof apps.calls.listApps>
const shelfStates = ['ON_SHELF', 'OFF_SHELF', 'NEVER'] as const
const firstPage = { cursor: undefined, page: undefined }

export default function AppsPage() {
  const { t } = useTranslation('distribute/apps')
  const team = useTeamZones()
  const [wanted, change] = usePageSearch<Record<string, string | undefined>>(raw => raw as Record<string, string>)
  const zone = team.zones.find(one => one === wanted['zone']) ?? team.zones[0] ?? team.own
  const table = useTableState<'packageType' | 'shelfState'>({
    id: 'apps',
    filters: ['packageType', 'shelfState'],
    sort: { by: 'updated', isDescending: true },
  })
  const wish = {
    ...table.filters,
    search: table.search,
    ...(table.sort && { sort: table.sort.by, order: table.sort.isDescending ? 'desc' : 'asc' }),
  } as Wish
  const query = { ...table.page, ...wish }
  const result = useCall(api.listApps, { query }, { keepBefore: true, zone, enabled: !team.isPending })
  const rows: Page['list'] = result.data?.list ?? []
  const pictures = usePictures(
    rows.map(app => app.iconObjectId),
    zone,
  )
  const [chosen, setChosen] = useState<Page['list']>([])
  const names = new Map(team.projects.map(project => [project.projectId, project.name]))
  const create = (variant: 'primary' | 'normal') => (
    <Can call={api.createApp}>
      <Button variant={variant} href={hrefOf('/apps/new')}>
        {t('apps.create')}
      </Button>
    </Can>
  )

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('apps.title')} description={t('apps.text')} />
      {team.zones.length > 1 && (
        <SegmentedControl
          label={t('apps.zone')}
          selectedId={zone}
          options={team.zones.map(one => ({ id: one, text: t(`zones.${one}`) }))}
          onChange={({ detail }) => change({ ...firstPage, zone: detail.selectedId })}
        />
      )}
      {rows.length > 0 && <AppGlance zone={zone} />}
      <DataTable
        title={t('apps.all')}
        table={table}
        result={result}
        columns={appColumns(t, pictures, names)}
        rowKey={app => app.appId}
        rowName={app => app.name}
        searchLabel={t('apps.search')}
        filters={[
          {
            id: 'packageType',
            label: t('app.type'),
            options: packageTypes.map(type => ({ value: type, label: t(`types.${type}`) })),
          },
          {
            id: 'shelfState',
            label: t('app.onShelf'),
            options: shelfStates.map(state => ({ value: state, label: t(`shelfStates.${state}`) })),
          },
        ]}
        empty={{ title: t('apps.empty'), text: t('apps.emptyText'), action: create('normal') }}
        actions={
          <>
            {chosen.length === 0 && (
              <Can call={api.exportApps}>
                <ExportMenu
                  isDisabled={result.data?.total === 0}
                  ask={file => api.exportApps.raw({ query: { ...wish, ...file } }, { zone })}
                />
              </Can>
            )}
            <BulkBar apps={chosen} zone={zone} onDone={() => setChosen([])} />
            {create('primary')}
          </>
        }
        selection={{ type: 'multi', rows: chosen, onChange: setChosen }}
      />
    </SpaceBetween>
  )
}
