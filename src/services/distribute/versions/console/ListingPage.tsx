import './version.css'
import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { ListingEditor } from './listing/ListingEditor.tsx'
import { ListingReader } from './listing/ListingReader.tsx'
import { api, appsApi, listingApi } from './version-calls.ts'
import { nameOf, toneOf } from './version-words.ts'

/** How often a film that is being looked at is asked after. */
const filmCheckMs = 2_000

const readSearch = (raw: Record<string, unknown>) => ({
  lang: raw['lang'] as string | undefined,
  versionId: raw['versionId'] as string | undefined,
})

export default function ListingPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/versions')
  const [{ lang, versionId: wanted }, change] = usePageSearch(readSearch)
  const [generation, setGeneration] = useState(0)
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const found = useCall(api.getVersion, { query: { appId, ...(wanted && { versionId: wanted }) } })
  const version = found.data?.version
  const versionId = version?.versionId ?? ''
  const [isChecking, setChecking] = useState(false)
  const listings = useCall(
    listingApi.listListings,
    { query: { versionId } },
    { enabled: versionId !== '', refetchInterval: isChecking ? filmCheckMs : false },
  )
  const isFilmChecked = listings.data?.list.every(one => one.film?.state !== 'CHECKING') ?? true
  useEffect(() => setChecking(!isFilmChecked), [isFilmChecked])
  const failed = [app, found, listings].find(one => one.error)
  const refetch = async () => {
    await Promise.all([app.refetch(), found.refetch(), listings.refetch()])
    setGeneration(generation + 1)
  }
  if (failed) return <ErrorState error={failed.error} onRetry={() => void refetch()} />
  if (found.data && !version) return <EmptyState level="h1" title={t('version.none')} text={t('version.noneText')} />
  if (!app.data || !version || !listings.data) return <PendingPage />

  const canEdit = version.allowedActions.includes('edit')
  const chosen = lang ?? listings.data.defaultLang
  const choose = (next: string) => change({ lang: next }, { replace: true })
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('listing.title', { name: app.data.name })}
        description={t('listing.text')}
        status={
          <StatusBadge tone={toneOf[version.state]} text={`${nameOf(version)} · ${t(`state.${version.state}`)}`} />
        }
        actions={
          <Link variant="primary" href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId })}>
            {t('listing.toVersion')}
          </Link>
        }
      />
      {!canEdit && <Alert type="info">{t('listing.locked', { state: t(`state.${version.state}`) })}</Alert>}
      <Container>
        {canEdit ? (
          <ListingEditor
            key={`${versionId} ${generation}`}
            app={app.data}
            version={version}
            listings={listings.data.list}
            chosen={chosen}
            onChoose={choose}
            onReload={() => void refetch()}
          />
        ) : (
          <ListingReader listings={listings.data.list} chosen={chosen} onChoose={choose} />
        )}
      </Container>
    </SpaceBetween>
  )
}
