import { lifeCycle } from '../../../../kernel/life-cycle.ts'
import type { SeriesMode } from '../rules.ts'

export const cutoverStates = ['PLANNED', 'ACTIVE', 'CANCELED'] as const
export type CutoverState = (typeof cutoverStates)[number]
export type CutoverAction = 'start' | 'cancel' | 'drop'

/** Why a cutover is not, or no longer, in force: by the team, for want of an edition on shelf, or with what it was about. */
export const cutoverEnds = ['BY_TEAM', 'NO_HARMONY', 'MODE_CHANGED', 'SERIES_ENDED'] as const
export type CutoverEnd = (typeof cutoverEnds)[number]

export const cutoverLimits = { aheadMs: 366 * 86_400_000, history: 20 } as const

/** Moves the users of the other editions to that for HarmonyOS from a date. */
export const cutoverCycle = lifeCycle<CutoverState, CutoverAction>({
  entity: 'cutover',
  states: cutoverStates,
  moves: [
    { from: ['PLANNED'], action: 'start', to: 'ACTIVE', may: 'system', event: 'cutover.started' },
    { from: ['PLANNED', 'ACTIVE'], action: 'cancel', to: 'CANCELED', may: 'series.edit', event: 'cutover.canceled' },
    { from: ['PLANNED', 'ACTIVE'], action: 'drop', to: 'CANCELED', may: 'system', event: 'cutover.canceled' },
  ],
})

/** Where the edition for HarmonyOS is shown alone; no country with SINGLE is everywhere. */
export interface Shown {
  mode: SeriesMode
  singleIn: readonly string[]
}

/** What people see once a cutover is in force: where the edition was shown alone before, it stays so. */
export function shownAfter(before: Shown, countries: readonly string[]): Shown {
  if (countries.length === 0) return { mode: 'SINGLE', singleIn: [] }
  if (before.mode === 'DOUBLE') return { mode: 'SINGLE', singleIn: [...countries].sort() }
  if (before.singleIn.length === 0) return before
  return { mode: 'SINGLE', singleIn: [...new Set([...before.singleIn, ...countries])].sort() }
}
