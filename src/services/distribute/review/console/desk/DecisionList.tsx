import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { PolicyView, TaskDetail } from '../review-calls.ts'
import { versionName } from '../review-words.ts'
import { IssueList } from '../thread/IssueList.tsx'

interface DecisionListProps {
  history: TaskDetail['history']
  policies: readonly PolicyView[] | undefined
}

/** What was decided about the app before. */
export function DecisionList({ history, policies }: DecisionListProps) {
  const { t } = useTranslation('distribute/review')
  if (history.length === 0) return <EmptyState title={t('history.none')} text={t('history.noneText')} />
  return (
    <ol className="review-chain">
      {history.map(decision => (
        <li key={decision.taskId}>
          <strong>{versionName(decision)}</strong>{' '}
          <StatusBadge tone={decision.verdict === 'REJECT' ? 'bad' : 'good'} text={t(`verdicts.${decision.verdict}`)} />{' '}
          <span className="lg-soft">
            <When at={decision.decidedAt} />
          </span>
          {decision.note && <p className="review-said">{decision.note}</p>}
          {decision.issues.length > 0 && <IssueList issues={decision.issues} policies={policies} />}
        </li>
      ))}
    </ol>
  )
}
