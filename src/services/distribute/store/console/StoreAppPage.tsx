import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { Film } from '../../../../console/kit/Film.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { AppFacts } from './AppFacts.tsx'
import { EditionList } from './EditionList.tsx'
import { Opinions } from './Opinions.tsx'
import { PermissionList } from './PermissionList.tsx'
import { StoreFrame } from './StoreFrame.tsx'
import { StoreNote } from './StoreNote.tsx'
import { api, type StoreApp, storeLanguage } from './store-calls.ts'
import { VersionList } from './VersionList.tsx'

/** One app as people find it. */
export default function StoreAppPage() {
  const packageName = usePageParam('packageName')
  const { t } = useTranslation('distribute/store')
  const found = useCall(api.getApp, { params: { packageName }, query: { lang: storeLanguage() } })
  const app = found.data
  const newest = app?.versions[0]
  usePageTitle(app?.name)
  return (
    <StoreFrame>
      <a href={hrefOf('/store')}>{t('app.back')}</a>
      {found.error &&
        (found.error.status === 404 ? (
          <StoreNote title={t('app.gone')} text={t('app.goneText', { packageName })} />
        ) : (
          <StoreNote title={t('state.failed')} error={found.error} onRetry={() => void found.refetch()} />
        ))}
      {found.isPending && <StoreNote title={t('state.loading')} />}
      {app && newest && (
        <>
          {app.hero && <Hero hero={app.hero} name={app.name} />}
          <div className="store-face">
            {app.iconUrl ? <img className="store-icon" src={app.iconUrl} alt="" /> : <span className="store-icon" />}
            <div>
              <h1 lang={app.lang}>{app.name}</h1>
              <p className="store-lead" lang={app.lang}>
                {app.brief}
              </p>
              {app.developerName && <span className="store-soft">{app.developerName}</span>}
            </div>
            <a className="store-get" href={app.downloadUrl} download>
              {t('app.download')}
            </a>
          </div>
          {app.film && (
            <div className="store-film">
              <Film
                src={app.film.url}
                cover={app.film.coverUrl ?? undefined}
                name={t('app.film', { name: app.name })}
              />
            </div>
          )}
          {app.screenshotUrls.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the row scrolls, so the keyboard must reach it
            <section className="store-shots" aria-label={t('app.screenshots')} tabIndex={0}>
              {app.screenshotUrls.map((url, index) => (
                <img key={url} src={url} alt={t('app.screenshot', { number: index + 1 })} />
              ))}
            </section>
          )}
          <div className="store-columns">
            <div className="store-column">
              <section lang={app.lang}>
                <h2>{t('app.about')}</h2>
                <p className="store-said">{app.description}</p>
              </section>
              {app.releaseNotes && (
                <section lang={app.lang}>
                  <h2>{t('app.news', { name: app.versionName })}</h2>
                  <p className="store-said">{app.releaseNotes}</p>
                </section>
              )}
              <Opinions packageName={app.packageName} />
              <VersionList versions={app.versions} />
            </div>
            <div className="store-column">
              <AppFacts app={app} newest={newest} />
              <EditionList series={app.series} packageName={app.packageName} />
              <PermissionList permissions={newest.permissions} />
            </div>
          </div>
        </>
      )}
    </StoreFrame>
  )
}

/** The large picture of the app, running out into its colour. */
function Hero({ hero, name }: { hero: NonNullable<StoreApp['hero']>; name: string }) {
  const { t } = useTranslation('distribute/store')
  const colours = { '--hero-colour': hero.dominantColor } as CSSProperties
  return (
    <div className="store-hero" style={colours}>
      <img src={hero.pictureUrl} alt={t('app.hero', { name })} />
    </div>
  )
}
