import '../review.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { AttachmentView, MessageView, PolicyView } from '../review-calls.ts'
import { IssueList } from './IssueList.tsx'
import { ResultList } from './ResultList.tsx'

interface ThreadProps {
  messages: readonly MessageView[]
  /** Names what a message is about where there are several things. */
  about?: (itemId: string) => string | undefined
  policies: readonly PolicyView[] | undefined
  /** Whose messages stand on the right. */
  reader: MessageView['sender']
  /** A link to read an attachment; developers and reviewers ask different calls for it. */
  attachment: (file: AttachmentView) => ReactNode
}

const tones: Partial<Record<MessageView['kind'], Tone>> = {
  QUESTION: 'caution',
  ANSWER: 'info',
  APPROVAL: 'good',
  REJECTION: 'bad',
  SUMMARY: 'info',
  APPEAL: 'caution',
  EXPEDITE: 'info',
}

/** What was said about a version, the oldest first. */
export function Thread({ messages, policies, reader, attachment, about }: ThreadProps) {
  const { t } = useTranslation('distribute/review')
  return (
    <ol className="review-thread" aria-label={t('thread.title')}>
      {messages.map(message => {
        const tone = tones[message.kind]
        return (
          <li
            key={message.messageId}
            className={`review-message${message.sender === reader ? ' review-own' : ''}`}
            data-kind={message.kind}
          >
            <header>
              <strong>{t(`sender.${message.sender}`)}</strong>
              {message.itemId !== null && about?.(message.itemId) && <span>{about(message.itemId)}</span>}
              {tone && <StatusBadge tone={tone} text={t(`kind.${message.kind}`)} />}
              <span className="lg-soft">
                <When at={message.createdAt} />
              </span>
            </header>
            {message.text && <p className="review-said">{message.text}</p>}
            {message.results.length > 0 && <ResultList results={message.results} />}
            {message.issues.length > 0 && <IssueList issues={message.issues} policies={policies} />}
            {message.attachments.length > 0 && (
              <ul className="review-files">
                {message.attachments.map(file => (
                  <li key={file.objectId}>{attachment(file)}</li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ol>
  )
}
