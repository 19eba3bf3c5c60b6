import './field.css'
import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { ExportMenu } from '../../../../../console/kit/ExportMenu.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { periods } from '../../field/rules.ts'
import { appsApi, fieldApi } from '../store-calls.ts'
import { FieldTiles } from './FieldTiles.tsx'
import { InstallChart } from './InstallChart.tsx'
import { Shares } from './Shares.tsx'
import { VersionsChart } from './VersionsChart.tsx'

const readSearch = (raw: Record<string, unknown>) => ({
  days: periods.find(days => String(days) === raw['days']) ?? 30,
})

/** What devices reported: installations by day, versions in the field, why installations failed, where. */
export default function FieldPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/store')
  const [{ days }, change] = usePageSearch(readSearch)
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const fresh = { keepBefore: true, refetchInterval: 30_000 }
  const installs = useCall(fieldApi.listInstallDays, { query: { appId, days } }, fresh)
  const field = useCall(fieldApi.listFieldVersions, { query: { appId, days } }, fresh)
  const failed = [app, installs, field].find(one => one.error)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !installs.data || !field.data) return <PendingPage />

  const isEmpty = installs.data.list.length === 0 && field.data.list.length === 0
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('field.title', { name: app.data.name })}
        description={t('field.text')}
        actions={
          <>
            <Link href={hrefOf('/apps/$appId/reach', { appId })}>{t('field.toReach')}</Link>
            <ExportMenu
              isDisabled={installs.data.list.length === 0}
              ask={wish => fieldApi.exportInstallDays.raw({ query: { appId, days, ...wish } })}
            />
            <SegmentedControl
              label={t('reach.period')}
              selectedId={String(days)}
              options={periods.map(id => ({ id: String(id), text: t('reach.days', { count: id }) }))}
              onChange={({ detail }) => change({ days: Number(detail.selectedId) as typeof days }, { replace: true })}
            />
          </>
        }
      />
      {isEmpty ? (
        <EmptyState title={t('field.empty')} text={t('field.emptyText')} />
      ) : (
        <SpaceBetween size="l">
          <FieldTiles days={installs.data.list} active={field.data.active} />
          <InstallChart rows={installs.data.list} days={field.data.days.map(one => one.day)} />
          <VersionsChart field={field.data} />
          <div className="field-shares">
            <Shares appId={appId} days={days} by="reason" />
            <Shares appId={appId} days={days} by="country" />
            <Shares appId={appId} days={days} by="deviceClass" />
          </div>
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
