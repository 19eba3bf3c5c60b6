const formats = new Map<string, Intl.DateTimeFormat>()

function partsOf(at: number, timeZone: string): Record<string, string> {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

/**
 * A Russian date (specification, section 9): DD.MM.YYYY, with HH:mm or HH:mm:ss where asked. `at` is epoch milliseconds,
 * the time zone an IANA name; throws RangeError for one that nobody knows.
 */
export function russianDate(at: number, timeZone: string, time: 'none' | 'minutes' | 'seconds' = 'none'): string {
  const { day, month, year = '', hour, minute, second } = partsOf(at, timeZone)
  const date = `${day}.${month}.${year.padStart(4, '0')}`
  if (time === 'none') return date
  return time === 'minutes' ? `${date} ${hour}:${minute}` : `${date} ${hour}:${minute}:${second}`
}

/** An instant for machines and exports: ISO 8601 in UTC, to the second. */
export function isoInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, -5)}Z`
}
