import type { TFunction } from 'i18next'
import { client } from '../../../../../console/client.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { functionQueue } from '../../queue/contract.ts'
import type { AsyncState, AttemptOutcome } from '../../queue/rules.ts'

export const queueApi = client(functionQueue)
export type AsyncCallView = Answer<typeof functionQueue.calls.listAsyncCalls>['list'][number]
export type AsyncConfig = Answer<typeof functionQueue.calls.getAsyncConfig>['asyncConfig']

/** Of refusals by their numbers, too: what was noted is the server's sentence of that moment. */
const ownReasons = [
  ...(['tooOld', 'canceled', 'serverEnded', 'serverStopped'] as const),
  ...(['210429001', '210429003', '210429004', '210503003', '210504001'] as const),
]

/** Why it is as it is; what the function said stays as it said it. */
export function reasonOf(
  t: TFunction<'build/functions'>,
  { errorType, reason }: Pick<AsyncCallView, 'errorType' | 'reason'>,
): string | null {
  const own = ownReasons.find(one => one === errorType)
  return own === undefined ? reason : t(`queue.reasons.${own}`)
}

/** Whether a destination heard of it; null where nobody was to. */
export function toldText(t: TFunction<'build/functions'>, { told }: Pick<AsyncCallView, 'told'>): string | null {
  return told && t(`queue.told.${told.outcome}`, { target: told.target })
}

const tones = { WAIT: 'waiting', RUNNING: 'running', SUCCESS: 'good', FAIL: 'bad', DISCARD: 'stopped' } as const
export const toneOfState = (state: AsyncState) => tones[state]
export const toneOfAttempt = (outcome: AttemptOutcome | null) =>
  outcome === null
    ? 'running'
    : outcome === 'SUCCESS'
      ? 'good'
      : outcome === 'LOST' || outcome === 'REFUSED' || outcome === 'THROTTLED'
        ? 'caution'
        : 'bad'
