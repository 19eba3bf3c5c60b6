import type { LightMyRequestResponse } from 'fastify'
import type { Contract, Method } from '../../../kernel/contract.ts'
import { headers, hintCookies } from '../../../kernel/wire.ts'
import type { Stage } from '../../../testkit/stage.ts'

type App = Stage['app']

/** A browser that keeps its cookies: what the tests of sign-in need beyond `stage.person()`. */
export class Browser {
  readonly app: App
  readonly cookies = new Map<string, string>()
  readonly ip: string
  csrf = ''

  constructor(app: App, ip = '127.0.0.1') {
    this.app = app
    this.ip = ip
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async send(
    method: Method,
    url: string,
    payload?: object,
    more: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const reply = await this.app.inject({
      method,
      url,
      remoteAddress: this.ip,
      headers: {
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...(this.csrf ? { [headers.csrf]: this.csrf } : {}),
        ...more,
      },
      ...(payload ? { payload } : {}),
    })
    for (const one of reply.cookies) {
      if (one.maxAge === 0 || (one.expires && one.expires.getTime() === 0)) this.cookies.delete(one.name)
      else this.cookies.set(one.name, encodeURIComponent(one.value))
    }
    const hint = reply.cookies.find(one => one.name === hintCookies.userInfo)?.value
    if (hint) this.csrf = JSON.parse(hint).csrftoken
    return reply
  }

  call(contract: Contract, name: string, payload?: object): Promise<LightMyRequestResponse> {
    const call = contract.calls[name]
    if (!call) throw new Error(`${contract.name} has no ${name}`)
    return this.send(call.method, contract.prefix + call.path, payload)
  }

  signIn(account: string, password: string): Promise<LightMyRequestResponse> {
    return this.send('POST', '/oauth2/v1/login', { account, password })
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.send('GET', '/oauth2/v1/profile')).statusCode === 200
  }
}

/** The secret of the link in a mail. */
export function tokenIn(text: string): string {
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
  if (!token) throw new Error(`no link in: ${text}`)
  return token
}
