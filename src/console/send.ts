import { type CallSpec, type Contract, pathOf, zoneRuleOf } from '../kernel/contract.ts'
import { headers as names } from '../kernel/wire.ts'
import { type ZoneId, zones } from '../kernel/zones.ts'
import { badOption, errorOf, silence } from './call-error.ts'
import { isDocumentOver } from './document-mode.ts'
import { detectLanguage } from './language.ts'
import { mode } from './mode.ts'
import { askRecent, recentNumber } from './recent.ts'
import { giveUpSession, refreshSession } from './refresh.ts'
import { risk, riskNumber } from './risk.ts'
import { learnClock } from './server-clock.ts'
import { csrfToken, currentTeamId, projectZone } from './session.ts'
import { mustSignNumber, noteRefusal } from './signing-port.ts'
import { stored } from './stored.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** Sent with a POST that creates; `useAction` makes one for each press of a button. */
  idempotencyKey?: string
  /** Overrules the zone of the project on screen. */
  zone?: ZoneId
  /** The revision, or the ETag, that this write read; sent as `If-Match`. */
  revision?: number | string
  /** The person was asked for a fresh proof already. */
  hasAsked?: boolean
  /** A lost session is not renewed for this call. */
  notRefresh?: boolean
  /** Sent as by a stranger: no credential, no CSRF header, no team. */
  notAuth?: boolean
  noTeamId?: boolean
  /** The answer keeps its `ret`. */
  returnNewRsp?: boolean
  /** Given up after this long; left out, the browser decides. */
  timeoutMs?: number
}

export interface LooseInput {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

const tokenLost = /getTokenInfo return null|accessToken invalid/

function queryString(query: LooseInput['query']): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
    }
  }
  const text = search.toString()
  return text && `?${text}`
}

/** The address of a call; also what a download link takes. */
export function addressOf(contract: Contract, call: CallSpec, input: LooseInput, zone?: ZoneId): string {
  const path = pathOf(contract, call).replace(/:(\w+)/g, (_whole, name: string) => {
    const value = input.params?.[name]
    if (value === undefined || value === '') throw badOption(contract.name, `the path needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const chosen = zoneRuleOf(contract, call) === 'current' ? (zone ?? projectZone.get()) : undefined
  return (chosen ? `/${zones[chosen].slug}` : '') + path + queryString(input.query)
}

/** The headers every request of the console carries. In the open-test mode there is only the language. */
export function consoleHeaders(
  call?: Pick<CallSpec, 'who' | 'team'>,
  { notAuth, noTeamId }: CallOptions = {},
): Record<string, string> {
  const sent: Record<string, string> = { [names.language]: detectLanguage() === 'zh' ? 'zh' : 'en' }
  if (notAuth || mode.isOpenTest()) return sent
  const isOfTeam = call?.team !== 'none' && !noTeamId
  if (mode.isDemoProject()) {
    const { productId, teamId } = stored.get('demoProject') ?? {}
    if (productId && call?.who !== 'anonymous') sent[names.product] = productId
    if (teamId && isOfTeam) sent[names.team] = teamId
    return sent
  }
  const csrf = csrfToken()
  const team = currentTeamId()
  if (csrf) sent[names.csrf] = csrf
  if (team && isOfTeam) sent[names.team] = team
  return sent
}

async function once(contract: Contract, call: CallSpec, input: LooseInput, options: CallOptions): Promise<Response> {
  // Nobody is there to hear an answer: the page is loaded anew.
  if (isDocumentOver()) return new Promise(() => undefined)
  const sent = consoleHeaders(call, options)
  const isRaw = input.body instanceof Blob || input.body instanceof FormData
  if (input.body !== undefined && !isRaw) sent['content-type'] = 'application/json'
  if (options.idempotencyKey) sent[names.idempotencyKey] = options.idempotencyKey
  if (options.revision !== undefined) sent['if-match'] = String(options.revision)
  const body = isRaw ? (input.body as Blob | FormData) : input.body === undefined ? null : JSON.stringify(input.body)
  const isStranger = options.notAuth || mode.isOpenTest() || mode.isDemoProject()
  try {
    return await fetch(addressOf(contract, call, input, options.zone), {
      method: call.method,
      headers: sent,
      body,
      credentials: isStranger ? 'omit' : 'include',
      signal: signalOf(options),
    })
  } catch (cause) {
    throw silence(contract.name, cause)
  }
}

function signalOf({ signal, timeoutMs }: CallOptions): AbortSignal | null {
  if (timeoutMs === undefined) return signal ?? null
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

async function isTokenLost(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const told = `${response.statusText} ${response.headers.get(names.authReason) ?? ''}`
  return tokenLost.test(told) || tokenLost.test(await response.clone().text())
}

const mayRefresh = ({ notRefresh }: CallOptions) =>
  !notRefresh && !mode.skipsRefresh() && !mode.isDemoProject() && !mode.isOpenTest()

/** Sends a call, saves the session once when it was lost, and throws `CallError` for every refusal. */
export async function send(
  contract: Contract,
  call: CallSpec,
  input: LooseInput,
  options: CallOptions = {},
): Promise<Response> {
  let response = await once(contract, call, input, options)
  learnClock(response.headers.get('date'))
  if (!call.afterSoftExpiry && call.who !== 'anonymous' && (await isTokenLost(response)) && mayRefresh(options)) {
    if (await refreshSession()) response = await once(contract, call, input, options)
    else await giveUpSession()
  }
  if (response.ok) return response
  const error = await errorOf(response, contract.name)
  if (error.status === 403 && error.number === recentNumber && !options.hasAsked && (await askRecent())) {
    return send(contract, call, input, { ...options, hasAsked: true })
  }
  if (error.status === 403 && error.number === mustSignNumber) noteRefusal()
  if (error.status === 400 && error.number === riskNumber) risk.set(error.message)
  throw error
}
