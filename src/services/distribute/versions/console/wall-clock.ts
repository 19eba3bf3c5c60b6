/** A day as `2027-03-28` and a time as `02:30`, by the clock on the reader's wall. */
export interface WallTime {
  date: string
  time: string
}

const two = (number: number) => String(number).padStart(2, '0')

/** What the wall shows at an instant; empty for none. */
export function wallTimeOf(at: number | null): WallTime {
  if (at === null) return { date: '', time: '' }
  const local = new Date(at)
  const date = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`
  return { date, time: `${two(local.getHours())}:${two(local.getMinutes())}` }
}

/**
 * The instant at which the wall shows that; null for what is no time. Of an hour that comes twice the first is meant, and
 * one that the clocks leave out is taken as that much later.
 */
export function instantAt({ date, time }: WallTime): number | null {
  const at = new Date(`${date}T${time}`).getTime()
  return Number.isNaN(at) ? null : at
}
