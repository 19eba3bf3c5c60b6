import { storeLanguage } from '../store-calls.ts'

/** `21.11.`, as the language on screen writes it. */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat(storeLanguage(), { day: '2-digit', month: '2-digit', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}

/** Ticks between whole numbers have no text. */
export function wholeText(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString(storeLanguage()) : ''
}

/** Where an axis ends so that the largest value has air above it. */
export function topOf(values: readonly number[]): number {
  const top = Math.max(...values, 1)
  return top <= 4 ? top + 1 : top * 1.1
}
