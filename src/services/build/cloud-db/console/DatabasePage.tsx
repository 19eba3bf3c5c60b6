import './database.css'
import Box from '@cloudscape-design/components/box'
import Spinner from '@cloudscape-design/components/spinner'
import Tabs from '@cloudscape-design/components/tabs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { databaseApi, projectsApi } from './database-calls.ts'
import { LiveTab } from './LiveTab.tsx'
import { DataTab } from './rows/DataTab.tsx'
import { SwitchPanel } from './SwitchPanel.tsx'
import { TransfersTab } from './TransfersTab.tsx'
import { TypesTab } from './types/TypesTab.tsx'
import { UsageTab } from './UsageTab.tsx'
import { ZonesTab } from './ZonesTab.tsx'

const tabs: Readonly<Record<string, { may: string; content: ComponentType<{ projectId: string }> }>> = {
  types: { may: 'cloudDb.read', content: TypesTab },
  data: { may: 'cloudDb.data', content: DataTab },
  zones: { may: 'cloudDb.read', content: ZonesTab },
  transfers: { may: 'cloudDb.read', content: TransfersTab },
  live: { may: 'cloudDb.read', content: LiveTab },
  usage: { may: 'cloudDb.read', content: UsageTab },
}

/** The cloud database of a project. */
export default function DatabasePage() {
  const { t } = useTranslation('build/cloud-db')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['dataZone', 'type'])
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => <OfProject projectId={projectId} />}
    </ProjectPage>
  )
}

function OfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.getProductInfo, { query: { projectId } })
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: Object.hasOwn(tabs, String(raw['tab'])) ? String(raw['tab']) : 'types',
  }))
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) {
    return (
      <Box textAlign="center">
        <Spinner />
      </Box>
    )
  }
  if (!found.data.enabled) return <SwitchPanel info={found.data} />
  const Content = tabs[tab]?.content ?? TypesTab
  return (
    <Tabs
      activeTabId={tab}
      ariaLabel={t('title')}
      onChange={({ detail }) => change({ tab: detail.activeTabId })}
      actions={<SwitchPanel info={found.data} />}
      tabs={Object.keys(tabs)
        .filter(id => may(tabs[id]?.may ?? ''))
        .map(id => ({
          id,
          label: t(`tabs.${id}`),
          content: id === tab ? <Content projectId={projectId} /> : null,
        }))}
    />
  )
}
