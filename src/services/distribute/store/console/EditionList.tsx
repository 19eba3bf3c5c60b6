import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { type StoreApp, storeLanguage } from './store-calls.ts'

/** The editions of one product for other devices, each with its page. */
export function EditionList({ series, packageName }: { series: StoreApp['series']; packageName: string }) {
  const { t } = useTranslation('distribute/store')
  if (!series) return null
  const devicesOf = (types: readonly number[]) =>
    new Intl.ListFormat(storeLanguage()).format(
      types.map(type => t(`editions.types.${type}`, { defaultValue: String(type) })),
    )
  return (
    <section className="store-panel store-editions">
      <h2>{t('editions.title', { name: series.name })}</h2>
      {series.replacedBy && <p className="store-soft">{t('editions.replaced')}</p>}
      {series.editions.map(one => (
        <a
          key={one.packageName}
          className="store-edition"
          aria-current={one.packageName === packageName ? 'page' : undefined}
          href={hrefOf('/store/$packageName', { packageName: one.packageName })}
        >
          {one.iconUrl ? <img className="store-icon" src={one.iconUrl} alt="" /> : <span className="store-icon" />}
          <span>
            <strong>{one.name}</strong>
            <small className="store-soft">
              {[
                one.packageName === packageName && t('editions.here'),
                one.isMain && t('editions.main'),
                devicesOf(one.deviceTypes),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
        </a>
      ))}
    </section>
  )
}
