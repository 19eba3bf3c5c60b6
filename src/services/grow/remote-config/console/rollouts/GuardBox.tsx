import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { shownLocale } from '../../../../../console/shown.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type GuardRole, guardLimits, type Verdict } from '../../../../../kernel/ramp/guards.ts'
import type { RolloutView } from '../../rollouts/contract.ts'
import { isGuarded } from '../../rollouts/rules.ts'
import { rolloutsApi } from '../config-calls.ts'

const tones: Readonly<Record<Verdict, Tone>> = { waiting: 'waiting', fine: 'good', failed: 'bad', gone: 'caution' }
const shown = (value: number) => value.toLocaleString(shownLocale(), { maximumSignificantDigits: 3 })

/** What the guardrails and signals of a rollout found of its step, and a button to look now. */
export function GuardBox({ of }: { of: RolloutView }) {
  const { t } = useTranslation('grow/remote-config')
  const metrics = useCall(rolloutsApi.listRolloutMetrics, { query: { projectId: of.projectId } })
  const look = useAction(rolloutsApi.lookAtRollout)
  if (!isGuarded(of)) return null
  const { rolloutId, look: found, lookProblem } = of
  const names = new Map(metrics.data?.list.map(one => [one.metricId, one.name]))
  const rows = (['guardrail', 'signal'] as const).flatMap(role =>
    (role === 'guardrail' ? of.guardrails : of.signals).map(metricId => ({ role, metricId })),
  )
  const button = of.lookAt !== null && (
    <Can call={rolloutsApi.lookAtRollout}>
      <Button
        data-action="lookAtRollout"
        loading={look.isRunning || of.isLooking}
        loadingText={t('rollouts.looking')}
        onClick={() => void look.run({ params: { rolloutId } })}
      >
        {t('rollouts.lookNow')}
      </Button>
    </Can>
  )
  return (
    <Container
      header={
        <Header variant="h2" actions={button} description={t('rollouts.guardsText', { least: guardLimits.leastUnits })}>
          {t('rollouts.guards')}
        </Header>
      }
    >
      <SpaceBetween size="s">
        {lookProblem !== null && (
          <Alert type="warning" header={t('rollouts.notJudged')}>
            {lookProblem}
          </Alert>
        )}
        {found && !found.isSplitHealthy && (
          <Alert type="warning" header={t('rollouts.uneven')}>
            {t('rollouts.unevenText', { inside: found.inUnits, outside: found.outUnits, p: shown(found.splitP ?? 0) })}
          </Alert>
        )}
        {rows.map(one => (
          <Guard key={`${one.role} ${one.metricId}`} {...one} of={of} name={names.get(one.metricId)} />
        ))}
        <div className="lg-soft">
          {t('rollouts.srm')}: {t(`rollouts.srmActions.${of.srmAction}`)}
          {found && (
            <>
              {' · '}
              {t('rollouts.units', { inside: found.inUnits, outside: found.outUnits })} ·{' '}
              <When at={found.at} show="both" />
            </>
          )}
          {of.lookAt !== null && (
            <>
              {' · '}
              {t('rollouts.nextLook')} <When at={of.lookAt} show="both" />
            </>
          )}
        </div>
      </SpaceBetween>
    </Container>
  )
}

interface GuardProps {
  of: RolloutView
  role: GuardRole
  metricId: string
  name: string | undefined
}

function Guard({ of, role, metricId, name }: GuardProps) {
  const { t } = useTranslation('grow/remote-config')
  const judged = of.look?.judged.find(one => one.metricId === metricId && one.role === role)
  const verdict = judged?.verdict ?? 'waiting'
  const reading = judged?.reading
  return (
    <div>
      <SpaceBetween direction="horizontal" size="xs">
        <b translate="no">{name ?? reading?.name ?? metricId}</b>
        <span className="lg-soft">{t(`rollouts.roles.${role}`)}</span>
        <StatusBadge tone={tones[verdict]} text={t(`rollouts.verdicts.${verdict}`)} />
      </SpaceBetween>
      {reading && (
        <div>
          {t('rollouts.means', { inside: shown(reading.inside.mean), outside: shown(reading.outside.mean) })}
          {reading.change &&
            ` ${t('rollouts.change', { by: shown(reading.change.by), low: shown(reading.change.low), high: shown(reading.change.high) })}`}
        </div>
      )}
    </div>
  )
}
