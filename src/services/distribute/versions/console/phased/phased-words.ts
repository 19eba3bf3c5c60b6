import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { PhasedAction, PhasedState } from '../../phased/rules.ts'

export const toneOfPhase: Record<PhasedState, Tone> = {
  DRAFT: 'waiting',
  RELEASE: 'running',
  SUSPEND: 'caution',
  CANCEL: 'stopped',
  COMPLETE: 'good',
  ROLLED_BACK: 'bad',
}

export const toneOfChange: Record<PhasedAction, Tone> = {
  drop: 'stopped',
  start: 'running',
  pause: 'caution',
  resume: 'running',
  raise: 'running',
  advance: 'running',
  complete: 'good',
  cancel: 'stopped',
  rollBack: 'bad',
}

/** In the order people look for them, the one that leads on last. */
export const shownPhasedActions = ['drop', 'cancel', 'rollBack', 'pause', 'resume', 'raise', 'complete'] as const
export type ShownPhasedAction = (typeof shownPhasedActions)[number]

/** What the system says for itself; a person's reason stands as it was written. */
export const systemReasons: readonly string[] = ['pauseBudget', 'newer', 'offShelf', 'curve']
