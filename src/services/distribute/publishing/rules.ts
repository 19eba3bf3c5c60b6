export const limits = {
  idsLength: 4000,
  namesLength: 4096,
  appsAtOnce: 50,
  uploadLifeMs: 3_600_000,
  /** How long a submit waits for the file of the developer's own server, and for how long at a time. */
  fetchSeconds: 600,
  waitSeconds: 20,
} as const

/**
 * Epoch milliseconds of `2026-12-01T09:00:00+0100`, also with a colon or `Z`; null for anything else. A plus that came
 * through an address as a space is one.
 */
export function instantOf(written: string): number | null {
  const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+ -]\d\d:?\d\d)$/
  const [, time, zone] = pattern.exec(written.trim()) ?? []
  if (time === undefined || zone === undefined) return null
  const offset = zone.replace(' ', '+').replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const instant = Date.parse(time + offset)
  return Number.isNaN(instant) ? null : instant
}

/** The object of an address that an upload answered, or of its bare id; null for anything else. */
export function objectIdOf(address: string): string | null {
  return /(?:^|\/object\/)([a-z]{2}\/\d{10}\/[0-9a-f-]{36}\.[a-z0-9]+)(?:\?|$)/.exec(address)?.[1] ?? null
}

/** Refusals that tell of the app's business; the field answers them with HTTP 200 and their number in `ret`. */
export function isBusiness(status: number): boolean {
  return status === 400 || status === 409 || status === 413 || status === 415 || status === 422
}
