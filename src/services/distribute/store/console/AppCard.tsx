import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import type { StoreFace } from './store-calls.ts'

/** One app in the list. */
export function AppCard({ app }: { app: StoreFace }) {
  const { t } = useTranslation('distribute/store')
  return (
    <a className="store-card" href={hrefOf('/store/$packageName', { packageName: app.packageName })}>
      {app.iconUrl ? <img className="store-icon" src={app.iconUrl} alt="" /> : <span className="store-icon" />}
      <span>
        <strong lang={app.lang}>{app.name}</strong>
        <span lang={app.lang}>{app.brief}</span>
        <br />
        <small className="store-soft">
          {app.developerName && `${app.developerName} · `}
          {t('app.version', { name: app.versionName })} · <ByteSize value={app.sizeBytes} />
        </small>
      </span>
    </a>
  )
}
