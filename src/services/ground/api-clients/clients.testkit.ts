import { randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { importPKCS8, SignJWT } from 'jose'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { apiClients } from './contract.ts'

export interface Made {
  clientId: string
  secret: string
  revision: number
}

/** A client of a person's team. */
export async function newClient(
  who: Person,
  wanted: { permissions?: string[]; scope?: { all?: boolean; projects?: string[] }; zones?: ('CN' | 'DE')[] } = {},
): Promise<Made> {
  const { permissions = ['projects.read', 'projects.create'], ...rest } = wanted
  const { client, clientSecret } = await who.ok(apiClients, 'createClient', {
    body: { name: 'Build server', permissions, ...rest },
  })
  return { clientId: client.clientId, secret: clientSecret ?? '', revision: client.revision }
}

/** A form to an endpoint of the token service. */
export function postForm(
  app: FastifyInstance,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
) {
  const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  return app.inject({
    method: 'POST',
    url: `/oauth2/v1/${path}`,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

/** The answer of the token endpoint to a secret. */
export const askToken = (app: FastifyInstance, made: Made, form: Record<string, string> = {}) =>
  postForm(app, 'token', { grant_type: 'client_credentials', ...form }, basic(made.clientId, made.secret))

export async function tokenOf(app: FastifyInstance, made: Made, form: Record<string, string> = {}): Promise<string> {
  const reply = await askToken(app, made, form)
  if (reply.statusCode !== 200) throw new Error(`no token: ${reply.statusCode} ${reply.body}`)
  return reply.json().access_token
}

/** A call with a token and nothing else. */
export const callWith = (app: FastifyInstance, token: string, request: InjectOptions) =>
  app.inject({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } })

export const listProjects: InjectOptions = { method: 'GET', url: '/cpms/project-management-service/v1/projectList' }

/** What a client signs to prove itself; any claim and header can be bent. */
export async function assertionOf(
  stage: Stage,
  made: { clientId: string; kid: string; privateKey: string; algorithm: string },
  bent: { claims?: Record<string, unknown>; header?: Record<string, unknown> } = {},
): Promise<string> {
  const now = Math.floor(stage.clock.now() / 1000)
  const claims = {
    iss: made.clientId,
    sub: made.clientId,
    aud: stage.booted.server.config.publicUrl,
    jti: randomUUID(),
    iat: now,
    exp: now + 60,
    ...bent.claims,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: made.algorithm, kid: made.kid, ...bent.header })
    .sign(await importPKCS8(made.privateKey, made.algorithm))
}
