import './material.css'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DayBars } from '../../../../console/kit/DayBars.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type TestState, testStates } from '../tests/rules.ts'
import { api, appsApi, percentText, type TestInList, tones } from './material-calls.ts'
import { NewTest } from './NewTest.tsx'

/** The tests of an app's page in the store. */
export default function TestsPage() {
  const { t } = useTranslation('distribute/material')
  const appId = usePageParam('appId')
  const [isNew, setNew] = useState(false)
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  useAppOnScreen(app.data)
  const table = useTableState<'state'>({ id: 'materialTests', filters: ['state'] })
  const { search, filters, page } = table
  const wish = { ...(search && { search }), ...(filters.state && { state: filters.state as TestState }) }
  const result = useCall(api.listTests, { query: { appId, ...wish, ...page } }, { keepBefore: true })
  const add = (
    <Can call={api.createTest}>
      <Button variant="primary" data-action="createTest" disabled={!app.data?.shelf} onClick={() => setNew(true)}>
        {t('new.title')}
      </Button>
    </Can>
  )
  const columns: TableColumn<TestInList>[] = [
    {
      id: 'name',
      header: t('field.name'),
      isName: true,
      minWidth: 180,
      cell: row => (
        <Link href={hrefOf('/apps/$appId/material-tests/$testId', { appId, testId: row.testId })}>
          <span translate="no">{row.name}</span>
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('field.state'),
      width: 170,
      cell: row => <StatusBadge tone={tones[row.state]} text={t(`states.${row.state}`)} />,
    },
    {
      id: 'elements',
      header: t('field.elements'),
      minWidth: 230,
      cell: row => row.elements.map(element => t(`elements.${element}`)).join(', '),
    },
    { id: 'traffic', header: t('field.traffic'), width: 165, cell: row => percentText(row.trafficPercent / 100) },
    { id: 'days', header: t('field.days'), width: 165, cell: row => <Days days={row.days} /> },
    {
      id: 'progress',
      header: t('field.progress'),
      width: 130,
      cell: row => (row.result ? percentText(row.result.progress, 0) : '–'),
    },
    { id: 'created', header: t('field.created'), width: 180, cell: row => <When at={row.createdAt} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('list.title')} description={t('list.text')} />
      <DataTable
        title={t('list.title')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.testId}
        rowName={row => row.name}
        searchLabel={t('list.search')}
        filters={[
          {
            id: 'state',
            label: t('field.state'),
            options: testStates.map(state => ({ value: state, label: t(`states.${state}`) })),
          },
        ]}
        empty={{
          title: t('list.empty'),
          text: app.data && !app.data.shelf ? t('list.notOnShelf') : t('list.emptyText'),
          action: add,
        }}
        actions={add}
      />
      {isNew && app.data && <NewTest appId={appId} lang={app.data.defaultLang} onClose={() => setNew(false)} />}
    </SpaceBetween>
  )
}

/** How often the page was shown on the last days. */
function Days({ days }: { days: TestInList['days'] }) {
  const { t } = useTranslation('distribute/material')
  if (days.length === 0) return '–'
  const counts = days.slice(-14).map(day => day.impressions)
  return <DayBars counts={counts} label={t('spark', { count: counts.reduce((sum, count) => sum + count, 0) })} />
}
