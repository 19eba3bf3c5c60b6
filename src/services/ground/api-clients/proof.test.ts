import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { type Made, newClient } from './clients.testkit.ts'
import { clientKeyCalls } from './keys/contract.ts'

let stage: Stage
let owner: Person
let made: Made
let address: string

beforeAll(async () => {
  stage = await openStage()
  address = await stage.listen()
  stage.booted.server.config.publicUrl = address
  owner = await stage.person()
  made = await newClient(owner)
})
afterAll(() => stage.close())

const insecure = { execute: [openid.allowInsecureRequests] }

async function createProject(token: string, name: string) {
  const reply = await fetch(`${address}/cpms/project-management-service/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  return { status: reply.status, body: await reply.json() }
}

describe('an unmodified openid-client', () => {
  it.each([
    ['client_secret_basic', () => openid.ClientSecretBasic(made.secret)],
    ['client_secret_post', () => openid.ClientSecretPost(made.secret)],
  ])('discovers the server and gets a token by %s, and a call accepts it', async (name, way) => {
    const config = await openid.discovery(new URL(address), made.clientId, undefined, way(), insecure)
    const answer = await openid.clientCredentialsGrant(config, { scope: 'projects.create projects.read' })
    expect(answer).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    const reply = await createProject(answer.access_token, `by ${name}`)
    expect(reply).toMatchObject({ status: 200, body: { ret: { code: 0 } } })
  })

  it('gets a token by private_key_jwt with a key that was made here', async () => {
    const { credential } = await owner.ok(clientKeyCalls, 'createKeyPair', {
      body: { clientId: made.clientId, name: 'Build server' },
    })
    const der = Buffer.from(credential.privateKey.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
    const key = await crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    const way = openid.PrivateKeyJwt({ key, kid: credential.kid })
    const config = await openid.discovery(new URL(address), made.clientId, undefined, way, {
      ...insecure,
      algorithm: 'oauth2',
    })
    const answer = await openid.clientCredentialsGrant(config)
    expect((await createProject(answer.access_token, 'by key')).status).toBe(200)
  })

  it('revokes its token and asks about it', async () => {
    const config = await openid.discovery(
      new URL(address),
      made.clientId,
      undefined,
      openid.ClientSecretBasic(made.secret),
      insecure,
    )
    const { access_token: token } = await openid.clientCredentialsGrant(config)
    expect((await openid.tokenIntrospection(config, token)).active).toBe(true)
    await openid.tokenRevocation(config, token)
    expect((await openid.tokenIntrospection(config, token)).active).toBe(false)
    expect(await createProject(token, 'too late')).toMatchObject({ status: 401, body: { reason: 'revoked' } })
  })

  it('is told why by a standard error', async () => {
    const config = await openid.discovery(
      new URL(address),
      made.clientId,
      undefined,
      openid.ClientSecretPost('wrong'),
      insecure,
    )
    await expect(openid.clientCredentialsGrant(config)).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
  })
})

it('another process with nothing but jose verifies a token from the key set over HTTP', async () => {
  const config = await openid.discovery(
    new URL(address),
    made.clientId,
    undefined,
    openid.ClientSecretBasic(made.secret),
    insecure,
  )
  const { access_token: token } = await openid.clientCredentialsGrant(config)
  const program = `
    import { createRemoteJWKSet, jwtVerify } from 'jose'
    const [issuer, token] = process.argv.slice(1)
    const { jwks_uri } = await (await fetch(issuer + '/.well-known/oauth-authorization-server')).json()
    const { payload, protectedHeader } = await jwtVerify(token, createRemoteJWKSet(new URL(jwks_uri)), {
      issuer, audience: issuer + '/api', typ: 'at+jwt', currentDate: new Date(Number(process.env.AT)),
    })
    process.stdout.write(JSON.stringify({ ...payload, alg: protectedHeader.alg }))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, address, token],
    { env: { ...process.env, AT: String(stage.clock.now()) }, cwd: process.cwd() },
  )
  expect(JSON.parse(stdout)).toMatchObject({
    alg: 'ES256',
    iss: address,
    sub: made.clientId,
    client_id: made.clientId,
    team: owner.teamId,
    zone: 'CN',
    scope: 'projects.create projects.read',
  })
})
