import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { DesignTab } from './design/DesignTab.tsx'
import { TestDevicesTab } from './design/TestDevicesTab.tsx'
import { ExperimentActions } from './ExperimentActions.tsx'
import { experimentsApi } from './experiment-calls.ts'
import { ReportTab } from './results/ReportTab.tsx'
import { SegmentsTab } from './results/SegmentsTab.tsx'
import { StateChip } from './StatusChip.tsx'

const tabs = { report: ReportTab, segments: SegmentsTab, design: DesignTab, devices: TestDevicesTab } as const
type Tab = keyof typeof tabs

/** One experiment: its design until it starts, what it shows afterwards. */
export default function ExperimentPage() {
  const { t } = useTranslation('grow/experiments')
  const params = { experimentId: usePageParam('experimentId') }
  const result = useCall(experimentsApi.getExperiment, { params })
  const [search, change] = usePageSearch(raw => ({ tab: raw['tab'] === undefined ? '' : String(raw['tab']) }))
  usePageTitle(result.data?.name)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const experiment = result.data
  const hasRun = experiment.startedAt !== null
  const shown: Tab[] = hasRun ? ['report', 'segments', 'design', 'devices'] : ['design', 'devices']
  const tab = shown.find(one => one === search.tab) ?? (shown[0] as Tab)
  const Content = tabs[tab]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={experiment.name}
        description={experiment.design.hypothesis}
        status={<StateChip {...experiment} />}
        actions={<ExperimentActions experiment={experiment} />}
      />
      {experiment.problem !== null && (
        <Alert type="error" header={t('report.failed')}>
          {experiment.problem}
        </Alert>
      )}
      <Tabs
        activeTabId={tab}
        ariaLabel={experiment.name}
        onChange={({ detail }) => change({ tab: detail.activeTabId })}
        tabs={shown.map(id => ({
          id,
          label: t(`pageTabs.${id}`),
          content: id === tab ? <Content key={experiment.revision} experiment={experiment} /> : null,
        }))}
      />
    </SpaceBetween>
  )
}
