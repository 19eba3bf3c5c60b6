import '../beta.css'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ActivityState, activityStates } from '../../activities/rules.ts'
import { type ActivityView, activitiesApi, appsApi } from '../beta-calls.ts'
import { toneOfActivity } from '../beta-words.ts'
import { ActivityActions } from './ActivityActions.tsx'
import { ActivityForm } from './ActivityForm.tsx'

/** Searches for testers among everybody. */
export default function ActivitiesPage() {
  const { t } = useTranslation('distribute/beta-test')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const [isMaking, setMaking] = useState(false)
  const table = useTableState<'state'>({ id: 'activities', filters: ['state'] })
  const { search, filters, page } = table
  const query = {
    appId,
    ...page,
    ...(search && { search }),
    ...(filters.state && { state: filters.state as ActivityState }),
  }
  const result = useCall(activitiesApi.listActivities, { query }, { keepBefore: true })
  const make = (
    <Can call={activitiesApi.createActivity}>
      <Button variant="primary" data-action="createActivity" onClick={() => setMaking(true)}>
        {t('activities.make')}
      </Button>
    </Can>
  )
  const columns: TableColumn<ActivityView>[] = [
    {
      id: 'title',
      header: t('activities.name'),
      isName: true,
      minWidth: 220,
      cell: row => (
        <>
          <span translate="no">{row.title}</span>
          {row.reward && (
            <div className="beta-soft" translate="no">
              {row.reward}
            </div>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: t('activities.state'),
      width: 140,
      cell: row => <StatusBadge tone={toneOfActivity[row.state]} text={t(`activities.states.${row.state}`)} />,
    },
    {
      id: 'joined',
      header: t('activities.joined'),
      width: 130,
      cell: row => t('activities.joinedOf', { joined: row.joined, quota: row.quota }),
    },
    {
      id: 'window',
      header: t('activities.window'),
      width: 190,
      cell: row => (
        <>
          <When at={row.startAt} /> –
          <br />
          <When at={row.endAt} />
        </>
      ),
    },
    {
      id: 'group',
      header: t('groups.one'),
      minWidth: 140,
      cell: row => (
        <Link href={hrefOf('/apps/$appId/testers/$groupId', { appId, groupId: row.groupId })}>
          <span translate="no">{row.groupName}</span>
        </Link>
      ),
    },
    { id: 'actions', header: t('actions'), minWidth: 200, cell: row => <ActivityActions activity={row} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('activities.title')}
        description={t('activities.text')}
        actions={<Button href={hrefOf('/apps/$appId/testers', { appId })}>{t('groups.title')}</Button>}
      />
      <DataTable
        title={t('activities.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.activityId}
        rowName={row => row.title}
        searchLabel={t('activities.search')}
        filters={[
          {
            id: 'state',
            label: t('activities.state'),
            options: activityStates.map(value => ({ value, label: t(`activities.states.${value}`) })),
          },
        ]}
        empty={{ title: t('activities.empty'), text: t('activities.emptyText'), action: make }}
        actions={make}
      />
      {isMaking && <ActivityForm appId={appId} onClose={() => setMaking(false)} />}
    </SpaceBetween>
  )
}
