import '../version.css'
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
import { type TestState, testStates } from '../../testing/rules.ts'
import { appsApi, type TestView, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { NewTest } from './NewTest.tsx'
import { TestActions } from './TestActions.tsx'
import { toneOfTest } from './test-words.ts'

/** What testers of an app get beside what is on shelf. */
export default function TestsPage() {
  const { t, i18n } = useTranslation('distribute/versions')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const [isMaking, setMaking] = useState(false)
  const table = useTableState<'state' | 'testType'>({ id: 'tests', filters: ['state', 'testType'] })
  const { search, filters, page } = table
  const body = {
    appId,
    ...page,
    ...(search && { search }),
    ...(filters.state && { states: [filters.state as TestState] }),
    ...(filters.testType && { testType: Number(filters.testType) }),
  }
  const result = useCall(testsApi.listTestVersions, { body }, { keepBefore: true })
  const make = (
    <Can call={testsApi.createTestVersion}>
      <Button variant="primary" data-action="createTest" onClick={() => setMaking(true)}>
        {t('tests.new')}
      </Button>
    </Can>
  )
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  const columns: TableColumn<TestView>[] = [
    {
      id: 'version',
      header: t('tests.version'),
      isName: true,
      minWidth: 190,
      cell: row => (
        <>
          {nameOf(row)}
          <div className="version-dim" translate="no">
            {row.testDesc}
          </div>
        </>
      ),
    },
    {
      id: 'state',
      header: t('tests.state'),
      width: 170,
      cell: row => (
        <>
          <StatusBadge tone={toneOfTest[row.state]} text={t(`tests.states.${row.state}`)} />
          {row.state === 'REJECTED' && row.rejection && <p className="version-said">{row.rejection.note}</p>}
        </>
      ),
    },
    { id: 'who', header: t('tests.who'), minWidth: 170, cell: row => <Audience test={row} /> },
    {
      id: 'window',
      header: t('tests.window'),
      width: 180,
      cell: row =>
        row.startAt === null ? (
          '–'
        ) : (
          <>
            <When at={row.startAt} /> –
            <br />
            <When at={row.endAt} />
          </>
        ),
    },
    {
      id: 'installs',
      header: t('tests.installs'),
      width: 150,
      cell: row => {
        const limit = row.installLimit === null ? null : number.format(row.installLimit)
        const shown = number.format(row.installCount)
        return (
          <>
            {limit === null ? shown : t('tests.installsOf', { shown, limit })}
            {row.quotaReachedAt !== null && (
              <div>
                <StatusBadge tone="caution" text={t('tests.full')} />
              </div>
            )}
          </>
        )
      },
    },
    { id: 'actions', header: t('tests.actions'), minWidth: 200, cell: row => <TestActions test={row} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('tests.title')}
        description={t('tests.text')}
        actions={
          <>
            <Button href={hrefOf('/apps/$appId/testers', { appId })}>{t('testers.title')}</Button>
            <Button href={hrefOf('/apps/$appId/feedback', { appId })}>{t('tests.feedback')}</Button>
          </>
        }
      />
      <DataTable
        title={t('tests.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.versionId}
        rowName={nameOf}
        searchLabel={t('tests.search')}
        filters={[
          {
            id: 'state',
            label: t('tests.state'),
            options: testStates.map(value => ({ value, label: t(`tests.states.${value}`) })),
          },
          {
            id: 'testType',
            label: t('tests.who'),
            options: (['3', '4'] as const).map(value => ({ value, label: t(`tests.types.${value}`) })),
          },
        ]}
        empty={{ title: t('tests.empty'), text: t('tests.emptyText'), action: make }}
        actions={make}
      />
      {isMaking && <NewTest appId={appId} onClose={() => setMaking(false)} />}
    </SpaceBetween>
  )
}

function Audience({ test }: { test: TestView }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, promotedTo, testType, groups } = test
  return (
    <div className="version-tests-wrap">
      {testType === null && '–'}
      {testType === 4 && t('tests.types.4')}
      {testType === 3 && <span translate="no">{groups.map(group => group.name).join(', ')}</span>}
      {promotedTo !== null && (
        <div>
          <Link href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId: promotedTo })}>
            {t('tests.formal')}
          </Link>
        </div>
      )}
    </div>
  )
}
