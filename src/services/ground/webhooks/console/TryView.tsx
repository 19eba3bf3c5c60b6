import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import type { TryView as Made } from './webhook-calls.ts'

/** One try: what was sent and what came back. */
export function TryView({ made, isOpen }: { made: Made; isOpen: boolean }) {
  const { t } = useTranslation('ground/webhooks')
  const { status, isAccepted, problem, durationMs, requestHeaders, answerHeaders, answerBody, isCut } = made
  const lines = (headers: Made['requestHeaders']) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
  return (
    <ExpandableSection
      defaultExpanded={isOpen}
      headerText={status === null ? t('try.noAnswer') : t('try.answered', { status, ms: durationMs })}
      headerInfo={
        <StatusBadge tone={isAccepted ? 'good' : 'bad'} text={t(isAccepted ? 'chart.accepted' : 'chart.refused')} />
      }
    >
      <SpaceBetween size="s">
        <When at={made.at} show="both" />
        {problem && <span>{t('try.problem', { problem })}</span>}
        <strong>{t('try.sent')}</strong>
        <pre className="webhooks-code">{lines(requestHeaders)}</pre>
        {status !== null && (
          <>
            <strong>{t('try.answer')}</strong>
            <pre className="webhooks-code">
              {lines(answerHeaders)}
              {answerBody && `\n\n${answerBody}`}
            </pre>
            {isCut && <span className="lg-soft">{t('try.cut')}</span>}
          </>
        )}
      </SpaceBetween>
    </ExpandableSection>
  )
}
