import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { peopleApi } from '../project-calls.ts'
import { ConfigFilesTab } from './ConfigFilesTab.tsx'
import { ElsewhereTab } from './ElsewhereTab.tsx'
import { GeneralTab } from './GeneralTab.tsx'
import { InterfacesTab } from './InterfacesTab.tsx'
import { KeysTab } from './KeysTab.tsx'
import { PeopleTab } from './PeopleTab.tsx'
import { PropertiesTab } from './PropertiesTab.tsx'
import { RegionTab } from './RegionTab.tsx'

const tabs = {
  general: GeneralTab,
  properties: PropertiesTab,
  people: PeopleTab,
  region: RegionTab,
  files: ConfigFilesTab,
  keys: KeysTab,
  interfaces: InterfacesTab,
  elsewhere: ElsewhereTab,
} as const
type TabId = keyof typeof tabs

export default function ProjectSettingsPage() {
  const { t } = useTranslation('ground/projects')
  const projectId = usePageParam('projectId')
  const found = useCall(peopleApi.getDevProject, { query: { projectId } })
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: (String(raw['tab']) in tabs ? raw['tab'] : 'general') as TabId,
  }))
  const project = found.data?.list[0]
  usePageTitle(project && t('settings.titleOf', { name: project.name }))

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!project) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('settings.titleOf', { name: project.name })}
        description={t('settings.text')}
        actions={
          <>
            <Button href={hrefOf('/projects/$projectId', { projectId })}>{t('settings.toProject')}</Button>
            <Button href={hrefOf('/projects/$projectId/services', { projectId })}>{t('services.title')}</Button>
          </>
        }
      />
      <Tabs
        activeTabId={tab}
        ariaLabel={t('settings.title')}
        onChange={({ detail }) => change({ tab: detail.activeTabId as TabId }, { replace: true })}
        tabs={(Object.keys(tabs) as TabId[]).map(id => {
          const Tab = tabs[id]
          return { id, label: t(`settings.tabs.${id}`), content: id === tab ? <Tab project={project} /> : null }
        })}
      />
    </SpaceBetween>
  )
}
