import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { When } from '../../../../console/kit/When.tsx'
import type { StoreVersion } from './store-calls.ts'

/** Every version that can be had, each with its own link. */
export function VersionList({ versions }: { versions: readonly StoreVersion[] }) {
  const { t } = useTranslation('distribute/store')
  return (
    <section>
      <h2>{t('versions.title')}</h2>
      <ul className="store-list">
        {versions.map(version => (
          <li key={version.versionId}>
            <a href={version.downloadUrl} download>
              {version.versionName} ({version.versionCode})
            </a>{' '}
            <span className="store-soft">
              <When at={version.onShelfAt} /> · <ByteSize value={version.sizeBytes} /> ·{' '}
              {t('versions.countries', { count: version.countries.length })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
