import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../../console/kit/When.tsx'
import type { SubmissionView } from '../review-calls.ts'
import { durationText } from '../review-words.ts'
import { SlaClock } from '../SlaClock.tsx'

/** Where the submission stands in time and in the queue. */
export function SubmissionFacts({ submission }: { submission: SubmissionView }) {
  const { t } = useTranslation('distribute/review')
  const { submittedAt, slaDueAt, pausedAt, queuePosition, medianWaitMs, urgeCount, waitingFor, state } = submission
  const isOver = state === 'COMPLETE' || state === 'CANCELED'
  const isYours = waitingFor !== null || state === 'UNRESOLVED'
  const nobody = isOver ? '–' : isYours ? t('facts.yours') : t('facts.taken')
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: t('facts.submitted'), value: <When at={submittedAt} /> },
          { label: t('facts.due'), value: <SlaClock slaDueAt={slaDueAt} pausedAt={pausedAt} /> },
          { label: t('facts.place'), value: queuePosition ?? nobody },
          {
            label: t('facts.median'),
            value: medianWaitMs === null ? t('facts.medianNone') : durationText(medianWaitMs),
          },
          { label: t('facts.urged'), value: urgeCount },
        ]}
      />
    </Container>
  )
}
