import './embedded.css'
import { useTranslation } from 'react-i18next'
import { useAppOnScreen } from '../../../../../console/app-on-screen.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { mode } from '../../../../../console/mode.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, appsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { AppFace } from './AppFace.tsx'
import { InstallBars } from './InstallBars.tsx'
import { OpenVersion } from './OpenVersion.tsx'
import { RecentVersions } from './RecentVersions.tsx'

/** One app on a small screen, inside somebody's page: the app is named by the query of that page's address. */
export default function EmbeddedAppPage() {
  const { t } = useTranslation('distribute/versions')
  const appId = mode.appId() ?? ''
  const isNamed = /^[1-9]\d{0,18}$/.test(appId)
  const app = useCall(appsApi.getApp, { query: { appId } }, { enabled: isNamed })
  const versions = useCall(api.getVersion, { query: { appId, include: 'readiness' } }, { enabled: isNamed })
  usePageTitle(app.data?.name)
  useAppOnScreen(app.data)
  const error = app.error ?? versions.error
  if (!isNamed) return <p role="alert">{t('embedded.noApp')}</p>
  if (error) {
    return (
      <div role="alert" className="embedded-card">
        <h1>{error.status === 404 ? t('embedded.gone') : t('state.failed')}</h1>
        <p>{errorText(error)}</p>
        <button
          type="button"
          className="embedded-button"
          onClick={() => void Promise.all([app.refetch(), versions.refetch()])}
        >
          {t('state.retry')}
        </button>
      </div>
    )
  }
  if (!app.data || !versions.data) return <p role="status">{t('state.loading')}</p>
  const { onShelf, phased, version, readiness = [] } = versions.data
  return (
    <>
      <AppFace app={app.data} />
      <section className="embedded-card">
        <h2>{t('state.ON_SHELF')}</h2>
        <p className="embedded-big">{onShelf ? nameOf(onShelf) : t('embedded.notOnShelf')}</p>
        {phased && <p className="embedded-soft">{t('embedded.phased', { name: nameOf(phased) })}</p>}
      </section>
      {version && <OpenVersion version={version} readiness={readiness} />}
      <InstallBars appId={appId} />
      <RecentVersions appId={appId} />
    </>
  )
}
