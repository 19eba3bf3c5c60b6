import './listing.css'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Film } from '../../../../../console/kit/Film.tsx'
import { LanguageTabs } from '../../../../../console/kit/LanguageTabs.tsx'
import { useImageAddresses } from '../use-image-addresses.ts'
import type { ListingView } from '../version-calls.ts'
import { languageName } from '../version-words.ts'
import { FilmFacts } from './FilmFacts.tsx'
import { type FilmView, textFields } from './listing-form.ts'

interface ListingReaderProps {
  listings: readonly ListingView[]
  chosen: string
  onChoose: (lang: string) => void
}

/** The listing of a version that cannot be changed now. */
export function ListingReader({ listings, chosen, onChoose }: ListingReaderProps) {
  const { t } = useTranslation('distribute/versions')
  const addresses = useImageAddresses(
    listings.flatMap(one => [
      ...[one.icon, one.film, one.filmCover].flatMap(file => file?.objectId ?? []),
      ...one.screenshots.flatMap(shots => shots.images.map(image => image.objectId)),
    ]),
  )
  return (
    <LanguageTabs
      label={t('listing.languages')}
      chosen={listings.some(one => one.lang === chosen) ? chosen : (listings[0]?.lang ?? '')}
      onChoose={onChoose}
      languages={listings.map(one => ({
        key: one.lang,
        name: languageName(one.lang),
        isDefault: one.isDefault,
        isFilled: one.appDesc !== '',
      }))}
    >
      {lang => {
        const listing = listings.find(one => one.lang === lang)
        if (!listing) return null
        return (
          <SpaceBetween size="l">
            {listing.icon && (
              <img className="version-icon" src={addresses.get(listing.icon.objectId)} alt={t('listing.icon')} />
            )}
            <KeyValuePairs
              columns={1}
              items={textFields.map(name => ({
                label: t(`listing.${name}`),
                value: <p className="version-said">{listing[name] || '–'}</p>,
              }))}
            />
            {listing.screenshots.map(shots => (
              <div key={shots.deviceType}>
                <strong>{t('listing.screenshotsOf', { device: t(`devices.${shots.deviceType}`) })}</strong>
                <div className="version-strip">
                  {shots.images.map((image, index) => (
                    <img
                      key={image.objectId}
                      src={addresses.get(image.objectId)}
                      alt={t('image.numbered', { number: index + 1 })}
                    />
                  ))}
                </div>
              </div>
            ))}
            {listing.film && <ShownFilm listing={listing} film={listing.film} addresses={addresses} />}
          </SpaceBetween>
        )
      }}
    </LanguageTabs>
  )
}

interface ShownFilmProps {
  listing: ListingView
  film: FilmView
  addresses: ReadonlyMap<string, string>
}

function ShownFilm({ listing: { lang, filmCover }, film, addresses }: ShownFilmProps) {
  const { t } = useTranslation('distribute/versions')
  const src = addresses.get(film.objectId)
  return (
    <div>
      <strong>{t('listing.film')}</strong>
      {src && (
        <Film src={src} cover={filmCover ? addresses.get(filmCover.objectId) : undefined} name={t('listing.film')} />
      )}
      <FilmFacts film={film} lang={lang} />
    </div>
  )
}
