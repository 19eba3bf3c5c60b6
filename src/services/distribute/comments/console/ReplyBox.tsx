import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { limits } from '../rules.ts'
import { api, type CommentView, type ReplyView } from './comment-calls.ts'
import { toneOfReply } from './comment-words.ts'

/** The reply to a comment: written, changed and taken away in its place. */
export function ReplyBox({ comment }: { comment: CommentView }) {
  const { t } = useTranslation('distribute/comments')
  const [isWriting, setWriting] = useState(false)
  const { reply } = comment
  if (isWriting) return <ReplyForm comment={comment} onClose={() => setWriting(false)} />
  if (reply) return <ReplyShown reply={reply} onEdit={() => setWriting(true)} />
  if (!comment.allowedActions.includes('reply')) return null
  return (
    <div>
      <Button data-action="reply" onClick={() => setWriting(true)}>
        {t('reply.write')}
      </Button>
    </div>
  )
}

function ReplyShown({ reply, onEdit }: { reply: ReplyView; onEdit: () => void }) {
  const { t } = useTranslation('distribute/comments')
  const [isSure, setSure] = useState(false)
  const remove = useAction(api.deleteReply)
  const { replyId, state, shownText, text, reason, allowedActions } = reply
  return (
    <div className="cm-reply">
      <SpaceBetween size="xs">
        <div className="cm-line">
          <strong>{t('reply.title')}</strong>
          <StatusBadge tone={toneOfReply[state]} text={t(`replyStates.${state}`)} />
          <span className="lg-soft">
            <When at={reply.updatedAt} />
          </span>
        </div>
        <p className="cm-said" translate="no">
          {text}
        </p>
        {reason !== null && <span className="cm-bad">{t('reply.reason', { reason })}</span>}
        {shownText !== null && shownText !== text && (
          <div className="lg-soft">
            {t('reply.stillShown')}
            <p className="cm-said" translate="no">
              {shownText}
            </p>
          </div>
        )}
        <div className="cm-line">
          {allowedActions.includes('edit') && (
            <Button variant="inline-link" data-action="editReply" onClick={onEdit}>
              {t('reply.edit')}
            </Button>
          )}
          {allowedActions.includes('delete') && (
            <Button
              variant="inline-link"
              data-action="deleteReply"
              loading={remove.isRunning}
              onClick={() => (isSure ? void remove.run({ query: { replyId } }) : setSure(true))}
            >
              {t(isSure ? 'reply.reallyDelete' : 'reply.delete')}
            </Button>
          )}
        </div>
      </SpaceBetween>
    </div>
  )
}

function ReplyForm({ comment, onClose }: { comment: CommentView; onClose: () => void }) {
  const { t } = useTranslation('distribute/comments')
  const { reply, commentId } = comment
  const [text, setText] = useState(reply?.text ?? '')
  const create = useAction(api.createReply, { errors: 'form', onDone: onClose })
  const update = useAction(api.updateReply, { errors: 'form', onDone: onClose })
  const error = create.error ?? update.error
  const send = () =>
    reply
      ? update.run({ body: { replyId: reply.replyId, text, revision: reply.revision } })
      : create.run({ body: { commentId, text } })
  return (
    <div className="cm-reply">
      <SpaceBetween size="s">
        <FormField
          stretch
          label={t('reply.title')}
          constraintText={t('reply.hint', { count: limits.textLength - text.length })}
        >
          <Textarea
            rows={4}
            value={text}
            onChange={({ detail }) => setText(detail.value.slice(0, limits.textLength))}
          />
        </FormField>
        {error && <Alert type="error">{errorText(error)}</Alert>}
        <div className="lg-actions">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            variant="primary"
            data-action="sendReply"
            disabled={text.trim() === '' || text === reply?.text}
            loading={create.isRunning || update.isRunning}
            onClick={() => void send()}
          >
            {t('reply.send')}
          </Button>
        </div>
      </SpaceBetween>
    </div>
  )
}
