/** When the answer is fetched: when the app is installed, again and again, or when it is installed by a link. */
export const kinds = ['INSTALL', 'PERIODIC', 'CHAIN_INSTALL'] as const
export type Kind = (typeof kinds)[number]
export const sources = ['FUNCTION', 'SERVER'] as const
export const outcomes = ['HIT', 'STALE', 'MISS', 'ERROR'] as const
export type Outcome = (typeof outcomes)[number]

const hourMs = 3_600_000
export const limits = {
  timeoutSec: 10,
  cacheTtlSec: 86_400,
  tokenChars: 2048,
  paramsChars: 1024,
  linkChars: 2048,
  bodyBytes: 3 * 1024 * 1024,
  urlChars: 1024,
  redirects: 2,
  toldBytes: 1024,
  /** How long the last good answer is kept once it is no longer fresh. */
  keptMs: 24 * hourMs,
  /** A registration is asked for again when so much has passed, and forgotten when nobody renewed it. */
  periodMs: 12 * hourMs,
  registeredMs: 72 * hourMs,
  registrations: 100_000,
  answers: 100_000,
  statisticsHours: 168,
} as const

/** Why an address cannot be a source; null when it can. Plain http is for hosts that the operator opened. */
export function urlProblem(text: string, isOpened: (url: URL) => boolean): 'url' | 'https' | null {
  if (!URL.canParse(text)) return 'url'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'https'
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'url'
  return url.protocol === 'https:' || isOpened(url) ? null : 'https'
}

/** What a device sends with a request. */
export interface Asked {
  token?: string
  params?: string
  link?: string
}

/** What goes to the source: the link of an installation by link, else token and parameters. */
export function wishOf(kind: Kind, appId: string, { token, params, link }: Asked): Record<string, string> {
  if (kind === 'CHAIN_INSTALL') return { appId, ...(link !== undefined && { link }) }
  return { appId, ...(token !== undefined && { token }), ...(params !== undefined && { params }) }
}

/** What is missing in a request, or null. */
export function missingIn(kind: Kind, { token, link }: Asked): 'token' | 'link' | null {
  if (kind === 'CHAIN_INSTALL') return link === undefined ? 'link' : null
  return kind === 'PERIODIC' && token === undefined ? 'token' : null
}

/** JSON or text: what a device may keep; null where it is neither. */
export function typeOf(contentType: string | undefined): string | null {
  const type = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? ''
  const isCode = /javascript|ecmascript|html|xml|wasm|x-sh|x-python/.test(type)
  const isKnown = /^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type) || type.startsWith('text/')
  return isKnown && !isCode ? `${type}; charset=utf-8` : null
}

/** Upper ends of the classes of times that are counted, milliseconds. */
export const timeClasses = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 60_000] as const

export const classOf = (ms: number): number => timeClasses.find(end => ms <= end) ?? 60_000

/** The time that so many of a hundred do not exceed, by classes; 0 where nothing was counted. */
export function percentileOf(counts: readonly { upToMs: number; count: number }[], percent: number): number {
  const total = counts.reduce((sum, one) => sum + one.count, 0)
  let seen = 0
  for (const { upToMs, count } of counts.toSorted((one, other) => one.upToMs - other.upToMs)) {
    seen += count
    if (seen * 100 >= total * percent) return upToMs
  }
  return 0
}
