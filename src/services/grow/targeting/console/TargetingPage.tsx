import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { ProjectChoice, useProject } from '../../../../console/kit/ProjectChoice.tsx'
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
    <SpaceBetween size="l">
      <PageHeader title={t('title')} description={t('text')} />
      {of.found.error && <ErrorState error={of.found.error} onRetry={() => void of.found.refetch()} />}
      {of.isEmpty && (
        <EmptyState
          title={t('noProjects.title')}
          text={t('noProjects.text')}
          action={<Button href={hrefOf('/projects')}>{t('noProjects.go')}</Button>}
        />
      )}
      {!of.found.error && !of.isEmpty && <ProjectChoice of={of} />}
      {of.project && (
        <Tabs
          key={of.project.projectId}
          activeTabId={tab}
          ariaLabel={t('title')}
          onChange={({ detail }) => change({ tab: detail.activeTabId as Tab, ...beginning } as { tab: Tab })}
          tabs={(Object.keys(tabs) as Tab[]).map(id => ({
            id,
            label: t(`tabs.${id}`),
            content: id === tab && of.project ? <Content projectId={of.project.projectId} /> : null,
          }))}
        />
      )}
    </SpaceBetween>
  )
}
