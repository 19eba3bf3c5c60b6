import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { type DetectionView, toneOfVerdict } from '../lifecycle-calls.ts'

/** How a detection ended, or that it is under way. */
export function VerdictBadge({
  detection: { state, verdict },
}: {
  detection: Pick<DetectionView, 'state' | 'verdict'>
}) {
  const { t } = useTranslation('distribute/lifecycle')
  if (verdict) return <StatusBadge tone={toneOfVerdict[verdict]} text={t(`verdicts.${verdict}`)} />
  const isRunning = state === 'RUNNING'
  return (
    <StatusBadge tone={isRunning ? 'running' : 'stopped'} text={t(isRunning ? 'detect.running' : 'detect.failed')} />
  )
}
