import './reach.css'
import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { TryDevice } from '../decision/TryDevice.tsx'
import { api, appsApi, versionsApi } from '../store-calls.ts'
import { LicenceKey } from './LicenceKey.tsx'
import { MeasureTiles } from './MeasureTiles.tsx'
import { ReachChart } from './ReachChart.tsx'
import { ReachTable } from './ReachTable.tsx'
import { measures, periods, seriesOf, totalOf } from './reach-series.ts'

const readSearch = (raw: Record<string, unknown>) => ({
  days: periods.find(days => String(days) === raw['days']) ?? 30,
  measure: measures.find(measure => measure === raw['measure']),
})

/** How far each version of an app has come on devices, day by day. */
export default function ReachPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/store')
  const [{ days, measure: asked }, change] = usePageSearch(readSearch)
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const reach = useCall(api.getVersionReach, { query: { appId, days } }, { keepBefore: true, refetchInterval: 15_000 })
  const versions = useCall(versionsApi.listVersions, { query: { appId, pageSize: 100 } })
  const failed = [app, reach, versions].find(one => one.error)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !reach.data || !versions.data) return <PendingPage />

  const rows = reach.data.list
  const measure = asked ?? measures.find(one => totalOf(rows, one) > 0) ?? 'updatesOffered'
  const all = versions.data.list.map(one => one.version)
  const { packageName, shelf } = app.data
  const toStore = shelf && packageName && (
    <Link href={hrefOf('/store/$packageName', { packageName })}>{t('reach.toStore')}</Link>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('reach.title', { name: app.data.name })}
        description={t('reach.text')}
        actions={
          <div className="reach-actions">
            {toStore}
            <Link href={hrefOf('/apps/$appId/field', { appId })}>{t('reach.toField')}</Link>
            <SegmentedControl
              label={t('reach.period')}
              selectedId={String(days)}
              options={periods.map(id => ({ id: String(id), text: t('reach.days', { count: id }) }))}
              onChange={({ detail }) => change({ days: Number(detail.selectedId) as typeof days }, { replace: true })}
            />
          </div>
        }
      />
      {rows.length === 0 ? (
        <EmptyState
          title={t('reach.empty')}
          text={shelf ? t('reach.emptyText') : t('reach.notOut')}
          action={
            shelf ? toStore : <Link href={hrefOf('/apps/$appId/version', { appId })}>{t('reach.toVersion')}</Link>
          }
        />
      ) : (
        <SpaceBetween size="l">
          <MeasureTiles rows={rows} chosen={measure} onChoose={next => change({ measure: next }, { replace: true })} />
          <ReachChart measure={measure} picture={seriesOf(rows, all, measure, days)} />
          <ReachTable rows={rows} versions={all} />
        </SpaceBetween>
      )}
      <TryDevice appId={appId} />
      <LicenceKey appId={appId} />
    </SpaceBetween>
  )
}
