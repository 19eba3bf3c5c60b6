import './use.css'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { ExportMenu } from '../../../../console/kit/ExportMenu.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import { nameKinds } from '../rules.ts'
import { TeamNames } from './TeamNames.tsx'
import { UseChart } from './UseChart.tsx'
import { UseTiles } from './UseTiles.tsx'
import { api, lastDays } from './use-calls.ts'
import { firstOfTable, readTeamUseSearch } from './use-search.ts'
import { ZoneAndPeriod } from './ZoneAndPeriod.tsx'

/** How the team uses the console, as numbers of all its people together. */
export default function TeamUsePage() {
  const { t } = useTranslation('analyse/collect')
  const [{ zone, days, kind }, change] = usePageSearch(readTeamUseSearch)
  const found = useCall(api.listTeamDays, { query: { days } }, { keepBefore: true, zone, refetchInterval: 60_000 })
  const isEmpty = found.data !== undefined && found.data.views + found.data.clicks === 0
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('team.title')}
        description={t('team.text')}
        actions={
          <ExportMenu
            isDisabled={found.data === undefined || isEmpty}
            ask={file => api.exportTeamUse.raw({ query: { sheet: 'day', days, ...file } }, { zone })}
          />
        }
      />
      <div className="use-filters">
        <ZoneAndPeriod
          zone={zone}
          days={days}
          onChange={next => change({ ...firstOfTable, ...next }, { replace: true })}
        />
      </div>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <PendingPage />
      ) : isEmpty ? (
        <EmptyState title={t('team.empty')} text={t('team.emptyText')} />
      ) : (
        <SpaceBetween size="l">
          <UseTiles use={found.data} isOneDay={false} />
          <UseChart use={found.data} days={lastDays(days)} />
          <SegmentedControl
            label={t('team.what')}
            selectedId={kind}
            options={nameKinds.map(id => ({ id, text: t(`by.${id}`) }))}
            onChange={({ detail }) =>
              change({ ...firstOfTable, q: undefined, sort: undefined, kind: detail.selectedId as typeof kind })
            }
          />
          <TeamNames key={kind} zone={zone} days={days} kind={kind} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
