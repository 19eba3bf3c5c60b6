import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { PolicyView, TaskView } from '../review-calls.ts'
import { IssueList } from '../thread/IssueList.tsx'

interface VerdictViewProps {
  /** Left out, that it is the decision. */
  title?: string
  decision: Pick<TaskView, 'verdict' | 'note' | 'issues' | 'decidedAt'>
  policies: readonly PolicyView[] | undefined
}

/** A decision that was made. */
export function VerdictView({ title, decision, policies }: VerdictViewProps) {
  const { t } = useTranslation('distribute/review')
  const { verdict, note, issues, decidedAt } = decision
  return (
    <Container header={<Header variant="h2">{title ?? t('verdict.made')}</Header>}>
      <StatusBadge tone={verdict === 'REJECT' ? 'bad' : 'good'} text={t(`verdicts.${verdict}`)} />{' '}
      <span className="lg-soft">
        <When at={decidedAt} />
      </span>
      {note && <p className="review-said">{note}</p>}
      {issues.length > 0 && <IssueList issues={issues} policies={policies} />}
    </Container>
  )
}
