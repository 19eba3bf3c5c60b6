import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import { AudiencesTab } from './audiences/AudiencesTab.tsx'
import { RuleSetsTab } from './rule-sets/RuleSetsTab.tsx'
import { projectsApi } from './targeting-calls.ts'

const tabs = { sets: RuleSetsTab, audiences: AudiencesTab } as const
type Tab = keyof typeof tabs

/** The rule sets and audiences of a project. */
export default function TargetingPage() {
  const { t } = useTranslation('grow/targeting')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), [
    'q',
    'type',
    'page',
    'cursor',
  ])
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: (Object.hasOwn(tabs, String(raw['tab'])) ? raw['tab'] : 'sets') as Tab,
  }))
  const beginning = { q: undefined, type: undefined, page: undefined, cursor: undefined }
  const Content = tabs[tab]
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => (
        <Tabs
          activeTabId={tab}
          ariaLabel={t('title')}
          onChange={({ detail }) => change({ tab: detail.activeTabId as Tab, ...beginning } as { tab: Tab })}
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
