import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { type Ran, toneOf } from '../function-calls.ts'
import { LogLines } from '../LogLines.tsx'
import { PhaseBar } from '../PhaseBar.tsx'

/** All that is known of one call: the result, its lines, and where its time went. */
export function RanView({ ran }: { ran: Ran }) {
  const { t } = useTranslation('build/functions')
  return (
    <SpaceBetween size="s">
      <div className="fn-figures">
        <StatusBadge tone={toneOf(ran.outcome)} text={`${t(`outcomes.${ran.outcome}`)} · ${ran.statusCode}`} />
        <span>{t('ms', { value: ran.durationMs })}</span>
        <span>{t('mb', { value: ran.memPeakMb })}</span>
        <span>{ran.coldStart ? t('cold') : t('warm')}</span>
      </div>
      <PhaseBar phases={ran.phases} />
      {ran.error ? (
        <pre className="fn-output" data-tone="bad" translate="no">
          {ran.error.stack || `${ran.error.type}: ${ran.error.message}`}
        </pre>
      ) : (
        <pre className="fn-output" translate="no">
          {JSON.stringify(ran.result, null, 2)}
        </pre>
      )}
      {ran.logs.length > 0 ? <LogLines lines={ran.logs} /> : <Box color="text-body-secondary">{t('noLines')}</Box>}
    </SpaceBetween>
  )
}
