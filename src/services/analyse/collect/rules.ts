import ipaddr from 'ipaddr.js'

export const limits = {
  eventsOfBatch: 500,
  batchBytes: 512 * 1024,
  eventBytes: 16 * 1024,
  /** Of a value; what is longer is cut and the event marked. */
  textLength: 1024,
  keyLength: 64,
  propsOfEvent: 100,
  /** Of a batch in an address: with everything else it must fit into the 16 KiB of a request's head. */
  queryLength: 8_192,
  keptDays: 90,
  saltMs: 48 * 3_600_000,
  eventsPerSecond: 2_000,
  eventsAtOnce: 10_000,
  daysOfUse: 90,
  stepsOfFunnel: 6,
  /** Rows of a breakdown; the rest is one number. */
  shares: 100,
  /** Of a page or a button; a longer one is refused, for it is no name. */
  nameLength: 200,
  /** Pages, and as many buttons, that a zone keeps of a team; new ones beyond them count as `otherName`. */
  namesOfKind: 500,
} as const

/** What an event names: the page it happened on, and of a click the button. */
export const nameKinds = ['page', 'action'] as const
export type NameKind = (typeof nameKinds)[number]
/** What pages and buttons beyond the bound are counted as. */
export const otherName = 'other'
/** What of a team's use makes a file. */
export const teamSheets = ['day', ...nameKinds] as const
/** What a list of names is sorted by. */
export const nameSorts = ['events', 'visitors', 'name'] as const

export const eventNames = ['page', 'click'] as const
export const languages = ['zh', 'en', 'ru'] as const
export const faces = ['developer', 'reviewer', 'provider', 'visitor'] as const
/** What use is broken down by. */
export const breakdowns = ['page', 'action', 'language', 'face', 'serviceItem', 'sourceChannel'] as const
export const periods = [7, 30, 90] as const

const minuteMs = 60_000
export const dayMs = 86_400_000

/** A UTC day as `2026-11-22`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/**
 * When an event happened by our clock. A sender whose clock is more than a minute off is put right by as much; what is still
 * more than five minutes ahead counts as now; what is older than seven days is late.
 */
export function settleTime(at: number, sentAt: number | undefined, receivedAt: number) {
  const off = sentAt === undefined ? 0 : receivedAt - sentAt
  const isFixed = Math.abs(off) > minuteMs
  const told = Math.max(0, isFixed ? at + off : at)
  const isAhead = told > receivedAt + 5 * minuteMs
  return {
    at: isAhead ? receivedAt : told,
    isClockFixed: isFixed || isAhead,
    isLate: told < receivedAt - 7 * dayMs,
  }
}

/** Text as PostgreSQL keeps it: no NUL, no half of a pair, not longer than `most`. */
export function cutText(value: string, most: number = limits.textLength): { text: string; isCut: boolean } {
  const clean = value.replaceAll('\0', '').toWellFormed()
  if (clean.length <= most) return { text: clean, isCut: clean.length !== value.length }
  const isHalved = /[\uD800-\uDBFF]/.test(clean.charAt(most - 1))
  return { text: clean.slice(0, isHalved ? most - 1 : most), isCut: true }
}

const keyPattern = /^[A-Za-z_][A-Za-z0-9_]*$/

type Props = Record<string, string | number | boolean>

/** The properties that are kept: a hundred, with keys of letters, digits and underscores, and texts cut to length. */
export function keepProps(given: Props): { props: Props; isCut: boolean } {
  let isCut = false
  const kept: [string, string | number | boolean][] = []
  for (const [key, value] of Object.entries(given)) {
    if (kept.length >= limits.propsOfEvent || key.length > limits.keyLength || !keyPattern.test(key)) {
      isCut = true
    } else if (typeof value === 'string') {
      const short = cutText(value)
      isCut ||= short.isCut
      kept.push([key, short.text])
    } else kept.push([key, value])
  }
  return { props: Object.fromEntries(kept), isCut }
}

const botWords = /bot\b|crawl|spider|slurp|headless|phantom|curl|wget|python|scrapy|httpclient|monitor|preview/i

/** Whether a sender says itself that nobody looks. Such events are kept and marked. */
export function isBotAgent(userAgent: string | undefined): boolean {
  return userAgent === undefined || userAgent.trim() === '' || botWords.test(userAgent)
}

/** What a JSONP callback may be called: nothing but a path of names. */
export const callbackPattern = '^[A-Za-z_$][\\w$.]{0,63}$'

/** The script that a JSONP call answers. The comment keeps what is in front from being read as another kind of file. */
export function jsonpScript(callback: string, value: unknown): string {
  const json = JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `/**/${callback}(${json});`
}

/** The network of an address: 24 bits of IPv4, 48 of IPv6; all that is ever looked at of where somebody is. */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return ''
  const read = ipaddr.process(address)
  return read.kind() === 'ipv4'
    ? (read as ipaddr.IPv4).octets.slice(0, 3).join('.')
    : (read as ipaddr.IPv6).parts.slice(0, 3).join(':')
}

interface Level {
  tokens: number
  at: number
}

/** Senders remembered at once; beyond them all begin anew, so that a flood of addresses fills no memory. */
const mostSenders = 20_000

/** So many events a second for each sender, and so many at once. */
export class EventAllowance {
  readonly #perSecond: number
  readonly #atOnce: number
  readonly #levels = new Map<string, Level>()

  constructor(perSecond: number = limits.eventsPerSecond, atOnce: number = limits.eventsAtOnce) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
  }

  /** Takes `events`; 0 where there were as many, else the seconds until there are. */
  take(sender: string, events: number, now: number): number {
    const before = this.#levels.get(sender)
    const gained = before ? (Math.max(0, now - before.at) * this.#perSecond) / 1000 : this.#atOnce
    const tokens = Math.min(this.#atOnce, (before?.tokens ?? 0) + gained)
    if (!before && this.#levels.size >= mostSenders) this.#levels.clear()
    const isEnough = tokens >= events
    this.#levels.set(sender, { tokens: isEnough ? tokens - events : tokens, at: now })
    return isEnough ? 0 : Math.max(1, Math.ceil((events - tokens) / this.#perSecond))
  }
}
