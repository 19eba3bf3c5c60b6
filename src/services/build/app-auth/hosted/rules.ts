/**
 * How long somebody has to sign in on the page, and the app to take the code; to sign in at a provider; and to write
 * recovery codes down.
 */
export const hostedTimes = { flowMs: 3_600_000, grantMs: 60_000, outsideMs: 600_000, codesMs: 900_000 } as const

export const redirectsMost = 20

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/
/** A scheme of an app has a dot in it, as a name that its maker owns (RFC 8252, 7.1). */
const ofApp = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/{0,2}[^/]/

/**
 * What is wrong with an address that users may be led back to, or null. One is an https address, one of this machine for
 * tools, or one of an app's own scheme; compared letter by letter, so there is nothing to match.
 */
export function redirectFault(address: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(address)) return 'has only letters, digits and signs of addresses'
  if (/[*\\#"<>]/.test(address)) return 'has no *, \\, #, quotes or brackets'
  if (!URL.canParse(address)) return 'is a whole address'
  const { protocol, username, password, hostname, search } = new URL(address)
  if (username !== '' || password !== '') return 'has no name and password in it'
  if (/[?&](?:code|state|iss|error)=/i.test(search)) return 'has no code, state, iss or error of its own'
  if (protocol === 'https:') return hostname === '' ? 'names a host' : null
  if (loopback.test(address) || ofApp.test(address)) return null
  return 'is an https address, one of localhost, or one of an app’s own scheme such as com.example.app:/signed-in'
}

/** Where a form may lead, as a policy of a page names it. */
export function formTargetOf(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}

/** What an app asked for when it opened the page. */
export interface Asked {
  clientId: string
  redirectUri: string
  state: string
  nonce: string
  challenge: string
  scope: string
}

export type AskedFault = 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'login_required'

/** What is wrong with a request whose app and address are known to be right, as RFC 6749 and 7636 name it. */
export function askedFault(sent: Readonly<Record<string, unknown>>): AskedFault | null {
  const names = ['response_type', 'scope', 'state', 'nonce', 'code_challenge', 'code_challenge_method']
  if (names.some(name => sent[name] !== undefined && typeof sent[name] !== 'string')) return 'invalid_request'
  if (sent['response_type'] !== 'code') return 'unsupported_response_type'
  if (
    !String(sent['scope'] ?? '')
      .split(' ')
      .includes('openid')
  )
    return 'invalid_scope'
  if (sent['code_challenge_method'] !== 'S256' || !isChallenge(sent['code_challenge'])) return 'invalid_request'
  if (['state', 'nonce', 'scope'].some(name => String(sent[name] ?? '').length > 1000)) return 'invalid_request'
  // Nobody stays signed in here, so there is nobody without the page.
  return sent['prompt'] === 'none' ? 'login_required' : null
}

const isChallenge = (value: unknown) => typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value)

export const isVerifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9._~-]{43,128}$/.test(value)

/** An address with what an app reads of it. */
export function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(values).toString()
  return `${address}${address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'}${query}`
}

export const views = ['signIn', 'register', 'reset'] as const
export type View = (typeof views)[number]
