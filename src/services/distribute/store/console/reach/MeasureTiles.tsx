import { useTranslation } from 'react-i18next'
import { type ReachRow, storeLanguage } from '../store-calls.ts'
import { type Measure, measures, totalOf } from './reach-series.ts'

interface MeasureTilesProps {
  rows: readonly ReachRow[]
  chosen: Measure
  onChoose: (measure: Measure) => void
}

/** The sums of the period; each is also the switch of the chart. */
export function MeasureTiles({ rows, chosen, onChoose }: MeasureTilesProps) {
  const { t } = useTranslation('distribute/store')
  return (
    <fieldset className="reach-tiles" aria-label={t('reach.measures')}>
      {measures.map(measure => (
        <button key={measure} type="button" aria-pressed={measure === chosen} onClick={() => onChoose(measure)}>
          <strong>{totalOf(rows, measure).toLocaleString(storeLanguage())}</strong>
          <span>{t(`measures.${measure}`)}</span>
        </button>
      ))}
    </fieldset>
  )
}
