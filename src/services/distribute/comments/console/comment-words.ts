import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { shownLocale } from '../../../../console/shown.ts'
import type { CommentState, ReplyState } from '../rules.ts'

export const toneOfReply: Readonly<Record<ReplyState, Tone>> = {
  PENDING_CHECK: 'waiting',
  VISIBLE: 'good',
  REJECTED: 'bad',
  DELETED: 'off',
}

export const toneOfComment: Readonly<Record<CommentState, Tone>> = {
  VISIBLE: 'good',
  APPEALED: 'waiting',
  HIDDEN: 'stopped',
  DELETED: 'off',
}

/** `21.11.`, as the language on screen writes it. */
export function dayText(day: string): string {
  const options = { day: '2-digit', month: '2-digit', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(shownLocale(), options).format(new Date(`${day}T00:00:00Z`))
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** A time in the largest unit that it fills: `3 hours`. */
export function spanText(ms: number): string {
  const [value, unit] =
    ms >= 2 * dayMs
      ? [ms / dayMs, 'day']
      : ms >= 2 * hourMs
        ? [ms / hourMs, 'hour']
        : [Math.max(1, ms / minuteMs), 'minute']
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return new Intl.NumberFormat(shownLocale(), options).format(value)
}
