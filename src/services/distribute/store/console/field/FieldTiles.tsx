import { useTranslation } from 'react-i18next'
import { type InstallDay, storeLanguage } from '../store-calls.ts'

/** The numbers of the period: what there is now, what came, what failed and left. */
export function FieldTiles({ days, active }: { days: readonly InstallDay[]; active: number }) {
  const { t } = useTranslation('distribute/store')
  const sum = (outcome: 'installed' | 'updated' | 'failed' | 'uninstalled') =>
    days.reduce((total, day) => total + day[outcome], 0)
  const tried = sum('installed') + sum('updated') + sum('failed')
  const share = new Intl.NumberFormat(storeLanguage(), { style: 'percent', maximumFractionDigits: 1 })
  const tiles = [
    [t('field.active'), active.toLocaleString(storeLanguage())],
    [t('outcomes.installed'), sum('installed').toLocaleString(storeLanguage())],
    [t('outcomes.updated'), sum('updated').toLocaleString(storeLanguage())],
    [t('field.failureRate'), tried === 0 ? '–' : share.format(sum('failed') / tried)],
    [t('outcomes.uninstalled'), sum('uninstalled').toLocaleString(storeLanguage())],
  ] as const
  return (
    <dl className="field-tiles">
      {tiles.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
