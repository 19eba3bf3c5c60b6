import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { useAction } from '../../../../console/use-action.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { limits } from '../rules.ts'
import { CommentWords } from './CommentCard.tsx'
import { desk, type ReportView } from './comment-calls.ts'

interface VerdictDialogProps {
  report: ReportView
  zone: ZoneId | undefined
  onClose: () => void
}

/** A reported comment as it stands, and the place to hide it, keep it, or show it again. */
export function VerdictDialog({ report, zone, onClose }: VerdictDialogProps) {
  const { t } = useTranslation('distribute/comments')
  const [answer, setAnswer] = useState('')
  const decide = useAction(desk.decideReport, { onDone: onClose })
  const restore = useAction(desk.restoreComment, { onDone: onClose })
  const { reportId, revision, comment, note } = report
  const options = zone && { zone }
  const run = (verdict: 'keep' | 'hide') =>
    void decide.run({ body: { reportId, verdict, revision, ...(answer.trim() && { answer: answer.trim() }) } }, options)
  const isOpen = report.state === 'OPEN'
  return (
    <Modal
      visible
      header={t('desk.one')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={onClose}>{t('action.cancel')}</Button>
            {isOpen && (
              <Can call={desk.decideReport}>
                <SpaceBetween direction="horizontal" size="xs">
                  <Button data-action="hide" loading={decide.isRunning} onClick={() => run('hide')}>
                    {t('desk.hide')}
                  </Button>
                  <Button variant="primary" data-action="keep" loading={decide.isRunning} onClick={() => run('keep')}>
                    {t('desk.keep')}
                  </Button>
                </SpaceBetween>
              </Can>
            )}
            {comment.allowedActions.includes('restore') && (
              <Button
                data-action="restore"
                loading={restore.isRunning}
                onClick={() =>
                  void restore.run({ body: { commentId: comment.commentId, revision: comment.revision } }, options)
                }
              >
                {t('desk.restore')}
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <div className="cm-card">
          <CommentWords comment={comment} />
        </div>
        <div>
          <strong>{t('reportedAs', { policy: t(`policies.${report.policyId}`) })}</strong>
          {note && (
            <p className="cm-said" translate="no">
              {note}
            </p>
          )}
        </div>
        {isOpen && (
          <FormField label={t('desk.answer')} constraintText={t('desk.answerHint')}>
            <Textarea
              rows={3}
              value={answer}
              onChange={({ detail }) => setAnswer(detail.value.slice(0, limits.noteLength))}
            />
          </FormField>
        )}
      </SpaceBetween>
    </Modal>
  )
}
