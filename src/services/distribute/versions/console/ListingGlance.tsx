import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { useImageAddresses } from './use-image-addresses.ts'
import { listingApi, type VersionView } from './version-calls.ts'
import { languageName } from './version-words.ts'

/** How the version will look in the store, in its default language. */
export function ListingGlance({ version, languages }: { version: VersionView; languages: readonly string[] }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, versionId } = version
  const found = useCall(listingApi.listListings, { query: { versionId } })
  const listing = found.data?.list.find(one => one.isDefault)
  const shots = listing?.screenshots.flatMap(one => one.images.map(image => image.objectId)) ?? []
  const addresses = useImageAddresses([...(listing?.icon ? [listing.icon.objectId] : []), ...shots])
  const icon = listing?.icon && addresses.get(listing.icon.objectId)
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Link href={hrefOf('/apps/$appId/listing', { appId }, { versionId })}>
              {version.allowedActions.includes('edit') ? t('glance.edit') : t('glance.see')}
            </Link>
          }
        >
          {t('glance.title')}
        </Header>
      }
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {listing ? (
        <>
          <div className="version-glance">
            {icon ? <img className="version-icon" src={icon} alt="" /> : <span className="version-icon" />}
            <div>
              <strong>{listing.appName || t('glance.noName')}</strong>
              <div className="lg-soft">{listing.briefInfo || t('glance.noBrief')}</div>
            </div>
          </div>
          {shots.length > 0 && (
            <div className="version-strip">
              {shots.map((id, index) =>
                addresses.has(id) ? (
                  <img key={id} src={addresses.get(id)} alt={t('glance.shot', { number: index + 1 })} />
                ) : (
                  <span key={id} />
                ),
              )}
            </div>
          )}
          <p className="lg-soft">
            {t('glance.languages', { count: languages.length, names: languages.map(languageName).join(', ') })}
          </p>
        </>
      ) : (
        found.data && <EmptyState title={t('glance.none')} text={t('glance.noneText')} />
      )}
    </Container>
  )
}
