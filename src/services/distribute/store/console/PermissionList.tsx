import { useTranslation } from 'react-i18next'
import type { StoreVersion } from './store-calls.ts'

/** What the app may ask for on a device. */
export function PermissionList({ permissions }: Pick<StoreVersion, 'permissions'>) {
  const { t } = useTranslation('distribute/store')
  return (
    <section className="store-panel">
      <h2>{t('permissions.title', { count: permissions.length })}</h2>
      {permissions.length === 0 ? (
        <p className="store-soft">{t('permissions.none')}</p>
      ) : (
        <ul className="store-list">
          {permissions.map(one => (
            <li key={one.name}>
              {one.name}
              {one.maxSdk !== null && (
                <small className="store-soft"> {t('permissions.until', { max: one.maxSdk })}</small>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
