const day = 86_400_000
const two = (number: number) => String(number).padStart(2, '0')

/** The last minute of a day by the reader's clock. */
function endOf(at: number): number {
  return new Date(at).setHours(23, 59, 0, 0)
}

export const endOfDayIn = (days: number) => endOf(Date.now() + days * day)

/** `2026-11-22`, as a date picker has it. */
export function dayText(at: number | null): string {
  if (at === null) return ''
  const local = new Date(at)
  return `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`
}

/** The end of the day that was picked, or null. */
export function endOfDay(text: string): number | null {
  const at = new Date(`${text}T00:00`).getTime()
  return Number.isNaN(at) ? null : endOf(at)
}
