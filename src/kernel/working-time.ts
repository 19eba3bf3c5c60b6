import type { ZoneId } from './zones.ts'

/** When a zone's staff works. Hours are whole and local; days are numbered from Sunday, 0. */
export interface WorkingCalendar {
  timeZone: string
  days: readonly number[]
  fromHour: number
  toHour: number
  /** Local days nobody works, as `MM-DD`, every year. */
  holidays: readonly string[]
}

const mondayToFriday = [1, 2, 3, 4, 5]

/** One calendar a zone; Iran works from Saturday to Wednesday. Only holidays of a fixed date are in it. */
export const workingCalendars: Readonly<Record<ZoneId, WorkingCalendar>> = {
  CN: {
    timeZone: 'Asia/Shanghai',
    days: mondayToFriday,
    fromHour: 9,
    toHour: 18,
    holidays: ['01-01', '05-01', '10-01', '10-02', '10-03'],
  },
  SG: {
    timeZone: 'Asia/Singapore',
    days: mondayToFriday,
    fromHour: 9,
    toHour: 18,
    holidays: ['01-01', '05-01', '08-09', '12-25'],
  },
  DE: {
    timeZone: 'Europe/Berlin',
    days: mondayToFriday,
    fromHour: 9,
    toHour: 18,
    holidays: ['01-01', '05-01', '10-03', '12-25', '12-26'],
  },
  RU: {
    timeZone: 'Europe/Moscow',
    days: mondayToFriday,
    fromHour: 9,
    toHour: 18,
    holidays: ['01-01', '01-02', '01-03', '01-07', '02-23', '03-08', '05-01', '05-09', '06-12', '11-04'],
  },
  IR: { timeZone: 'Asia/Tehran', days: [6, 0, 1, 2, 3], fromHour: 9, toHour: 18, holidays: ['03-21', '03-22'] },
}

const hourMs = 3_600_000
const dayMs = 86_400_000
/** A due time further away than this is a fault in the calendar, not a plan. */
const horizonDays = 400

/** Working hours of one day of the calendar. */
export function hoursOfDay(calendar: WorkingCalendar): number {
  return calendar.toHour - calendar.fromHour
}

/** The instant that is `workMs` of working time after `start`; with none left it is the next instant somebody works. */
export function afterWorking(calendar: WorkingCalendar, start: number, workMs: number): number {
  let left = workMs
  for (const [opens, closes] of spansFrom(calendar, start)) {
    const from = Math.max(opens, start)
    if (left <= closes - from) return from + left
    left -= closes - from
  }
  throw new Error('the working calendar has no working days')
}

/** Working time between two instants, in milliseconds; nothing when the second is not later. */
export function workingBetween(calendar: WorkingCalendar, start: number, end: number): number {
  let sum = 0
  for (const [opens, closes] of spansFrom(calendar, start)) {
    if (opens >= end) break
    sum += Math.max(0, Math.min(closes, end) - Math.max(opens, start))
  }
  return sum
}

/** Working spans that end after `start`, one a day, in order. */
function* spansFrom(calendar: WorkingCalendar, start: number): Generator<[opens: number, closes: number]> {
  const first = localDay(calendar, start)
  for (let index = 0; index < horizonDays; index++) {
    const day = new Date(first + index * dayMs)
    if (!calendar.days.includes(day.getUTCDay())) continue
    if (calendar.holidays.includes(day.toISOString().slice(5, 10))) continue
    const opens = instantOf(calendar, day.getTime() + calendar.fromHour * hourMs)
    const closes = instantOf(calendar, day.getTime() + calendar.toHour * hourMs)
    if (closes > start) yield [opens, closes]
  }
}

/** Midnight of the local day, written as if it were UTC. */
function localDay(calendar: WorkingCalendar, at: number): number {
  const local = at + offsetAt(calendar.timeZone, at)
  return local - (((local % dayMs) + dayMs) % dayMs)
}

/** The instant of a local time that is written as if it were UTC; office hours never fall into a change of the clocks. */
function instantOf(calendar: WorkingCalendar, local: number): number {
  const guess = local - offsetAt(calendar.timeZone, local)
  return local - offsetAt(calendar.timeZone, guess)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(timeZone: string, at: number): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(at).find(part => part.type === 'timeZoneName')?.value ?? ''
  const found = /([+-])(\d{2}):(\d{2})/.exec(name)
  if (!found) return 0
  const minutes = Number(found[2]) * 60 + Number(found[3])
  return (found[1] === '-' ? -minutes : minutes) * 60_000
}
