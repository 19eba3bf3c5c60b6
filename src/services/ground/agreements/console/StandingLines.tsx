import './agreements.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { everywhere } from '../rules.ts'
import type { StandingView } from './agreement-calls.ts'
import { useWords } from './words.ts'

type Line = Omit<StandingView, 'signId'>

/** Each agreement with where somebody stands with it, and what can be done. */
export function StandingLines<L extends Line>({
  lines,
  actions,
  more,
}: {
  lines: readonly L[]
  actions: (line: L) => ReactNode
  more?: (line: L) => ReactNode
}) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  return lines.map(line => (
    <div className="agr-line" key={`${line.agrType} ${line.branchId} ${line.country}`}>
      <div>
        <strong>{line.name[words.language]}</strong>{' '}
        {line.country !== everywhere && <span className="lg-soft">{words.country(line.country)}</span>}
        <br />
        <StandingBadge line={line} />
        {line.graceUntil !== null && !line.isBlocking && (
          <>
            {' '}
            <span className="lg-soft">
              {t('standing.until')} <When at={line.graceUntil} />
            </span>
          </>
        )}
        {more?.(line)}
      </div>
      <div className="lg-actions">{actions(line)}</div>
    </div>
  ))
}

function StandingBadge({ line }: { line: Line }) {
  const { t } = useTranslation('ground/agreements')
  if (line.isBlocking) return <StatusBadge tone="bad" text={t('standing.blocking')} />
  if (line.needSign) return <StatusBadge tone="caution" text={t('standing.needed')} />
  if (line.isAgree) return <StatusBadge tone="good" text={t('standing.signed', { version: line.version })} />
  return <StatusBadge tone="off" text={t('standing.open')} />
}
