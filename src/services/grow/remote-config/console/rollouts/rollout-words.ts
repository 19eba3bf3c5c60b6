import type { TFunction } from 'i18next'
import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { shownLocale } from '../../../../../console/shown.ts'
import type { RolloutView } from '../../rollouts/contract.ts'

export const rolloutTones: Readonly<Record<RolloutView['state'], Tone>> = {
  draft: 'off',
  scheduled: 'waiting',
  running: 'running',
  paused: 'caution',
  completed: 'good',
  rolledBack: 'bad',
  cancelled: 'stopped',
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** What a form offers as holds besides a wait for approval, in milliseconds; 0 is for 100 % only. */
export const holds = [hourMs, 6 * hourMs, 12 * hourMs, dayMs, 2 * dayMs, 3 * dayMs, 7 * dayMs, 14 * dayMs] as const

/** How long a step is held, in words. */
export function holdText(t: TFunction<'grow/remote-config'>, holdMs: number | null): string {
  if (holdMs === null) return t('rollouts.untilApproved')
  if (holdMs === 0) return t('rollouts.notHeld')
  if (holdMs % dayMs === 0) return t('rollouts.daysLong', { days: holdMs / dayMs })
  if (holdMs % hourMs === 0) return t('rollouts.hoursLong', { hours: holdMs / hourMs })
  return t('rollouts.minutesLong', { minutes: Math.round(holdMs / minuteMs) })
}

export const percentText = (percent: number) => percent.toLocaleString(shownLocale(), { maximumFractionDigits: 2 })

/** The value that a rollout replaces: that of a condition, or the default. */
export const branchText = (t: TFunction<'grow/remote-config'>, condition: string | null) =>
  condition === null ? t('rollouts.default') : t('rollouts.underCondition', { name: condition })

/** A time as an input of day and time wants it, on the clock of whoever looks. */
export function typedTime(at: number): string {
  const minutes = new Date(at).getTimezoneOffset()
  return new Date(at - minutes * minuteMs).toISOString().slice(0, 16)
}
