import './functions.css'
import { useTranslation } from 'react-i18next'

type Phases = { queueMs: number; bootMs: number; initMs: number; runMs: number }
const parts = ['queueMs', 'initMs', 'runMs'] as const

/** Where the time of a call went, as one bar with its words. */
export function PhaseBar({ phases }: { phases: Phases }) {
  const { t } = useTranslation('build/functions')
  const initMs = Math.min(phases.initMs, phases.queueMs)
  const shown = { queueMs: phases.queueMs - initMs, initMs, runMs: phases.runMs }
  const total = Math.max(1, shown.queueMs + shown.initMs + shown.runMs)
  return (
    <div className="fn-phases">
      <div className="fn-bar" aria-hidden="true">
        {parts.map(part => (
          <i key={part} data-part={part} style={{ inlineSize: `${(100 * shown[part]) / total}%` }} />
        ))}
      </div>
      <dl>
        {parts.map(part => (
          <div key={part}>
            <dt data-part={part}>{t(`phases.${part}`)}</dt>
            <dd>{t('ms', { value: shown[part] })}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
