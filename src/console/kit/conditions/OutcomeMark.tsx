import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import type { Explained } from '../../../kernel/targeting/evaluate.ts'
import type { Json } from '../../../kernel/targeting/rule.ts'

const kinds = { true: 'success', false: 'stopped', missing: 'warning' } as const

/** What a condition said to the context that was tried, and what it found there. */
export function OutcomeMark({ explained, actual }: { explained: Explained | undefined; actual?: Json | undefined }) {
  const { t } = useTranslation('kit/conditions')
  if (!explained) return null
  return (
    <span className="lg-conditions-outcome">
      <StatusIndicator type={kinds[explained.outcome]}>{t(`outcomes.${explained.outcome}`)}</StatusIndicator>
      {actual !== undefined && <code translate="no">{textOf(actual)}</code>}
    </span>
  )
}

function textOf(actual: Json): string {
  const text = typeof actual === 'string' ? actual : JSON.stringify(actual)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
