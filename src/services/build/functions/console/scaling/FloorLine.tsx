import '../functions.css'
import { useTranslation } from 'react-i18next'
import type { ScalingRules } from '../function-calls.ts'

/** The floors of the next 24 hours: when, how long, how many. */
export function FloorLine({ of }: { of: ScalingRules }) {
  const { t, i18n } = useTranslation('build/functions')
  const { from, until, floors } = of
  const most = Math.max(...floors.map(one => one.count))
  const percent = (at: number) => ((at - from) * 100) / (until - from)
  const hourOf = (at: number) =>
    new Intl.DateTimeFormat(i18n.resolvedLanguage, { hour: '2-digit', minute: '2-digit' }).format(at)
  const words = floors.slice(0, 20).map(one => `${hourOf(one.from)}–${hourOf(one.until)}: ${one.count}`)
  return (
    <figure style={{ margin: 0 }}>
      <figcaption className="lg-quiet">{t('scaling.floors')}</figcaption>
      <div className="fn-floors" role="img" aria-label={`${t('scaling.floors')} ${words.join(', ')}`}>
        {floors.map(one => (
          <i
            key={`${one.ruleId} ${one.from}`}
            title={`${hourOf(one.from)}–${hourOf(one.until)}: ${one.count}`}
            style={{
              insetInlineStart: `${percent(one.from)}%`,
              inlineSize: `${percent(one.until) - percent(one.from)}%`,
              blockSize: `${(one.count * 90) / most}%`,
            }}
          />
        ))}
      </div>
      <div className="fn-hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map(hours => (
          <span key={hours}>{hourOf(from + hours * 3_600_000)}</span>
        ))}
      </div>
    </figure>
  )
}
