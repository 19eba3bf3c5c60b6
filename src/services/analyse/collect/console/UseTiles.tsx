import { useTranslation } from 'react-i18next'
import { numberText, type UseDays } from './use-calls.ts'

/** The numbers of the period. Who is known for a day only counts anew each day, and the label says so. */
export function UseTiles({ use, isOneDay }: { use: UseDays; isOneDay: boolean }) {
  const { t } = useTranslation('analyse/collect')
  const isDaily = use.hasDailyPeople && !isOneDay
  const tiles = [
    [isDaily ? t('dailyVisitors') : t('visitors'), numberText(use.visitors), isDaily ? t('dailyText') : undefined],
    [t('views'), numberText(use.views), undefined],
    [t('clicks'), numberText(use.clicks), undefined],
  ] as const
  return (
    <dl className="use-tiles">
      {tiles.map(([label, value, text]) => (
        <div key={label}>
          <dt>
            {label}
            {text && <small>{text}</small>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
