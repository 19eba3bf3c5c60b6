import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import type { TaskView } from '../review-calls.ts'

/** Why a task is where it is: with a senior reviewer, a sample of what would have passed, or passed by itself. */
export function DeskReasons({ task }: { task: TaskView }) {
  const { t } = useTranslation('distribute/review')
  const { seniorBecause, seniorNote, autoReasons, isSampled, queue } = task
  const reasons = autoReasons.map(reason => t(`auto.reasons.${reason}`)).join(' · ')
  return (
    <>
      {seniorBecause && (
        <Alert type="warning" header={t('senior.title')}>
          <p className="review-said">{seniorNote ?? t(`senior.${seniorBecause}`)}</p>
        </Alert>
      )}
      {isSampled && (
        <Alert type="info" header={t('auto.sampled')}>
          {reasons}
        </Alert>
      )}
      {queue === 'AUTO' && (
        <Alert type="success" header={t('auto.passed')}>
          {reasons}
        </Alert>
      )}
    </>
  )
}
