import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { countryName, languageName } from '../../../../console/shown.ts'
import type { CommentView } from './comment-calls.ts'
import { toneOfComment } from './comment-words.ts'
import { ReplyBox } from './ReplyBox.tsx'
import { ReportDialog } from './ReportDialog.tsx'
import { Stars } from './Stars.tsx'

/** One comment with its reply, to be answered in place. */
export function CommentCard({ comment }: { comment: CommentView }) {
  const { t } = useTranslation('distribute/comments')
  const [isReporting, setReporting] = useState(false)
  return (
    <li className="cm-card">
      <CommentWords comment={comment} />
      {comment.report && (
        <span className="lg-soft">
          {t('reportedAs', { policy: t(`policies.${comment.report.policyId}`) })}
          {comment.report.state !== 'OPEN' && ` ${t(`verdicts.${comment.report.state}`)}`}
          {comment.report.answer && <span translate="no"> {comment.report.answer}</span>}
        </span>
      )}
      <ReplyBox comment={comment} />
      {comment.allowedActions.includes('report') && (
        <div>
          <Button variant="inline-link" data-action="report" onClick={() => setReporting(true)}>
            {t('report.open')}
          </Button>
        </div>
      )}
      {isReporting && <ReportDialog commentId={comment.commentId} onClose={() => setReporting(false)} />}
    </li>
  )
}

/** What somebody said, and of what: always as plain text. */
export function CommentWords({ comment }: { comment: CommentView }) {
  const { t } = useTranslation('distribute/comments')
  const { title, text, language, country, device, versionName, versionCode, helpful } = comment
  const facts = [
    t('version', { name: versionName, code: versionCode }),
    country && countryName(country),
    language && languageName(language),
    device,
    helpful > 0 && t('helpful', { count: helpful }),
  ].filter(Boolean)
  return (
    <>
      <div className="cm-line">
        <Stars value={comment.stars} />
        <strong translate="no">{comment.nickname || t('nobody')}</strong>
        <span className="lg-soft">
          <When at={comment.writtenAt} />
        </span>
        {comment.state !== 'VISIBLE' && (
          <StatusBadge tone={toneOfComment[comment.state]} text={t(`states.${comment.state}`)} />
        )}
      </div>
      {title && (
        <strong className="cm-said" translate="no">
          {title}
        </strong>
      )}
      {text ? (
        <p className="cm-said" translate="no">
          {text}
        </p>
      ) : (
        <span className="lg-soft">{t('noWords')}</span>
      )}
      <span className="lg-soft cm-said">{facts.join(' · ')}</span>
    </>
  )
}
