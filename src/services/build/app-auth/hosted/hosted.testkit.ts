import * as openid from 'openid-client'
import type { Stage } from '../../../../testkit/stage.ts'
import type { AppOnDevice } from '../app-auth.testkit.ts'
import { authSettings } from '../settings/contract.ts'

export const redirectUri = 'https://app.example.com/signed-in'
export const publicUrl = 'http://localhost:8080'

/** Opens the page of an app's project for some addresses. */
export async function openHosted(stage: Stage, { owner, projectId }: AppOnDevice, redirectUris = [redirectUri]) {
  // Tests turn the clock: a session of before may be over.
  const leader = await stage.person({ team: owner.teamId, roles: ['administrator'] })
  const {
    issuer: _issuer,
    ret: _ret,
    revision,
    ...host
  } = await leader.ok(authSettings, 'getHost', {
    query: { projectId },
  })
  await leader.ok(authSettings, 'updateHost', {
    body: { ...host, enabled: true, appName: 'Beacon <b>', redirectUris, ...(revision === 0 ? {} : { revision }) },
  })
}

/** An unmodified openid-client that knows of the app only its client id and the issuer. */
export async function relyOn(stage: Stage, { clientId }: AppOnDevice): Promise<openid.Configuration> {
  const over: openid.CustomFetch = async (url, options) => {
    const { body } = options
    const reply = await stage.app.inject({
      method: options.method as 'GET' | 'POST',
      url: url.slice(publicUrl.length),
      headers: options.headers,
      ...(body == null ? {} : { payload: String(body) }),
    })
    return new Response(reply.body, {
      status: reply.statusCode,
      headers: { 'content-type': String(reply.headers['content-type']) },
    })
  }
  const issuer = new URL(`${publicUrl}/cn/app-auth`)
  const configuration = await openid.discovery(issuer, clientId, undefined, openid.None(), {
    [openid.customFetch]: over,
    execute: [openid.allowInsecureRequests],
  })
  configuration[openid.customFetch] = over
  return configuration
}

export interface Asking {
  url: URL
  verifier: string
  state: string
  nonce: string
}

/** The address to which the app sends its user. */
export async function ask(configuration: openid.Configuration, more: Record<string, string> = {}): Promise<Asking> {
  const verifier = openid.randomPKCECodeVerifier()
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  const url = openid.buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: redirectUri, scope: 'openid email', state, nonce, code_challenge_method: 'S256' },
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    ...more,
  })
  return { url, verifier, state, nonce }
}

export interface Shown {
  status: number
  text: string
  headers: Record<string, unknown>
  /** Where it leads, if anywhere. */
  location: string
}

const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => {
    return { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }[name] ?? ''
  })

/** A browser without scripts: keeps cookies, fills forms in and follows links of the page. */
export class Browser {
  readonly #stage: Stage
  readonly #ip: string
  cookie = ''
  shown: Shown = { status: 0, text: '', headers: {}, location: '' }

  constructor(stage: Stage, ip = '203.0.113.80') {
    this.#stage = stage
    this.#ip = ip
  }

  open(url: string | URL, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#send('GET', String(url).replace(publicUrl, ''), undefined, headers)
  }

  /** What a form of the page sends along by itself. */
  hidden(): Record<string, string> {
    const found = this.shown.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
    return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, plain(value)]))
  }

  submit(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Shown> {
    const body = new URLSearchParams({ ...this.hidden(), ...fields }).toString()
    return this.#send('POST', '/cn/app-auth/authorize', body, headers)
  }

  /** Follows the link that leads to another view. */
  follow(view: string): Promise<Shown> {
    const link = [...this.shown.text.matchAll(/href="([^"]+)"/g)]
      .map(([, href = '']) => plain(href))
      .find(href => href.endsWith(`view=${view}`))
    return this.open(`/cn/app-auth/${link}`)
  }

  async #send(method: 'GET' | 'POST', url: string, payload: string | undefined, more: Record<string, string>) {
    const reply = await this.#stage.app.inject({
      ...{ method, url, remoteAddress: this.#ip },
      headers: {
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl }),
        ...more,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const set = reply.headers['set-cookie']
    if (set !== undefined) this.cookie = String(set).split(';')[0] ?? ''
    const { location } = reply.headers
    this.shown = {
      status: reply.statusCode,
      text: reply.body,
      headers: reply.headers,
      location: String(location ?? ''),
    }
    return this.shown
  }
}
