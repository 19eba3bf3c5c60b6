import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { GateMetric } from '../../gates/rules.ts'
import { isLive } from '../../phased/rules.ts'
import { healthApi, type PhasedView } from '../version-calls.ts'
import { GateList } from './GateList.tsx'
import { GatesDialog } from './GatesDialog.tsx'
import { amountText } from './phased-words.ts'

const HealthChart = lazy(() => import('./HealthChart.tsx'))
const lookAgainMs = 30_000

/** How the version does on devices beside the full one, and what happens by itself when it does badly. */
export function HealthPanel({ phased }: { phased: PhasedView }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, readings, gates, state, startAt } = phased
  const [metric, setMetric] = useState<GateMetric>(gates[0]?.metric ?? 'crashRate')
  const [isEditing, setEditing] = useState(false)
  const { data: health } = useCall(
    healthApi.getReleaseHealth,
    { query: { versionId } },
    { keepBefore: true, enabled: startAt !== null, refetchInterval: isLive(state) ? lookAgainMs : false },
  )
  const mayEdit = phased.allowedActions.includes('setGates')
  return (
    <section>
      <SpaceBetween size="s">
        <Header
          variant="h3"
          description={t('phased.health.text')}
          actions={
            mayEdit && (
              <Button data-action="setGates" onClick={() => setEditing(true)}>
                {t('phased.actions.setGates')}
              </Button>
            )
          }
        >
          {t('phased.health.title')}
        </Header>
        <GateList gates={gates} isOver={phased.endedAt !== null} />
        {startAt !== null && (
          <fieldset className="phased-tiles" aria-label={t('phased.health.title')}>
            {readings.map(one => (
              <button
                key={one.metric}
                type="button"
                aria-pressed={one.metric === metric}
                onClick={() => setMetric(one.metric)}
              >
                <span>{t(`phased.metrics.${one.metric}`)}</span>
                <strong>{one.value === null ? '–' : amountText(one.metric, one.value)}</strong>
                <span>
                  {t('phased.health.devices', {
                    count: one.devices,
                    shown: one.devices.toLocaleString(shownLocale()),
                  })}
                </span>
                <span>
                  {t('phased.health.baseline', {
                    value: one.baseline === null ? '–' : amountText(one.metric, one.baseline),
                  })}
                </span>
              </button>
            ))}
          </fieldset>
        )}
        {health && health.steps.length > 0 ? (
          <Suspense fallback={<StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}>
            <HealthChart metric={metric} phased={phased} health={health} />
          </Suspense>
        ) : (
          health && <span className="lg-soft">{t('phased.nobodyTold')}</span>
        )}
      </SpaceBetween>
      {isEditing && <GatesDialog phased={phased} onClose={() => setEditing(false)} />}
    </section>
  )
}
