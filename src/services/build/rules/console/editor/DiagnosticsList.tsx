import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import type { CheckView, DiagnosticView } from '../../contract.ts'

interface DiagnosticsListProps {
  list: readonly DiagnosticView[]
  stats: CheckView['stats'] | undefined
  error: unknown
  onGo: (place: { line: number; col: number }) => void
}

const types = { ERROR: 'error', WARN: 'warning', INFO: 'info' } as const

/** What the gutter shows, as a list that goes to each place. */
export function DiagnosticsList({ list, stats, error, onGo }: DiagnosticsListProps) {
  const { t } = useTranslation('build/rules')
  if (error) return <ErrorState error={error} />
  return (
    <section aria-label={t('diagnosticsTitle')}>
      {list.length === 0 && stats && <StatusIndicator type="success">{t('clean')}</StatusIndicator>}
      <ul className="rules-diagnostics">
        {list.map(one => (
          <li key={`${one.line}:${one.col}:${one.code}:${one.message}`}>
            <StatusIndicator type={types[one.severity]}>{t(`severities.${one.severity}`)}</StatusIndicator>
            <Link onFollow={() => onGo({ line: one.line, col: one.col })}>
              {t('place', { line: one.line, col: one.col })}
            </Link>
            <span>{one.message}</span>
          </li>
        ))}
      </ul>
      {stats && (
        <Box color="text-body-secondary" fontSize="body-s">
          {t('stats', stats)}
        </Box>
      )}
    </section>
  )
}
