import { lookup, resolveTxt } from 'node:dns/promises'
import net, { type LookupFunction, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { Config } from './config.ts'
import { asOutside, limitBody } from './outside/limited-body.ts'
import { OutsideError } from './outside/outside-error.ts'
import { type AllowedTarget, isAddressAllowed, isHostAllowed, readAllowed } from './outside/targets.ts'

export interface OutsideRequest {
  /** GET unless said. */
  method?: Dispatcher.HttpMethod
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Of the answer's body, counted after decompression. */
  limitBytes: number
  /** For everything, redirects and body too. */
  timeoutMs: number
  signal?: AbortSignal
  /** `false` gives an answer that leads elsewhere as it is: for what is meant for one receiver only. */
  follows?: boolean
}

export interface OutsideAnswer {
  status: number
  /** Names in lower case; what came twice is joined with a comma. */
  headers: Record<string, string>
  /** Ends with an `OutsideError` when it is too large, too slow or cut. Read it or destroy it. */
  body: Readable
}

/** How names become addresses; another one only in tests. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** What names say of themselves; another one only in tests. */
export type ResolveTexts = (hostname: string) => Promise<readonly string[][]>

const maxRedirects = 5
const maxTexts = 100
const maxHeaderBytes = 16_384
const connectTimeoutMs = 5_000
const slowWindowMs = 10_000
const minBytesPerSecond = 64
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Ours to set, never a person's: security.md D7. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|cookie2?|proxy-.*|forwarded|x-forwarded-.*|accept-encoding)$/i
const boundToHost = /^(authorization|cookie|x-api-key|.*(token|secret|signature).*)$/i

const ofSystem: Resolve = async hostname => (await lookup(hostname, { all: true })).map(one => one.address)

/**
 * The one way out of this server: requests to addresses that people gave. Names are resolved here and the connection
 * goes to an address that was checked, so a name that changes in between wins nothing.
 */
export class Outbound {
  readonly #allowed: readonly AllowedTarget[]
  readonly #ownHosts: ReadonlySet<string>
  readonly #resolve: Resolve
  readonly #resolveTexts: ResolveTexts
  readonly #door: { port: number; ca: string } | undefined
  readonly #agent: Agent
  readonly #slowWindowMs: number

  constructor(options: {
    allow: readonly string[]
    ownHosts?: readonly string[]
    resolve?: Resolve
    slowWindowMs?: number
    resolveTexts?: ResolveTexts
    /** Where https connections are made to and whose certificates count there, for tests. */
    door?: { port: number; ca: string }
  }) {
    this.#allowed = options.allow.map(readAllowed)
    this.#ownHosts = new Set(options.ownHosts)
    this.#resolve = options.resolve ?? ofSystem
    this.#resolveTexts = options.resolveTexts ?? resolveTxt
    this.#door = options.door
    this.#slowWindowMs = options.slowWindowMs ?? slowWindowMs
    this.#agent = new Agent({
      connect: (target, callback) => void this.#connect(target, callback),
      pipelining: 0,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 15_000,
      bodyTimeout: 15_000,
    })
  }

  /** Refuses an address that can be seen to be no public one, for forms and saved settings. Throws `OutsideError`. */
  check(address: string | URL): URL {
    const url = URL.canParse(String(address)) ? new URL(address) : null
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    if (!url || !isWeb || url.username !== '' || url.password !== '') throw new OutsideError('address')
    if (isHostAllowed(this.#allowed, url.hostname, portOf(url))) return url
    const isAddress = url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname)
    if (isAddress && !isAddressAllowed(this.#allowed, bare(url.hostname))) throw new OutsideError('address')
    if (this.#ownHosts.has(url.hostname.replace(/\.$/, ''))) throw new OutsideError('address')
    return url
  }

  /** As `check`, and the name leads to a public address now: for addresses that are kept. Asks the network. Throws `OutsideError`. */
  async find(address: string | URL): Promise<URL> {
    const url = this.check(address)
    await this.#addressesOf(url as unknown as buildConnector.Options).catch(error => Promise.reject(asOutside(error)))
    return url
  }

  /**
   * Fetches an address that somebody gave: http or https to a public host, or to what `LOGGIA_OUTBOUND_ALLOW` opens.
   * Follows at most 5 redirects, each checked alike, without secrets to another host. Throws `OutsideError`.
   */
  async fetch(address: string | URL, request: OutsideRequest): Promise<OutsideAnswer> {
    let url = this.check(address)
    const signal = AbortSignal.any([
      AbortSignal.timeout(request.timeoutMs),
      ...(request.signal ? [request.signal] : []),
    ])
    let sending = checkedSending(request)
    for (let turns = 0; ; turns++) {
      const answer = await this.#agent
        .request({ origin: url.origin, path: url.pathname + url.search, ...sending, signal })
        .catch(error => Promise.reject(asOutside(error)))
      const headers = joined(answer.headers)
      const next = headers['location']
      if (request.follows === false || !redirects.has(answer.statusCode) || next === undefined) {
        const limits = { limitBytes: request.limitBytes, slowWindowMs: this.#slowWindowMs, minBytesPerSecond }
        const encoding = sending.method === 'HEAD' ? '' : (headers['content-encoding'] ?? '').trim().toLowerCase()
        return { status: answer.statusCode, headers, body: limitBody(answer.body, encoding, limits) }
      }
      answer.body.on('error', () => undefined).destroy()
      if (turns === maxRedirects) throw new OutsideError('redirects')
      const to = this.#follow(url, next)
      sending = afterRedirect(sending, answer.statusCode, url.origin === to.origin)
      url = to
    }
  }

  #follow(from: URL, location: string): URL {
    if (!URL.canParse(location, from.href)) throw new OutsideError('redirects')
    const to = new URL(location, from)
    if (from.protocol === 'https:' && to.protocol === 'http:') throw new OutsideError('redirects')
    try {
      return this.check(to)
    } catch (error) {
      throw new OutsideError('redirects', error)
    }
  }

  /**
   * A bare connection to a public address and port, for bytes that are not ours to read. `isWanted` may refuse addresses
   * besides: none left is `address`. Throws `OutsideError`.
   */
  async connect(hostname: string, port: number, isWanted: (address: string) => boolean = () => true): Promise<Socket> {
    const name = hostname.includes(':') ? `[${bare(hostname)}]` : hostname
    const url = this.check(`http://${name}:${port}`)
    // The default port of http leaves the address; it is the one that was asked for.
    const target = { hostname: url.hostname, port: String(port), protocol: 'http:' } as buildConnector.Options
    const found = await this.#addressesOf(target).catch(error => Promise.reject(asOutside(error)))
    const wanted = found.filter(isWanted)
    if (wanted.length === 0) throw new OutsideError('address')
    const lookup = pinnedTo(wanted)
    return new Promise((resolve, reject) => {
      const socket = net.connect({ host: bare(url.hostname), port, lookup, timeout: connectTimeoutMs })
      socket.once('connect', () => resolve(socket.setTimeout(0)))
      socket.once('timeout', () => socket.destroy(new OutsideError('tooSlow')))
      socket.once('error', error => reject(asOutside(error)))
    })
  }

  /** The texts that a name has in DNS (TXT records); none where it cannot be asked. */
  async textsOf(hostname: string): Promise<string[]> {
    const found = await this.#resolveTexts(hostname).catch(() => [])
    return found.slice(0, maxTexts).map(parts => parts.join(''))
  }

  /** Ends the connections that are kept open. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #connect(target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    try {
      const lookup = pinnedTo(await this.#addressesOf(target))
      const door = target.protocol === 'https:' ? this.#door : undefined
      const connect = buildConnector({
        timeout: connectTimeoutMs,
        maxCachedSessions: 0,
        lookup,
        ...(door && { ca: door.ca }),
      })
      connect(door ? { ...target, port: String(door.port) } : target, callback)
    } catch (error) {
      callback(error as Error, null)
    }
  }

  async #addressesOf({ hostname, port, protocol }: buildConnector.Options): Promise<string[]> {
    const name = bare(hostname)
    const found = await this.#resolve(name)
    const isNamed = isHostAllowed(this.#allowed, hostname, Number(port || (protocol === 'https:' ? 443 : 80)))
    const checked = found.filter(address => isNamed || isAddressAllowed(this.#allowed, address))
    if (checked.length === 0) throw new OutsideError('unreachable')
    return checked
  }
}

/** Answers what was resolved and checked a moment ago, whatever the name says now. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}

interface Sending {
  method: Dispatcher.HttpMethod
  headers: Record<string, string>
  body: string | Uint8Array | null
}

function checkedSending({ method = 'GET', headers = {}, body }: OutsideRequest): Sending {
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new OutsideError('header')
    }
  }
  return {
    method,
    headers: { 'user-agent': 'Loggia', ...headers, 'accept-encoding': 'gzip, deflate, br' },
    body: body ?? null,
  }
}

/** What is meant for one host stays there, and a POST becomes a GET where the protocol says so (RFC 9110, 15.4). */
function afterRedirect(sending: Sending, status: number, isSameOrigin: boolean): Sending {
  const becomesGet = status === 303 || (status < 303 && sending.method === 'POST')
  const isKept = ([name]: [string, string]) =>
    (isSameOrigin || !boundToHost.test(name)) && !(becomesGet && /^content-/i.test(name))
  const headers = Object.fromEntries(Object.entries(sending.headers).filter(isKept))
  return becomesGet ? { method: 'GET', headers, body: null } : { ...sending, headers }
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** The guard of one server: what it may reach besides public addresses; its own public name never, unless the operator names it. */
export function openOutbound(config: Pick<Config, 'outboundAllow' | 'publicUrl'>): Outbound {
  return new Outbound({ allow: config.outboundAllow, ownHosts: [new URL(config.publicUrl).hostname] })
}
