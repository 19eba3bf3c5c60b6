import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { api } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

/** The newest versions and how they ended. */
export function RecentVersions({ appId }: { appId: string }) {
  const { t, i18n } = useTranslation('distribute/versions')
  const found = useCall(api.listVersions, { query: { appId, pageSize: 5 } })
  const date = new Intl.DateTimeFormat(i18n.resolvedLanguage, { dateStyle: 'medium' })
  const list = found.data?.list ?? []
  if (list.length === 0) return null
  return (
    <section className="embedded-card">
      <h2>{t('history.title')}</h2>
      <ol className="embedded-versions">
        {list.map(({ version }) => (
          <li key={version.versionId}>
            <strong>{nameOf(version)}</strong>
            <span className="embedded-soft">{date.format(version.updatedAt)}</span>
            <span className="embedded-state" data-state={version.state}>
              {t(`state.${version.state}`)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
