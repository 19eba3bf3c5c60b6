import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { SimulationView } from '../contract.ts'
import { MatchedList } from './MatchedList.tsx'

interface SimulationResultProps {
  result: SimulationView
  onGo?: (place: { line: number; col: number }) => void
}

/** Allowed or denied, by which statement, and why. */
export function SimulationResult({ result, onGo }: SimulationResultProps) {
  const { t } = useTranslation('build/rules')
  const [fault] = result.diagnostics
  if (fault) {
    return (
      <Alert type="error" header={t('simulator.unreadable')}>
        {t('place', { line: fault.line, col: fault.col })}: <span translate="no">{fault.message}</span>
      </Alert>
    )
  }
  return (
    <SpaceBetween size="s">
      <Alert
        type={result.allowed ? 'success' : 'error'}
        header={result.allowed ? t('decided.allowed') : t('decided.denied')}
      >
        {result.grantedBy
          ? t('decided.by', { line: result.grantedBy.line })
          : result.matched.length === 0
            ? t('decided.noMatch')
            : t('decided.noGrant')}
        <Box color="text-body-secondary" fontSize="body-s">
          {t('decided.cost', { steps: result.steps, micros: result.micros })}
        </Box>
      </Alert>
      <MatchedList matched={result.matched} {...(onGo && { onGo })} />
      {result.accesses.length > 0 && (
        <ul className="rules-accesses" aria-label={t('accesses')}>
          {result.accesses.map(one => (
            <li key={one.path}>
              <code translate="no">{one.path}</code> {one.found ? t('found') : t('notFound')}
            </li>
          ))}
        </ul>
      )}
    </SpaceBetween>
  )
}
