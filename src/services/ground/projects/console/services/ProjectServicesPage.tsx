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
import { api } from '../project-calls.ts'
import { Agreements } from './Agreements.tsx'
import { ApplicationsTab } from './ApplicationsTab.tsx'
import { ServicesTab } from './ServicesTab.tsx'
import { ZonesTab } from './ZonesTab.tsx'

const tabs = { services: ServicesTab, applications: ApplicationsTab, zones: ZonesTab } as const
type TabId = keyof typeof tabs

/** The services of a project: turned on and set, applied for, and where they are offered. */
export default function ProjectServicesPage() {
  const { t } = useTranslation('ground/projects')
  const projectId = usePageParam('projectId')
  const found = useCall(api.getProject, { query: { projectId } })
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: (String(raw['tab']) in tabs ? raw['tab'] : 'services') as TabId,
  }))
  const project = found.data
  usePageTitle(project && t('services.titleOf', { name: project.name }))

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!project) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('services.titleOf', { name: project.name })}
        description={t('services.text')}
        actions={<Button href={hrefOf('/projects/$projectId/settings', { projectId })}>{t('settings.title')}</Button>}
      />
      <Agreements projectId={projectId} />
      <Tabs
        activeTabId={tab}
        ariaLabel={t('services.title')}
        onChange={({ detail }) => change({ tab: detail.activeTabId as TabId }, { replace: true })}
        tabs={(Object.keys(tabs) as TabId[]).map(id => {
          const Tab = tabs[id]
          return { id, label: t(`services.tabs.${id}`), content: id === tab ? <Tab projectId={projectId} /> : null }
        })}
      />
    </SpaceBetween>
  )
}
