export const limits = { idsLength: 4000, namesLength: 4096, appsAtOnce: 50, uploadLifeMs: 3_600_000 } as const

/** `en-US` and `zh-Hans-CN` as the keys of listings have it: `enUS`, `zhCN`. */
export function languageKeyOf(tag: string): string {
  const [language = '', ...rest] = tag.trim().split(/[-_]/)
  return language + (rest.at(-1) ?? '')
}

/** `enUS` as the field writes it: `en-US`. */
export function languageTagOf(key: string): string {
  return key.replace(/^([a-z]{2,3})([A-Z]{2}|\d{3})$/, '$1-$2')
}

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

/** A share with two decimals, as `5.00`; what is no number is left as it is, to be refused. */
export function percentOf(written: number | string): string {
  const share = Number(written)
  return Number.isFinite(share) ? share.toFixed(2) : String(written)
}

/** The object of an address that an upload answered, or of its bare id; null for anything else. */
export function objectIdOf(address: string): string | null {
  return /(?:^|\/object\/)([a-z]{2}\/\d{10}\/[0-9a-f-]{36}\.[a-z0-9]+)(?:\?|$)/.exec(address)?.[1] ?? null
}

/** Of a package's state: 0 done, 1 in progress, 2 refused; and the same as bundles were asked for: 2 done, 1, 3. */
export function compileStatusOf(state: string): { successStatus: 0 | 1 | 2; aabCompileStatus: 1 | 2 | 3 } {
  if (state === 'READY') return { successStatus: 0, aabCompileStatus: 2 }
  if (state === 'FAILED') return { successStatus: 2, aabCompileStatus: 3 }
  return { successStatus: 1, aabCompileStatus: 1 }
}

/** What the field's words for a phased release mean here; null for others. */
export function phasedStateOf(word: string): 'RELEASE' | 'SUSPEND' | 'CANCEL' | 'ROLLBACK' | null {
  if (word === 'GRAY_TERMINATED') return 'CANCEL'
  return word === 'RELEASE' || word === 'SUSPEND' || word === 'CANCEL' || word === 'ROLLBACK' ? word : null
}

/** Refusals that tell of the app's business; the field answers them with HTTP 200 and their number in `ret`. */
export function isBusiness(status: number): boolean {
  return status === 400 || status === 409 || status === 413 || status === 415 || status === 422
}
