import './storage.css'
import Button from '@cloudscape-design/components/button'
import Tabs from '@cloudscape-design/components/tabs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { BucketsTab } from './BucketsTab.tsx'
import { KeysTab } from './KeysTab.tsx'
import { api, projectsApi, useGeneration } from './storage-calls.ts'
import { UsageTab } from './UsageTab.tsx'

const tabs: Readonly<Record<string, { may: string; content: ComponentType<{ projectId: string }> }>> = {
  buckets: { may: 'storage.read', content: BucketsTab },
  usage: { may: 'storage.read', content: UsageTab },
  keys: { may: 'storage.keys', content: KeysTab },
}

/** Cloud storage of a project: its buckets, what is used, and keys for S3. */
export default function StoragePage() {
  const { t } = useTranslation('build/storage')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }))
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => <OfProject projectId={projectId} />}
    </ProjectPage>
  )
}

function OfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/storage')
  const calls = useGeneration()
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: Object.hasOwn(tabs, String(raw['tab'])) ? String(raw['tab']) : 'buckets',
  }))
  const found = useCall(calls.existService, { body: { projectId } })
  const open = useAction(calls.initData)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  if (!found.data.exist) {
    const start = (
      <Can call={api.initData}>
        <Button
          variant="primary"
          data-action="open"
          loading={open.isRunning}
          onClick={() => void open.run({ body: { projectId } })}
        >
          {t('closed.open')}
        </Button>
      </Can>
    )
    return <EmptyState title={t('closed.title')} text={t('closed.text')} action={start} />
  }
  const Content = tabs[tab]?.content ?? BucketsTab
  const rules = hrefOf('/projects/$projectId/rules/$service', { projectId, service: 'storage' })
  return (
    <Tabs
      activeTabId={tab}
      ariaLabel={t('title')}
      onChange={({ detail }) => change({ tab: detail.activeTabId })}
      tabs={[
        ...Object.keys(tabs)
          .filter(id => may(tabs[id]?.may ?? ''))
          .map(id => ({ id, label: t(`tabs.${id}`), content: id === tab ? <Content projectId={projectId} /> : null })),
        ...(may('rules.read') ? [{ id: 'rules', label: t('tabs.rules'), href: rules }] : []),
      ]}
    />
  )
}
