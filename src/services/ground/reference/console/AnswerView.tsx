import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { ScrolledText } from './ScrolledText.tsx'

/** What came back of a call that was tried. */
export interface Sent {
  /** 0 where nothing answered. */
  status: number
  milliseconds: number
  headers: readonly (readonly [string, string])[]
  sizeBytes: number
  /** Null where the answer is no text. */
  text: string | null
}

export function AnswerView({ sent }: { sent: Sent }) {
  const { t } = useTranslation('ground/reference')
  const { status, milliseconds, headers, sizeBytes, text } = sent
  const isDone = status >= 200 && status < 400
  return (
    <section aria-label={t('try.answer')} aria-live="polite">
      <SpaceBetween size="s">
        <div className="reference-status">
          <StatusBadge tone={isDone ? 'good' : 'bad'} text={status === 0 ? t('try.silence') : String(status)} />
          <span>{t('try.time', { milliseconds })}</span>
          <ByteSize value={sizeBytes} />
        </div>
        {headers.length > 0 && (
          <ExpandableSection headerText={t('try.headers')} headerCounter={`(${headers.length})`}>
            <dl className="reference-headers">
              {headers.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </ExpandableSection>
        )}
        {text === null ? (
          status !== 0 && <span>{t('try.binary')}</span>
        ) : (
          <ScrolledText label={t('try.answer')} text={text} />
        )}
      </SpaceBetween>
    </section>
  )
}
