const storageKey = 'loggia.clock'
/** Answers tell whole seconds and take a while; what is less than this is no difference of clocks. */
const noticedMs = 30_000

let skewMs: number | undefined

/** Epoch milliseconds by the server's clock, as far as its last answer told: a laptop may be a day off, or jump. */
export function serverNow(): number {
  skewMs ??= Number(localStorage.getItem(storageKey)) || 0
  return Date.now() + skewMs
}

/** Learns from the `Date` of an answer. */
export function learnClock(date: string | null): void {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told) || Math.abs(told - serverNow()) < noticedMs) return
  const difference = told - Date.now()
  skewMs = Math.abs(difference) < noticedMs ? 0 : difference
  localStorage.setItem(storageKey, String(skewMs))
}
