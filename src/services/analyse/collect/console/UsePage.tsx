import './use.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import { UseChart } from './UseChart.tsx'
import { UseFilters } from './UseFilters.tsx'
import { UseFunnel } from './UseFunnel.tsx'
import { UseShares } from './UseShares.tsx'
import { UseTiles } from './UseTiles.tsx'
import { api, lastDays } from './use-calls.ts'
import { readUseSearch } from './use-search.ts'

/** How people use the console in a zone: by day, by page, from page to page. */
export default function UsePage() {
  const { t } = useTranslation('analyse/collect')
  const [search, change] = usePageSearch(readUseSearch)
  const { zone, steps, ...asked } = search
  const days = useCall(api.listUseDays, { query: asked }, { keepBefore: true, zone, refetchInterval: 60_000 })
  const shown = asked.day === undefined ? lastDays(asked.days) : [asked.day]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('title')} description={t('text')} />
      <UseFilters search={search} onChange={next => change(next, { replace: true })} />
      {days.error ? (
        <ErrorState error={days.error} onRetry={() => void days.refetch()} />
      ) : !days.data ? (
        <PendingPage />
      ) : days.data.views + days.data.clicks === 0 ? (
        <EmptyState title={t('empty')} text={t('emptyText')} />
      ) : (
        <SpaceBetween size="l">
          <UseTiles use={days.data} isOneDay={shown.length === 1} />
          {shown.length > 1 && <UseChart use={days.data} days={shown} />}
          <div className="use-pair">
            <UseShares asked={asked} zone={zone} by="page" />
            <UseShares asked={asked} zone={zone} by="action" />
          </div>
          <UseFunnel
            asked={asked}
            zone={zone}
            steps={steps}
            onChange={next => change({ steps: next }, { replace: true })}
          />
          <div className="use-shares">
            <UseShares asked={asked} zone={zone} by="language" />
            <UseShares asked={asked} zone={zone} by="face" />
            <UseShares asked={asked} zone={zone} by="sourceChannel" />
          </div>
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
