import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { IssueView, PolicyView } from '../review-calls.ts'
import { clauseTitle, ruleText } from '../review-words.ts'

const places = ['screen', 'permission', 'file', 'timestamp'] as const

/** What must or should change: by which rule, where, and the reviewer's words. */
export function IssueList({
  issues,
  policies,
}: {
  issues: readonly IssueView[]
  policies: readonly PolicyView[] | undefined
}) {
  const { t } = useTranslation('distribute/review')
  return (
    <ul className="review-issues">
      {issues.map(issue => (
        <li key={JSON.stringify(issue)} className={issue.severity === 'ADVICE' ? 'review-advice' : undefined}>
          <strong>{clauseTitle(issue, policies)}</strong>{' '}
          <StatusBadge tone={issue.severity === 'ADVICE' ? 'info' : 'bad'} text={t(`severity.${issue.severity}`)} />
          <p className="review-said">{issue.text}</p>
          {ruleText(issue, policies) && (
            <ExpandableSection headerText={t('issue.rule')}>
              <p className="review-said">{ruleText(issue, policies)}</p>
            </ExpandableSection>
          )}
          {places
            .filter(place => issue.where?.[place])
            .map(place => (
              <div key={place} className="lg-soft">
                {t(`where.${place}`)}: {issue.where?.[place]}
              </div>
            ))}
        </li>
      ))}
    </ul>
  )
}
