import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { queryClient, useCall } from '../../../../../console/use-call.ts'
import type { RolloutView } from '../../rollouts/contract.ts'
import { rolloutsApi } from '../config-calls.ts'
import { AskedBox } from './AskedBox.tsx'
import { GuardBox } from './GuardBox.tsx'
import { MoveDialog, type Verb } from './MoveDialog.tsx'
import { RolloutHistory } from './RolloutHistory.tsx'
import { branchText, percentText, rolloutTones } from './rollout-words.ts'
import { Staircase } from './Staircase.tsx'

const forgetHistory = () =>
  queryClient.invalidateQueries({ predicate: query => query.queryKey[1] === rolloutsApi.listRolloutChanges.callName })

/** One rollout: where it is, what comes next, what may be done, and what became of it. */
export function RolloutPanel({ rolloutId, onBack }: { rolloutId: string; onBack: () => void }) {
  const { t } = useTranslation('grow/remote-config')
  const found = useCall(
    rolloutsApi.getRollout,
    { params: { rolloutId } },
    { refetchInterval: ({ state }) => (state.data?.isLooking ? 1_000 : false) },
  )
  const [verb, setVerb] = useState<Verb | null>(null)
  const revision = found.data?.revision
  useEffect(() => {
    // What a look or the clock did is no action of this page.
    if (revision !== undefined) void forgetHistory()
  }, [revision])
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { data } = found
  // What may be done without others is not what is meant to be done.
  const isShort = data.approvalsNeeded > (data.asked?.agreed.length ?? 0)
  const isFirst = (one: Verb) =>
    (one === 'start' && !isShort) || ['askStart', 'agree', 'approve', 'resume'].includes(one)
  const buttons = data.allowedActions.map(one => (
    <Button key={one} data-action={one} variant={isFirst(one) ? 'primary' : 'normal'} onClick={() => setVerb(one)}>
      {t(`rollouts.verbs.${one}`)}
    </Button>
  ))
  return (
    <SpaceBetween size="m">
      <Button variant="link" iconName="arrow-left" onClick={onBack}>
        {t('rollouts.back')}
      </Button>
      <Container
        header={
          <Header variant="h2" actions={<div className="lg-actions">{buttons}</div>}>
            <span translate="no">{data.name}</span>
          </Header>
        }
      >
        <SpaceBetween size="s">
          <Facts of={data} />
          {data.asked && <AskedBox asked={data.asked} of={data} />}
          <Staircase of={data} />
        </SpaceBetween>
      </Container>
      <GuardBox of={data} />
      <RolloutHistory rolloutId={rolloutId} />
      {verb !== null && <MoveDialog verb={verb} of={data} onClose={() => setVerb(null)} onGone={onBack} />}
    </SpaceBetween>
  )
}

function Facts({ of }: { of: RolloutView }) {
  const { t } = useTranslation('grow/remote-config')
  const { state, dueAt } = of
  return (
    <SpaceBetween size="xs">
      <StatusBadge tone={rolloutTones[state]} text={t(`rollouts.states.${state}`)} />
      <div>
        <code translate="no">{of.parameter}</code> <span className="lg-soft">({branchText(t, of.condition)})</span> →{' '}
        <span className="rcs-value" translate="no">
          {of.value || t('parameters.emptyValue')}
        </span>
      </div>
      <div>{t('rollouts.reachNow', { percent: percentText(of.percent) })}</div>
      {of.heldBy !== null && <StatusBadge tone="caution" text={t(`rollouts.held.${of.heldBy}`)} />}
      {of.waitsForApproval && <StatusBadge tone="waiting" text={t('rollouts.waits')} />}
      {state === 'draft' && of.startAt !== null && (
        <div>
          {t('rollouts.due.planned')}
          <When at={of.startAt} show="both" />
        </div>
      )}
      {dueAt !== null && state !== 'paused' && (
        <div>
          {t(`rollouts.due.${state === 'scheduled' ? 'start' : 'next'}`)}
          <When at={dueAt} show="both" />
        </div>
      )}
      <div className="lg-soft">
        {t('rollouts.unit', { unit: of.unitAttr })} ·{' '}
        {of.createdBy && <span translate="no">{of.createdBy.name} · </span>}
        <When at={of.createdAt} show="both" />
      </div>
    </SpaceBetween>
  )
}
