import { useTranslation } from 'react-i18next'
import { Film } from '../../../../console/kit/Film.tsx'
import { ownAddress } from '../../../../console/own-address.ts'
import type { Element } from '../tests/rules.ts'
import { languageText, type MaterialView } from './material-calls.ts'

interface MaterialCardProps {
  title: string
  elements: readonly Element[]
  materials: readonly MaterialView[]
}

/** What an arm shows, language by language. */
export function MaterialCard({ title, elements, materials }: MaterialCardProps) {
  const { t } = useTranslation('distribute/material')
  return (
    <section className="material-card" aria-label={title}>
      <h3 translate="no">{title}</h3>
      {materials.length === 0 && <p className="lg-soft">{t('variant.nothing')}</p>}
      {materials.map(one => (
        <div key={one.lang} className="material-parts">
          <span className="lg-soft">{languageText(one.lang)}</span>
          {elements.includes('icon') &&
            (one.icon ? (
              <img className="material-icon" src={ownAddress(one.icon.url)} alt={t('elements.icon')} />
            ) : (
              <Missing element="icon" />
            ))}
          {elements.includes('name') &&
            (one.name ? <strong translate="no">{one.name}</strong> : <Missing element="name" />)}
          {elements.includes('brief') && (one.brief ? <p translate="no">{one.brief}</p> : <Missing element="brief" />)}
          {elements.includes('screenshots') &&
            (one.screenshots?.length ? (
              <div className="material-shots">
                {one.screenshots.flatMap(device =>
                  device.images.map(image => (
                    <img key={image.objectId} src={ownAddress(image.url)} alt={t('elements.screenshots')} />
                  )),
                )}
              </div>
            ) : (
              <Missing element="screenshots" />
            ))}
          {elements.includes('video') &&
            (one.film ? (
              <>
                <Film src={ownAddress(one.film.url)} cover={undefined} name={title} />
                {one.film.state !== 'PASSED' && <span className="lg-soft">{t(`films.${one.film.state}`)}</span>}
              </>
            ) : (
              <Missing element="video" />
            ))}
        </div>
      ))}
    </section>
  )
}

function Missing({ element }: { element: Element }) {
  const { t } = useTranslation('distribute/material')
  return <span className="lg-soft">{t('variant.missing', { element: t(`elements.${element}`) })}</span>
}
