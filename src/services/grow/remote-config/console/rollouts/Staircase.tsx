import { useTranslation } from 'react-i18next'
import type { RolloutView } from '../../rollouts/contract.ts'
import { holdText, percentText } from './rollout-words.ts'

type Place = 'done' | 'now' | 'ahead'

/** Small shares would be lines only: stairs grow with the root of their share. */
const heightOf = (percent: number) => 8 + 72 * Math.sqrt(percent / 100)

function placeOf({ state, step }: RolloutView, at: number): Place {
  if (state === 'completed') return 'done'
  if (state !== 'running' && state !== 'paused') return 'ahead'
  return at < step ? 'done' : at === step ? 'now' : 'ahead'
}

/** The steps as stairs: those that were taken are full, that of now is marked, the others are outlines. */
export function Staircase({ of }: { of: RolloutView }) {
  const { t } = useTranslation('grow/remote-config')
  return (
    <ol className="rcs-stairs" aria-label={t('rollouts.picture', { name: of.name })}>
      {of.steps.map(({ percent, holdMs }, at) => {
        const place = placeOf(of, at)
        const shown = percentText(percent)
        return (
          <li key={percent} data-place={place} aria-current={place === 'now' ? 'step' : undefined}>
            <span className="rcs-stair" style={{ height: heightOf(percent) }} aria-hidden="true" />
            <b aria-hidden="true">{shown} %</b>
            <span className="lg-unseen">{t(`rollouts.places.${place}`, { percent: shown })}</span>
            <small className="lg-soft">{holdText(t, holdMs)}</small>
          </li>
        )
      })}
    </ol>
  )
}
