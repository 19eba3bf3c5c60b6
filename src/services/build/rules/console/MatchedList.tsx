import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { MatchedView } from '../contract.ts'

interface MatchedListProps {
  matched: readonly MatchedView[]
  onGo?: (place: { line: number; col: number }) => void
}

type Allow = MatchedView['allows'][number]

const tones: Record<Allow['result'], Tone> = { true: 'good', false: 'bad', error: 'caution', 'other-method': 'off' }

/** The statements whose path matched, and what each part of their conditions came to. */
export function MatchedList({ matched, onGo }: MatchedListProps) {
  return (
    <div className="rules-matched">
      {matched.map(one => (
        <section key={one.line} aria-label={one.pattern}>
          <code translate="no" className="rules-pattern">
            {one.pattern}
          </code>
          <dl className="rules-bindings" translate="no">
            {Object.entries(one.bindings).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {one.allows.map(allow => (
            <AllowResult key={`${allow.line}:${allow.col}`} allow={allow} {...(onGo && { onGo })} />
          ))}
        </section>
      ))}
    </div>
  )
}

function AllowResult({ allow, onGo }: { allow: Allow; onGo?: MatchedListProps['onGo'] & {} }) {
  const { t } = useTranslation('build/rules')
  const { line, col, methods, result, error, trace } = allow
  const name = t('line', { line })
  return (
    <div className="rules-allow">
      <div className="rules-allow-head">
        {onGo ? <Link onFollow={() => onGo({ line, col })}>{name}</Link> : <span>{name}</span>}
        <code translate="no">allow {methods.join(', ')}</code>
        <StatusBadge tone={tones[result]} text={t(`results.${result}`)} />
      </div>
      {error !== null && (
        <div className="rules-trace-error" translate="no">
          {error}
        </div>
      )}
      {trace.length > 0 && (
        <ExpandableSection headerText={t('trace', { count: trace.length })} defaultExpanded={result !== 'true'}>
          <ul className="rules-trace" translate="no">
            {trace.map(step => (
              <li key={`${step.line}:${step.col}:${step.src}`}>
                <code>{step.src}</code>
                <code className={step.isError ? 'rules-trace-error' : 'rules-trace-value'}>{step.value}</code>
              </li>
            ))}
          </ul>
        </ExpandableSection>
      )}
    </div>
  )
}
