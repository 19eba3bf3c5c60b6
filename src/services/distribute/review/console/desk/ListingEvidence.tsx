import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { LanguageTabs } from '../../../../../console/kit/LanguageTabs.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { EvidenceView } from '../review-calls.ts'
import { languageName } from '../review-words.ts'
import { DeskFilm } from './DeskFilm.tsx'
import { DeskImage } from './DeskImage.tsx'
import { ScreenshotViewer } from './ScreenshotViewer.tsx'

const fields = ['appName', 'briefInfo', 'appDesc', 'newFeatures'] as const

/** The listing language by language; what is not as on the shelf says so. */
export function ListingEvidence({ taskId, evidence }: { taskId: string; evidence: EvidenceView }) {
  const { t } = useTranslation('distribute/review')
  const before = evidence.predecessor?.listings
  return (
    <LanguageTabs
      label={t('evidence.languages')}
      languages={evidence.listings.map(listing => ({
        key: listing.lang,
        name: languageName(listing.lang),
        isDefault: listing.lang === evidence.app.defaultLang,
        isFilled: listing.appDesc !== '',
      }))}
    >
      {lang => {
        const listing = evidence.listings.find(one => one.lang === lang)
        if (!listing) return null
        const old = before?.find(one => one.lang === lang)
        const isNew = (name: (typeof fields)[number]) => before !== undefined && old?.[name] !== listing[name]
        const mark = <StatusBadge tone="info" text={t('evidence.changed')} />
        const shots = listing.screenshots.flatMap(one =>
          one.images.map((image, index) => ({
            ...image,
            label: t('shots.named', { device: t(`devices.${one.deviceType}`), number: index + 1 }),
          })),
        )
        const hadShots = old?.screenshots.flatMap(one => one.images.map(image => image.objectId)).join()
        const { film, filmCover } = listing
        const isFilmNew =
          before !== undefined &&
          (old?.film?.objectId !== film?.objectId || old?.filmCover?.objectId !== filmCover?.objectId)
        const areShotsNew = before !== undefined && hadShots !== shots.map(shot => shot.objectId).join()
        return (
          <SpaceBetween size="l">
            <div className="review-face">
              {listing.icon ? (
                <DeskImage
                  className="review-icon"
                  taskId={taskId}
                  objectId={listing.icon.objectId}
                  alt={t('evidence.icon')}
                />
              ) : (
                <span className="review-icon" />
              )}
              <div>
                <strong>{listing.appName}</strong>
                <div className="lg-soft">{listing.briefInfo || '–'}</div>
                {before !== undefined && old?.icon?.objectId !== listing.icon?.objectId && (
                  <StatusBadge tone="info" text={t('evidence.newIcon')} />
                )}
              </div>
            </div>
            <div>
              {areShotsNew && mark}
              {shots.length > 0 ? (
                <ScreenshotViewer taskId={taskId} shots={shots} />
              ) : (
                <span className="lg-soft">{t('shots.none')}</span>
              )}
            </div>
            {(film || isFilmNew) && (
              <div>
                {isFilmNew && mark}
                {film ? (
                  <DeskFilm
                    taskId={taskId}
                    objectId={film.objectId}
                    coverId={filmCover?.objectId ?? null}
                    name={t('evidence.film')}
                  />
                ) : (
                  <span className="lg-soft">{t('evidence.filmGone')}</span>
                )}
              </div>
            )}
            <KeyValuePairs
              columns={1}
              items={fields.map(name => ({
                label: t(`listing.${name}`),
                value: (
                  <>
                    {isNew(name) && mark}
                    <p className="review-said">{listing[name] || '–'}</p>
                  </>
                ),
              }))}
            />
          </SpaceBetween>
        )
      }}
    </LanguageTabs>
  )
}
