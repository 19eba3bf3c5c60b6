import { Cron } from 'croner'
import type { DigestChoice } from './rules.ts'

/** A digest that is due, or was last. `period` names it for ever: the local day, so a clock set back makes no second one. */
export interface DigestPeriod {
  period: string
  /** Epoch milliseconds. */
  at: number
}

/**
 * The last digest at or before `now`. A time of day that the change to summer time leaves out is the next valid minute;
 * one that comes twice is the first.
 */
export function lastDigest(now: number, choice: DigestChoice): DigestPeriod {
  const afterThisSecond = Math.floor(now / 1000) * 1000 + 1000
  const at = clockOf(choice).previousRuns(1, new Date(afterThisSecond))[0]?.getTime() ?? 0
  return { period: `${choice.digest} ${localDay(at, choice.timeZone)}`, at }
}

/** When the first digest after `now` is. Epoch milliseconds. */
export function nextDigestAt(now: number, choice: DigestChoice): number {
  return clockOf(choice).nextRun(new Date(now))?.getTime() ?? now
}

/** Weekly ones come on Mondays. */
function clockOf({ digest, digestAt, timeZone }: DigestChoice): Cron {
  const [hour, minute] = digestAt.split(':').map(Number)
  return new Cron(`0 ${minute} ${hour} * * ${digest === 'weekly' ? '1' : '*'}`, { timezone: timeZone, paused: true })
}

function localDay(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}
