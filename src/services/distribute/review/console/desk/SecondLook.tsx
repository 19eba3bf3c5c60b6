import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import type { PolicyView, TaskView } from '../review-calls.ts'
import { VerdictView } from './VerdictView.tsx'

/** Where two must agree: what the caller's verdict will lead to, and the opinions he may see. */
export function SecondLook({ task, policies }: { task: TaskView; policies: readonly PolicyView[] | undefined }) {
  const { t } = useTranslation('distribute/review')
  if (!task.needsSecond) return null
  const says = task.needsSenior ? 'senior' : task.opinionCount > 0 ? 'second' : 'first'
  return (
    <>
      {task.verdict === null && (
        <Alert type={task.needsSenior ? 'warning' : 'info'} header={t('second.title')}>
          {t(`second.${says}`)}
        </Alert>
      )}
      {task.opinions.map((opinion, index) => (
        <VerdictView
          key={opinion.reviewerId}
          title={t('second.opinion', { number: index + 1 })}
          decision={{ ...opinion, decidedAt: opinion.at }}
          policies={policies}
        />
      ))}
    </>
  )
}
