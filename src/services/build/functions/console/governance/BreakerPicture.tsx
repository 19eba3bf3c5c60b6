import '../functions.css'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { BreakerSpec } from '../../governance/rules.ts'
import type { BreakerView } from '../function-calls.ts'

type Live = BreakerView['status'][number]
const places = ['CLOSED', 'OPEN', 'HALF_OPEN'] as const
const tones: Record<Live['state'], Tone> = {
  CLOSED: 'good',
  OPEN: 'bad',
  HALF_OPEN: 'caution',
  FORCED_OPEN: 'bad',
  DISABLED: 'off',
}

/** The three states of a breaker with the one it is in, and its rates beside their limits. */
export function BreakerPicture({ live, spec, isOn }: { live: Live; spec: BreakerSpec; isOn: boolean }) {
  const { t } = useTranslation('build/functions')
  const at = live.state === 'FORCED_OPEN' ? 'OPEN' : live.state
  const rates = [
    ['failureRate', live.failureRate, spec.failureRateThreshold],
    ['slowRate', live.slowRate, spec.slowCallRateThreshold],
  ] as const
  return (
    <div className="fn-breaker">
      <ol className="fn-states" aria-label={t('breaker.states')}>
        {places.map(place => (
          <li key={place} data-state={place} aria-current={isOn && place === at ? 'step' : undefined}>
            <strong>{t(`breaker.stateNames.${place}`)}</strong>
            <span>{t(`breaker.stateTexts.${place}`)}</span>
          </li>
        ))}
      </ol>
      <div className="fn-figures">
        <StatusBadge
          tone={isOn ? tones[live.state] : 'off'}
          text={isOn ? t(`breaker.stateNames.${live.state}`) : t('breaker.notSet')}
        />
        <span>{t('breaker.windowCalls', { count: live.windowCalls })}</span>
        {live.notPermitted > 0 && <span>{t('breaker.heldBack', { count: live.notPermitted })}</span>}
        {live.trialsAt !== null && (
          <span>
            {t('breaker.trialsAt')} <When at={live.trialsAt} />
          </span>
        )}
      </div>
      <dl className="fn-rates">
        {rates.map(([name, rate, limit]) => (
          <div key={name} className="fn-rate-row">
            <dt>{t(`breaker.${name}`)}</dt>
            <dd className="fn-rate" aria-hidden="true">
              <i data-over={rate !== null && rate >= limit} style={{ inlineSize: `${rate ?? 0}%` }} />
              <b style={{ insetInlineStart: `${limit}%` }} />
            </dd>
            <dd>{rate === null ? t('breaker.tooFew') : t('breaker.rateOf', { rate: Math.round(rate), limit })}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
