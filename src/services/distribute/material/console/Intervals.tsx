import { useTranslation } from 'react-i18next'
import { type ArmView, percentText } from './material-calls.ts'

interface IntervalsProps {
  arms: readonly ArmView[]
  nameOf: (name: string | null) => string
}

/** Where the rate of each arm may be: a bar from one end of its interval to the other, with a mark where it is. */
export function Intervals({ arms, nameOf }: IntervalsProps) {
  const { t } = useTranslation('distribute/material')
  const seen = arms.filter(arm => arm.impressions > 0)
  if (seen.length === 0) return null
  const low = Math.min(...seen.map(arm => arm.rateLow))
  const high = Math.max(...seen.map(arm => arm.rateHigh))
  const width = Math.max(high - low, 0.000_1)
  const at = (rate: number) => `${((rate - low) / width) * 100}%`
  return (
    <ul className="material-intervals" aria-label={t('result.intervals')}>
      {seen.map(arm => (
        <li key={arm.variantId ?? 'control'} className="material-interval">
          <span translate="no">{nameOf(arm.name)}</span>
          <span className="material-track" aria-hidden="true">
            <span
              className="material-bar"
              style={{
                insetInlineStart: at(arm.rateLow),
                inlineSize: `${((arm.rateHigh - arm.rateLow) / width) * 100}%`,
              }}
            />
            <span className="material-mark" style={{ insetInlineStart: at(arm.rate ?? 0) }} />
          </span>
          <span className="lg-soft">
            {percentText(arm.rateLow, 2)} … {percentText(arm.rateHigh, 2)}
          </span>
        </li>
      ))}
    </ul>
  )
}
