import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import { projectsApi } from './experiment-calls.ts'
import { HoldoutTab } from './layers/HoldoutTab.tsx'
import { LayersTab } from './layers/LayersTab.tsx'
import { ExperimentsTab } from './list/ExperimentsTab.tsx'
import { MetricsTab } from './metrics/MetricsTab.tsx'

const tabs = { experiments: ExperimentsTab, metrics: MetricsTab, layers: LayersTab, holdout: HoldoutTab } as const
type Tab = keyof typeof tabs

/** The experiments of a project, what they are measured by, and who takes part in which. */
export default function ExperimentsPage() {
  const { t } = useTranslation('grow/experiments')
  const own = ['q', 'state', 'page', 'cursor', 'metric']
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), own)
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: (Object.hasOwn(tabs, String(raw['tab'])) ? raw['tab'] : 'experiments') as Tab,
  }))
  const beginning = Object.fromEntries(own.map(name => [name, undefined]))
  const Content = tabs[tab]
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => (
        <Tabs
          activeTabId={tab}
          ariaLabel={t('title')}
          onChange={({ detail }) => change({ ...beginning, tab: detail.activeTabId as Tab })}
          tabs={(Object.keys(tabs) as Tab[]).map(id => ({
            id,
            label: t(`tabs.${id}`),
            content: id === tab ? <Content projectId={projectId} /> : null,
          }))}
        />
      )}
    </ProjectPage>
  )
}
