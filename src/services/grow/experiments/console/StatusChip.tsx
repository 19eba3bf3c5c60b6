import { useTranslation } from 'react-i18next'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { ExperimentRow } from '../contract.ts'
import type { State } from '../rules.ts'

const stateTones: Record<State, Tone> = {
  ...{ draft: 'off', ready: 'waiting', running: 'running', paused: 'caution' },
  ...{ stopped: 'stopped', concluded: 'good', archived: 'off' },
}

/** Where an experiment is in its life. */
export function StateChip({ state, outcome }: Pick<ExperimentRow, 'state' | 'outcome'>) {
  const { t } = useTranslation('grow/experiments')
  const text = state === 'concluded' && outcome ? t(`outcomes.${outcome}`) : t(`states.${state}`)
  return <StatusBadge tone={stateTones[state]} text={text} />
}

type Status = NonNullable<ExperimentRow['status']>
const statusTones: Record<Status, Tone> = {
  ...{ collecting: 'waiting', noData: 'caution', unhealthy: 'bad', daysLeft: 'running' },
  ...{ shipNow: 'good', rollBackNow: 'bad', readyForReview: 'info' },
}

/** What its numbers say. */
export function StatusChip({ status }: { status: ExperimentRow['status'] }) {
  const { t } = useTranslation('grow/experiments')
  return status === null ? <span>–</span> : <StatusBadge tone={statusTones[status]} text={t(`statuses.${status}`)} />
}
