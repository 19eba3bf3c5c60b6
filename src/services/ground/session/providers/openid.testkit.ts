import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const secret = 'a secret that only two know of 0123456789'
export const redirectUri = 'http://localhost:8080/oauth2/v1/login/provider/callback'
/** Where users of apps come back to, on the hosted page of the zone CN. */
const hostedRedirect = 'http://localhost:8080/cn/app-auth/provider-done'
const servers: Server[] = []

export function closeProviders(): void {
  for (const server of servers) server.close()
}

/** An unmodified provider of OpenID Connect; `sub` is what its form is given as login. */
export async function openProvider(tamper?: (body: string) => string): Promise<string> {
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    if (tamper && request.url?.startsWith('/token')) {
      const end = response.end.bind(response)
      response.end = ((chunk: unknown, ...rest: []) => {
        const text = tamper(String(chunk ?? ''))
        response.removeHeader('content-length')
        return end(text, ...rest)
      }) as typeof response.end
    }
    provider?.callback()(request, response)
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = new Provider(issuer, {
    clients: [{ client_id: 'loggia', client_secret: secret, redirect_uris: [redirectUri, hostedRedirect] }],
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: 'victim@mail.example',
        email_verified: false,
        preferred_username: `${id} there`,
      }),
    }),
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
  })
  return issuer
}

/** Goes through the provider's own pages as a browser, until it is sent back to us. */
export async function walkThere(url: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  let next = url
  let body: string | undefined
  for (let steps = 0; steps < 12; steps++) {
    const reply = await fetch(next, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
    for (const one of reply.headers.getSetCookie()) {
      const [name, value] = (one.split(';')[0] ?? '').split('=')
      if (name) jar.set(name, value ?? '')
    }
    const location = reply.headers.get('location')
    if (location) {
      next = new URL(location, next).href
      body = undefined
      if (next.startsWith(redirectUri) || next.startsWith(hostedRedirect)) return next
      continue
    }
    const page = await reply.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`${reply.status} at ${next}: ${page.slice(0, 600)}`)
    next = new URL(action, next).href
    body = new URLSearchParams({ prompt, login, password: 'x' }).toString()
  }
  throw new Error('the provider sends in circles')
}
