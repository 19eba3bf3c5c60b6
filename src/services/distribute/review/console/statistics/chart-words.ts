import { localeOf } from '../../../../../console/language.ts'
import { shownLanguage } from '../../../../../console/shown.ts'

const locale = () => localeOf[shownLanguage()]

/** `21.11.`, as the language on screen writes it. */
export function dayText(day: string): string {
  const format = new Intl.DateTimeFormat(locale(), { day: '2-digit', month: '2-digit', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** Ticks between whole numbers have no text. */
export function wholeText(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString(locale()) : ''
}

/** Less than an hour has digits that tell one value from the next. */
export function hoursText(value: number): string {
  return value.toLocaleString(locale(), value < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 })
}

/** Where an axis ends so that the largest value has air above it. */
export function topOf(values: readonly number[]): number {
  const top = Math.max(...values, 0)
  return top === 0 ? 1 : top * 1.1
}
