import './rules.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { EditorTab } from './editor/EditorTab.tsx'
import { MonitorTab } from './monitor/MonitorTab.tsx'
import { RequestsTab } from './requests/RequestsTab.tsx'
import { api, projectCalls, serviceOf } from './rules-calls.ts'
import { useWork } from './use-work.ts'
import { VersionsTab } from './versions/VersionsTab.tsx'

const tabs = ['editor', 'versions', 'requests', 'monitor'] as const
type Tab = (typeof tabs)[number]

const readSearch = (raw: Record<string, unknown>): { tab: Tab } => ({
  tab: tabs.find(tab => tab === raw['tab']) ?? 'editor',
})

/** The rules of a project's service: written, tried, published, and what they did. */
export default function RulesPage() {
  const { t } = useTranslation('build/rules')
  const projectId = usePageParam('projectId')
  const word = usePageParam('service')
  const where = { projectId, service: serviceOf(word) }
  const [{ tab }, change] = usePageSearch(readSearch)
  const project = useCall(projectCalls.getProject, { query: { projectId } })
  const rules = useCall(api.getRules, { query: where })
  const work = useWork(rules.data)
  useCrumbName('/projects/$projectId', project.data?.name)
  const failed = [project, rules].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!rules.data || !project.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { published } = rules.data
  const content: Record<Tab, React.ReactNode> = {
    editor: <EditorTab where={where} rules={rules.data} work={work} />,
    versions: (
      <VersionsTab
        where={where}
        rules={rules.data}
        onTake={source => {
          work.write(source)
          change({ tab: 'editor' })
        }}
      />
    ),
    requests: <RequestsTab where={where} source={work.source} isChanged={work.isChanged} />,
    monitor: <MonitorTab where={where} />,
  }
  const empty = Object.fromEntries(
    ['page', 'cursor', 'q', 'allowed', 'method', 'decision', 'hours'].map(name => [name, undefined]),
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t(`title.${where.service}`)}
        description={
          <>
            <span translate="no">{project.data.name}</span> · {t(`about.${where.service}`)}
          </>
        }
        status={
          <StatusBadge
            tone={published > 0 ? 'good' : 'off'}
            text={published > 0 ? t('inForce', { version: published }) : t('noneInForce')}
          />
        }
      />
      <Tabs
        activeTabId={tab}
        ariaLabel={t(`title.${where.service}`)}
        onChange={({ detail }) => {
          const next = detail.activeTabId as Tab
          // The denied ones are what people come for; the filter shows the others, too.
          change({ ...empty, tab: next, ...(next === 'requests' && { allowed: 'no' }) } as never)
        }}
        tabs={tabs.map(id => ({ id, label: t(`tabs.${id}`), content: id === tab ? content[id] : null }))}
      />
    </SpaceBetween>
  )
}
