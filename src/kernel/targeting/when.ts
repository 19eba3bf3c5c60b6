const day = 86_400_000

/** Offsets change at full quarters of an hour since then; before, they did not. */
const steadySince = Date.UTC(1972, 0, 1)
const quarter = 900_000

type OffsetAt = (at: number) => number
const zones = new Map<string, OffsetAt>()

function offsetsOf(zone: string): OffsetAt {
  const known = zones.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  })
  const compute = (at: number) => {
    const parts: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(at)) parts[type] = value
    const year = parts['era']?.startsWith('B') ? 1 - Number(parts['year']) : Number(parts['year'])
    const local = new Date(0)
    local.setUTCFullYear(year, Number(parts['month']) - 1, Number(parts['day']))
    local.setUTCHours(Number(parts['hour']), Number(parts['minute']), Number(parts['second']))
    return local.getTime() - Math.floor(at / 1000) * 1000
  }
  let lastQuarter = Number.NaN
  let lastOffset = 0
  const offsets: OffsetAt = at => {
    if (at < steadySince) return compute(at)
    const now = Math.floor(at / quarter)
    if (now !== lastQuarter) {
      lastOffset = compute(at)
      lastQuarter = now
    }
    return lastOffset
  }
  if (zones.size < 1000) zones.set(zone, offsets)
  return offsets
}

/** Whether a value is the IANA name of a time zone; offsets like +03:00 are none. */
export function isZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/.test(value)) return false
  if (zones.has(value)) return true
  try {
    offsetsOf(value)
    return true
  } catch {
    return false
  }
}

/** The local day of the week, 0 (Sunday) to 6, and hour of instants in a zone. */
export function clockOf(zone: string): { dayAt(at: number): number; hourAt(at: number): number } {
  const offsetAt = offsetsOf(zone)
  return {
    // The first of January 1970 was a Thursday.
    dayAt: at => (((Math.floor((at + offsetAt(at)) / day) + 4) % 7) + 7) % 7,
    hourAt: at => ((Math.floor((at + offsetAt(at)) / 3_600_000) % 24) + 24) % 24,
  }
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Epoch milliseconds of a number or of an ISO 8601 text. A text without offset is local to `zone`: a time that a change of
 * the clock skips is read with the offset before it, one that comes twice is the first. Undefined when it is no instant.
 */
export function instantOf(value: unknown, zone: string | undefined): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? value : undefined
  if (typeof value !== 'string' || value.length > 40) return undefined
  const parts = form.exec(value)
  if (!parts) return undefined
  const [, year, month, date, hour = '0', minute = '0', second = '0', fraction = '', offset] = parts
  const local = new Date(0)
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(date))
  const isDate = local.getUTCMonth() === Number(month) - 1 && local.getUTCDate() === Number(date)
  if (!isDate || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const thousandths = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const wall = local.setUTCHours(Number(hour), Number(minute), Number(second), thousandths)
  if (offset === 'Z') return wall
  if (offset !== undefined) return wall - offsetMs(offset)
  return zone === undefined ? undefined : instantOfWall(wall, offsetsOf(zone))
}

function offsetMs(text: string): number {
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2))
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}

function instantOfWall(wall: number, offsetAt: OffsetAt): number {
  const earlier = offsetAt(wall - day)
  const later = offsetAt(wall + day)
  if (offsetAt(wall - earlier) === earlier) return wall - earlier
  if (offsetAt(wall - later) === later) return wall - later
  return wall - earlier
}
