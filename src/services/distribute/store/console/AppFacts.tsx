import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { CopyField } from './CopyField.tsx'
import { type StoreApp, type StoreVersion, storeLanguage } from './store-calls.ts'

/** What careful people check before they install: version, size, signer, digest. */
export function AppFacts({ app, newest }: { app: StoreApp; newest: StoreVersion }) {
  const { t } = useTranslation('distribute/store')
  const names = new Intl.DisplayNames([storeLanguage()], { type: 'language' })
  const rows = [
    [t('facts.version'), `${newest.versionName} (${newest.versionCode})`],
    [t('facts.size'), <ByteSize key="size" value={newest.sizeBytes} />],
    [t('facts.updated'), <When key="at" at={app.updatedAt} />],
    [t('facts.needs'), newest.minSdk === null ? t('facts.any') : t('facts.android', { min: newest.minSdk })],
    [t('facts.processors'), newest.abis.join(', ') || t('facts.any')],
    [
      t('facts.languages'),
      app.languages.map(tag => names.of(new Intl.Locale(tag).minimize().toString()) ?? tag).join(', '),
    ],
    [t('facts.package'), app.packageName],
  ] as const
  return (
    <section className="store-panel">
      <h2>{t('facts.title')}</h2>
      <dl className="store-facts">
        {rows.map(([label, value]) => (
          <div key={label} className="lg-card-pair">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="store-copies store-digests">
        {newest.signers.map(signer => (
          <CopyField key={signer} label={t('facts.signer')} value={signer} />
        ))}
        <CopyField label={t('facts.digest')} value={newest.sha256} />
      </div>
    </section>
  )
}
