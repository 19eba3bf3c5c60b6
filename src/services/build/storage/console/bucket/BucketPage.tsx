import '../storage.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useProject } from '../../../../../console/kit/ProjectChoice.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { FilesTab } from '../files/FilesTab.tsx'
import { type BucketView, projectsApi, useGeneration } from '../storage-calls.ts'
import { CorsTab } from './CorsTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { SiteTab } from './SiteTab.tsx'

const tabs = ['files', 'settings', 'cors', 'site'] as const
type Tab = (typeof tabs)[number]

/** One bucket: its files, how it keeps them, who may read it from other pages, and its site. */
export default function BucketPage() {
  const { t } = useTranslation('build/storage')
  const bucketId = usePageParam('bucketId')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }))
  usePageTitle(bucketId)
  if (of.found.error) return <ErrorState error={of.found.error} onRetry={() => void of.found.refetch()} />
  return (
    <SpaceBetween size="l">
      <div translate="no">
        <PageHeader title={bucketId} />
      </div>
      {of.project ? (
        <OfBucket projectId={of.project.projectId} bucketId={bucketId} />
      ) : of.found.isPending ? (
        <PendingPage />
      ) : (
        <EmptyState title={t('noBucket')} />
      )}
    </SpaceBetween>
  )
}

function OfBucket({ projectId, bucketId }: { projectId: string; bucketId: string }) {
  const { t } = useTranslation('build/storage')
  const calls = useGeneration()
  const found = useCall(calls.queryBucketIds, { body: { projectId } })
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: tabs.find(one => one === raw['tab']) ?? 'files',
  }))
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const bucket = found.data.list.find(one => one.bucketId === bucketId)
  if (!bucket) return <EmptyState title={t('noBucket')} />
  return (
    <Tabs
      activeTabId={tab}
      ariaLabel={bucketId}
      onChange={({ detail }) => change({ tab: detail.activeTabId as Tab })}
      tabs={tabs.map(id => ({
        id,
        label: t(`bucketTabs.${id}`),
        content: id === tab ? <Content tab={id} bucket={bucket} /> : null,
      }))}
    />
  )
}

function Content({ tab, bucket }: { tab: Tab; bucket: BucketView }) {
  if (tab === 'settings') return <SettingsTab key={bucket.revision} bucket={bucket} />
  if (tab === 'cors') return <CorsTab bucketId={bucket.bucketId} />
  if (tab === 'site') return <SiteTab bucketId={bucket.bucketId} />
  return <FilesTab bucket={bucket} />
}
