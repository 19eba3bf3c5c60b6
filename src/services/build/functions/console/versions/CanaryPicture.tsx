import '../functions.css'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { type CanaryView, canaryApi } from '../function-calls.ts'
import { CanaryHistory } from './CanaryHistory.tsx'

const tones: Record<CanaryView['state'], Tone> = {
  RUNNING: 'running',
  PAUSED: 'stopped',
  DONE: 'good',
  ABORTED: 'bad',
  ROLLED_BACK: 'caution',
}

/** The steps of a canary as columns, the share it reached, how the second version does, and what can be done. */
export function CanaryPicture({ canary }: { canary: CanaryView }) {
  const { t } = useTranslation('build/functions')
  const { functionId, canaryId, aliasName, fromVersion, toVersion, steps, step, state, health, limits, revision } =
    canary
  const move = useAction(canaryApi.moveCanary)
  const isLost = state === 'ABORTED' || state === 'ROLLED_BACK'
  const stateOf = (at: number) => (isLost && at <= step ? 'lost' : at <= step || state === 'DONE' ? 'reached' : 'ahead')
  const columns = [...steps, ...(state === 'DONE' ? [{ weight: 100, holdMinutes: 0 }] : [])]
  const errors = health.calls === 0 ? 0 : Math.round((health.failures * 1000) / health.calls) / 10
  return (
    <div>
      <div className="fn-alias">
        <Box variant="h4" tagOverride="h3">
          <span translate="no">{aliasName}</span>: {t('canary.way', { from: fromVersion, to: toVersion })}
        </Box>
        <StatusBadge tone={tones[state]} text={t(`canary.states.${state}`)} />
      </div>
      <ol className="fn-steps" aria-label={t('canary.steps')}>
        {columns.map((one, at) => (
          <li key={one.weight} data-state={stateOf(at)} aria-current={at === step ? 'step' : undefined}>
            <i aria-hidden="true">
              <b style={{ blockSize: `${one.weight}%` }} />
            </i>
            <strong>{one.weight} %</strong>
            <span>{one.holdMinutes > 0 && t('canary.minutes', { count: one.holdMinutes })}</span>
          </li>
        ))}
      </ol>
      <div className="fn-figures">
        <span>{t('canary.share', { value: canary.weight })}</span>
        {canary.nextAt !== null && (
          <span>
            {t('canary.nextAt')} <When at={canary.nextAt} />
          </span>
        )}
        {canary.endedAt === null && (
          <>
            <span>{t('canary.calls', { count: health.calls, least: limits.minimumCalls })}</span>
            <span>{t('canary.errors', { errors, limit: limits.errorPercent })}</span>
            {limits.p95Ms !== null && health.p95Ms !== null && (
              <span>{t('canary.latency', { p95: health.p95Ms, limit: limits.p95Ms })}</span>
            )}
          </>
        )}
        {canary.endedAt !== null && <When at={canary.endedAt} />}
      </div>
      <Can call={canaryApi.moveCanary}>
        <SpaceBetween direction="horizontal" size="xs">
          {canary.allowedActions.map(action => (
            <Button
              key={action}
              variant="inline-link"
              data-action={`canary-${action}`}
              onClick={() => void move.run({ params: { functionId, canaryId, action }, body: { revision } })}
            >
              {t(`canary.actions.${action}`)}
            </Button>
          ))}
        </SpaceBetween>
      </Can>
      <CanaryHistory canary={canary} />
    </div>
  )
}
