import { wholeBasisPoints } from '../../../../kernel/bucketing.ts'
import { lifeCycle } from '../../../../kernel/life-cycle.ts'
import type { Ramp, RampState, RampStep } from '../../../../kernel/ramp/ramp.ts'
import { stoodFor } from '../../../../kernel/ramp/timing.ts'

export const phasedKinds = ['CURVE7', 'PERCENT'] as const
export const samplings = ['STICKY', 'FRESH'] as const
export const newInstallWays = ['FOLLOW', 'ALWAYS_NEW', 'ALWAYS_OLD'] as const
export type PhasedKind = (typeof phasedKinds)[number]
export type Sampling = (typeof samplings)[number]
export type NewInstalls = (typeof newInstallWays)[number]

export const phasedStates = ['DRAFT', 'RELEASE', 'SUSPEND', 'CANCEL', 'COMPLETE', 'ROLLED_BACK'] as const
export type PhasedState = (typeof phasedStates)[number]
export const phasedActions = [
  'drop',
  'start',
  'setGates',
  'pause',
  'resume',
  'raise',
  'advance',
  'complete',
  'cancel',
  'rollBack',
] as const
export type PhasedAction = (typeof phasedActions)[number]
export type PhasedFact = 'hasPauseLeft'

const live = ['RELEASE', 'SUSPEND'] as const
const may = 'versions.release'

/** Distribution 3.11. */
export const phasedLifeCycle = lifeCycle<PhasedState, PhasedAction, PhasedFact>({
  entity: 'phased',
  states: phasedStates,
  moves: [
    { from: ['DRAFT'], action: 'drop', to: 'CANCEL', may, event: 'phased.cancelled' },
    { from: ['DRAFT'], action: 'start', to: 'RELEASE', may: 'system', event: 'phased.started' },
    { from: ['DRAFT'], action: 'setGates', to: 'DRAFT', may, event: 'phased.gates_changed' },
    { from: ['RELEASE'], action: 'setGates', to: 'RELEASE', may, event: 'phased.gates_changed' },
    { from: ['SUSPEND'], action: 'setGates', to: 'SUSPEND', may, event: 'phased.gates_changed' },
    { from: ['RELEASE'], action: 'pause', to: 'SUSPEND', may, needs: ['hasPauseLeft'], event: 'phased.paused' },
    { from: ['SUSPEND'], action: 'resume', to: 'RELEASE', may, needs: ['hasPauseLeft'], event: 'phased.resumed' },
    { from: ['RELEASE'], action: 'raise', to: 'RELEASE', may, event: 'phased.advanced' },
    { from: ['RELEASE'], action: 'advance', to: 'RELEASE', may: 'system', event: 'phased.advanced' },
    { from: live, action: 'complete', to: 'COMPLETE', may, event: 'phased.completed' },
    { from: live, action: 'cancel', to: 'CANCEL', may, event: 'phased.cancelled' },
    { from: live, action: 'rollBack', to: 'ROLLED_BACK', may, event: 'phased.rolled_back' },
  ],
})

export const isLive = (state: PhasedState) => (live as readonly PhasedState[]).includes(state)

const dayMs = 86_400_000

export const phasedLimits = {
  descriptionLength: 500,
  pauseDays: 30,
  pauseMs: 30 * dayMs,
  endLatestMs: 180 * dayMs,
  reasonMin: 10,
  reasonMax: 500,
} as const

/** The share of each day in basis points: 1, 2, 5, 10, 20, 50 and 100 percent. */
export const curve = [100, 200, 500, 1000, 2000, 5000, wholeBasisPoints] as const
export const lastDay = curve.length

/** The share of a day of the curve, counted from 1. */
export function shareOfDay(day: number): number {
  return curve[Math.min(Math.max(day, 1), lastDay) - 1] as number
}

export const percentPattern = '^(100(\\.00?)?|[0-9]{1,2}(\\.[0-9]{1,2})?)$'

/** `12.5` is 1250 basis points. The text has the pattern above. */
export function basisPointsOf(percent: string): number {
  const [whole = '0', part = ''] = percent.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** 1250 basis points are `12.50`. */
export function percentOf(basisPoints: number): string {
  return (basisPoints / 100).toFixed(2)
}

export const firstDayEnds = (now: number) => now + dayMs

const rampStateOf: Readonly<Record<PhasedState, RampState>> = {
  DRAFT: 'draft',
  RELEASE: 'running',
  SUSPEND: 'paused',
  CANCEL: 'cancelled',
  COMPLETE: 'completed',
  ROLLED_BACK: 'rolledBack',
}

/** A day is a step of the curve; the last one is not held: with it the release is complete. */
const curveSteps: readonly RampStep[] = curve.map(share => ({
  percent: share / 100,
  holdMs: share === wholeBasisPoints ? 0 : dayMs,
}))

/** A phased release as the ramp engine sees it: a curve goes by its days, a share waits for somebody to raise it. */
export function rampOf(row: {
  kind: PhasedKind
  state: PhasedState
  percentBp: number
  day: number | null
  nextDayAt: number | null
  pausedAt: number | null
  salt: string
}): Ramp {
  const isCurve = row.kind === 'CURVE7'
  return {
    state: rampStateOf[row.state],
    steps: isCurve ? curveSteps : [{ percent: row.percentBp / 100, holdMs: null }],
    step: isCurve ? Math.max(row.day ?? 1, 1) - 1 : 0,
    dueAt: row.nextDayAt,
    pausedAt: row.pausedAt,
    seed: row.salt,
  }
}

interface Paused {
  pausedAt: number | null
  totalPausedMs: number
}

/** All its pauses together, the one that lasts included. */
export function pausedMs({ pausedAt, totalPausedMs }: Paused, now: number): number {
  return totalPausedMs + stoodFor(pausedAt, now)
}

export function phasedFactsOf(row: Paused, now: number): Record<PhasedFact, boolean> {
  return { hasPauseLeft: pausedMs(row, now) < phasedLimits.pauseMs }
}

/** The salt of the draw: with STICKY a device stands at the same place in every release of the app. */
export function saltOf(sampling: Sampling, appId: string, versionId: string): string {
  return sampling === 'STICKY' ? appId : versionId
}
