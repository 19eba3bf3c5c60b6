import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { FindingLine } from './FindingLine.tsx'
import { findingText, fixAddress } from './finding-words.ts'
import type { FindingView } from './version-calls.ts'

interface FindingListProps {
  findings: readonly FindingView[]
  appId: string
  versionId: string
  /** Without it the findings are told only: the version cannot be changed now. */
  canFix: boolean
  /** Told when a way is taken, for what covers the page. */
  onFollow?: () => void
}

/** What stands in the way, in the server's order, each with the way to put it right. */
export function FindingList({ findings, appId, versionId, canFix, onFollow }: FindingListProps) {
  const { t } = useTranslation('distribute/versions')
  return (
    <ul className="version-findings">
      {findings.map(finding => (
        <li key={`${finding.rule} ${finding.field}`} data-rule={finding.rule} data-severity={finding.severity}>
          <FindingLine severity={finding.severity} text={findingText(finding)} />
          {canFix && (
            <Link
              href={fixAddress(finding, { appId, versionId })}
              {...(onFollow && { onFollow })}
              ariaLabel={t('readiness.fixOf', { what: findingText(finding) })}
            >
              {t('readiness.fix')}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
