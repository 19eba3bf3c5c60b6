import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { shownLocale } from '../../../../../console/shown.ts'
import { type Gate, type GateMetric, isOfStars } from '../../gates/rules.ts'
import type { PhasedAction, PhasedState } from '../../phased/rules.ts'

export const opText: Record<Gate['op'], string> = { '>': '>', '>=': '≥', '<': '<', '<=': '≤' }

/** `2,5 %` as the language on screen writes it. */
export function percentText(value: number): string {
  const form = new Intl.NumberFormat(shownLocale(), { style: 'percent', maximumFractionDigits: 2 })
  return form.format(value / 100)
}

/** A limit or reading of a metric: percent, or stars as a bare number. */
export function amountText(metric: GateMetric, value: number): string {
  if (!isOfStars(metric)) return percentText(value)
  return new Intl.NumberFormat(shownLocale(), { maximumFractionDigits: 2 }).format(value)
}

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
  setGates: 'waiting',
  pause: 'caution',
  resume: 'running',
  raise: 'running',
  advance: 'running',
  complete: 'good',
  cancel: 'stopped',
  rollBack: 'bad',
}

/** In the order people look for them, the one that leads on last; the gates have their own place. */
export const shownPhasedActions = ['drop', 'cancel', 'rollBack', 'pause', 'resume', 'raise', 'complete'] as const
export type ShownPhasedAction = (typeof shownPhasedActions)[number]

/** What the system says for itself; a person's reason stands as it was written. */
export const systemReasons: readonly string[] = [
  'pauseBudget',
  'newer',
  'offShelf',
  'curve',
  'endTime',
  'forward',
  'gate',
]
