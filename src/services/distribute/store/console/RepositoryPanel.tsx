import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { CopyField } from './CopyField.tsx'
import { api } from './store-calls.ts'

/** The F-Droid repository of this store: what a client needs to follow it. */
export function RepositoryPanel() {
  const { t } = useTranslation('distribute/store')
  const { data } = useCall(api.getRepository, { query: {} })
  if (!data) return null
  return (
    <section className="store-panel store-repository" aria-labelledby="repository">
      <div>
        <h2 id="repository">{t('repository.title')}</h2>
        <p className="store-soft">{t('repository.text')}</p>
        <p className="store-soft">
          {t('repository.holds', { apps: data.apps, versions: data.versions })} <When at={data.timestamp} />
        </p>
      </div>
      <div className="store-copies">
        <CopyField label={t('repository.address')} value={data.address} />
        <CopyField label={t('repository.fingerprint')} value={data.fingerprint} />
      </div>
    </section>
  )
}
