import { useTranslation } from 'react-i18next'
import type { DryRunView } from './process-calls.ts'

/** When each step began and how long it took, on one line of time. */
export function Waterfall({ trace }: { trace: DryRunView['trace'] }) {
  const { t } = useTranslation('ground/orchestration')
  const wholeMs = Math.max(1, ...trace.map(one => one.startMs + one.ms))
  const percent = (ms: number) => `${(100 * ms) / wholeMs}%`
  return (
    <table className="process-waterfall">
      <caption>{t('run.trace', { ms: Math.round(wholeMs) })}</caption>
      <thead className="lg-unseen">
        <tr>
          <th scope="col">{t('step.id')}</th>
          <th scope="col">{t('run.time')}</th>
          <th scope="col">{t('run.outcome')}</th>
        </tr>
      </thead>
      <tbody>
        {[...trace]
          .sort((one, other) => one.startMs - other.startMs)
          .map(one => (
            <tr key={one.step}>
              <th scope="row">
                <code>{one.step}</code>
              </th>
              <td>
                <span className="process-lane" aria-hidden="true">
                  <span
                    className={`process-bar process-${one.outcome}`}
                    style={{ insetInlineStart: percent(one.startMs), width: percent(one.ms) }}
                  />
                </span>
              </td>
              <td>
                {t(`run.outcomes.${one.outcome}`)} · {t('step.ms', { ms: one.ms.toFixed(1) })}
                {one.code !== undefined && <code> {one.code}</code>}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
