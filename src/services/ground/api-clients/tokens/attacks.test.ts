import { createSecretKey, randomBytes } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { alpha, mannWhitneyP, timesOf } from '../../../../testkit/times.ts'
import {
  assertionOf,
  basic,
  callWith,
  listProjects,
  type Made,
  newClient,
  postForm,
  tokenOf,
} from '../clients.testkit.ts'
import { clientKeyCalls } from '../keys/contract.ts'
import { newSecret } from '../secrets.ts'
import { assertionType } from './addresses.ts'

let stage: Stage
let owner: Person
let made: Made
let token: string

beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  made = await newClient(owner)
  token = await tokenOf(stage.app, made)
})
afterAll(() => stage.close())

const now = () => Math.floor(stage.clock.now() / 1000)
const statusOf = async (one: string) => (await callWith(stage.app, one, listProjects)).statusCode

describe('the token service refuses', () => {
  const form = () => ({ grant_type: 'client_credentials', client_id: made.clientId, client_secret: made.secret })
  const ask = (body: Record<string, string> | string, headers = {}) => postForm(stage.app, 'token', body, headers)

  it('a secret in the address', async () => {
    const query = new URLSearchParams(form()).toString()
    for (const url of [`token?${query}`, `token?client_secret=${made.secret}`]) {
      const reply = await postForm(stage.app, url, form())
      expect([reply.statusCode, reply.json().error]).toEqual([400, 'invalid_request'])
    }
    expect((await stage.app.inject(`/oauth2/v1/token?${query}`)).statusCode).toBe(404)
  })

  it('a field that is sent twice', async () => {
    const reply = await ask(`${new URLSearchParams(form())}&client_secret=x`)
    expect([reply.statusCode, reply.json().error]).toEqual([400, 'invalid_request'])
  })

  it('two proofs at once, and another name in the header', async () => {
    const both = await ask(form(), basic(made.clientId, made.secret))
    expect(both.json().error).toBe('invalid_request')
    const other = await ask({ grant_type: 'client_credentials', client_id: '1' }, basic(made.clientId, made.secret))
    expect(other.json().error).toBe('invalid_request')
  })

  it.each([
    'password',
    'authorization_code',
    'implicit',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    '',
  ])('the grant %j', async grant => {
    const reply = await ask({ ...form(), grant_type: grant, username: 'x', password: 'y' })
    expect([reply.statusCode, reply.json().error]).toEqual([400, 'unsupported_grant_type'])
  })

  it('what is no form', async () => {
    const reply = await stage.app.inject({ method: 'POST', url: '/oauth2/v1/token', payload: form() })
    expect([reply.statusCode, reply.json().error]).toEqual([400, 'invalid_request'])
  })

  it('wrong secrets, wrong names and secrets of others with one and the same answer', async () => {
    const other = await newClient(await stage.person())
    const told = new Set<string>()
    for (const [id, secret] of [
      [made.clientId, other.secret],
      [other.clientId, made.secret],
      ['9007199254740993', made.secret],
      ['x', made.secret],
      ["1' OR '1'='1", made.secret],
      [made.clientId, ''],
      [made.clientId, made.secret.toUpperCase()],
      [made.clientId, `${made.secret} `],
    ] as const) {
      const reply = await ask({ ...form(), client_id: id, client_secret: secret })
      told.add(`${reply.statusCode} ${reply.body}`)
      expect(reply.body).not.toContain(secret || 'nothing')
    }
    expect([...told]).toHaveLength(1)
    expect([...told][0]).toMatch(/^401 .*invalid_client/)
  })

  /** Of the right shape and with the right sum, so that it is hashed. */
  const wrongSecret = () => newSecret(stage.booted.server.masterKey)

  it('wrong names in the time of wrong secrets', { timeout: 300_000 }, async () => {
    const timed = async (client_id: string) => {
      const startedAt = performance.now()
      await ask({ ...form(), client_id, client_secret: wrongSecret() })
      return performance.now() - startedAt
    }
    const { known, unknown } = await timesOf(
      () => timed(made.clientId),
      () => timed('9007199254740993'),
    )
    expect(mannWhitneyP(known, unknown)).toBeGreaterThan(alpha)
  })

  it('guesses without a hash each, so that they are answered while many wait for theirs', async () => {
    const replies: string[] = []
    const told = async (client_secret: string) => {
      const reply = await ask({ ...form(), client_secret })
      replies.push(`${client_secret.startsWith('lgs_guess') ? 'guess' : 'hashed'} ${reply.json().error}`)
    }
    const hashed = Array.from({ length: 60 }, () => told(wrongSecret()))
    await Promise.all(
      Array.from({ length: 100 }, () => told(`lgs_guess${randomBytes(28).toString('base64url')}_0123456789`)),
    )
    expect(replies.filter(one => one.startsWith('guess'))).toEqual(Array(100).fill('guess invalid_client'))
    expect(replies.filter(one => one === 'hashed invalid_client').length).toBeLessThan(50)
    await Promise.all(hashed)
    expect(new Set(replies)).toContain('hashed temporarily_unavailable')
  })

  it('to tell or to end tokens of other clients', async () => {
    const other = await newClient(await stage.person())
    const proof = basic(other.clientId, other.secret)
    expect((await postForm(stage.app, 'introspect', { token }, proof)).json()).toEqual({ active: false })
    expect((await postForm(stage.app, 'revoke', { token }, proof)).statusCode).toBe(200)
    expect(await statusOf(token)).toBe(200)
    expect((await postForm(stage.app, 'introspect', { token })).statusCode).toBe(401)
  })
})

describe('a signed assertion is refused', () => {
  let key: { clientId: string; kid: string; privateKey: string; algorithm: string }
  beforeAll(async () => {
    const body = { clientId: made.clientId, name: 'Key' }
    key = (await owner.ok(clientKeyCalls, 'createKeyPair', { body })).credential
  })
  const ask = (assertion: string, more = {}) =>
    postForm(stage.app, 'token', {
      ...{ grant_type: 'client_credentials', client_assertion_type: assertionType, client_assertion: assertion },
      ...more,
    })

  it('the second time: of forty at once, exactly one is taken, on whichever process', async () => {
    const other = await stage.another()
    const assertion = await assertionOf(stage, key)
    const form = { grant_type: 'client_credentials', client_assertion_type: assertionType, client_assertion: assertion }
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_one, at) => postForm(at % 2 ? other.app : stage.app, 'token', form)),
    )
    expect(replies.filter(one => one.statusCode === 200)).toHaveLength(1)
    expect((await ask(assertion)).json().error).toBe('invalid_client')
  })

  it.each<[string, Record<string, unknown>]>([
    ['another audience', { aud: 'https://evil.example' }],
    ['several audiences', { aud: ['http://localhost:8080', 'https://evil.example'] }],
    ['no audience', { aud: undefined }],
    ['another subject', { sub: '1' }],
    ['run out', { exp: 1_000 }],
    ['a life of a day', { exp: Math.floor(Date.now() / 1000) + 86_400 }],
    ['no end', { exp: undefined }],
    ['a beginning in the future', { nbf: 9_999_999_999 }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
  ])('with %s', async (_words, bent) => {
    const reply = await ask(await assertionOf(stage, key, { claims: bent }))
    expect([reply.statusCode, reply.json().error]).toEqual([401, 'invalid_client'])
  })

  it('of the key of another client, of no key, or with the public key as HMAC secret', async () => {
    const other = await newClient(owner)
    const theirs = (
      await owner.ok(clientKeyCalls, 'createKeyPair', { body: { clientId: other.clientId, name: 'Key' } })
    ).credential
    const { list } = await owner.ok(clientKeyCalls, 'listKeyPairs', { query: { clientId: made.clientId } })
    const body = { iss: made.clientId, sub: made.clientId, aud: 'http://localhost:8080', jti: 'x', exp: now() + 60 }
    const hmac = (secret: string) =>
      new SignJWT(body)
        .setProtectedHeader({ alg: 'HS256', kid: key.kid })
        .sign(createSecretKey(Buffer.from(secret.padEnd(64))))
    for (const assertion of [
      await assertionOf(stage, { ...theirs, clientId: made.clientId }),
      await assertionOf(stage, { ...theirs, clientId: made.clientId, kid: key.kid }),
      await assertionOf(stage, key, { header: { kid: '../../dev/null' } }),
      new UnsecuredJWT(body).encode(),
      await hmac(JSON.stringify(list[0]?.publicJwk)),
      await hmac(made.secret),
      'x',
      'a.b.c',
    ])
      expect((await ask(assertion)).statusCode).toBe(401)
    expect((await ask(await assertionOf(stage, key), { client_id: other.clientId })).statusCode).toBe(401)
  })

  it('once its key is deleted', async () => {
    const assertion = await assertionOf(stage, key)
    const { list } = await owner.ok(clientKeyCalls, 'listKeyPairs', { query: { clientId: made.clientId } })
    const keyId = list.find(one => one.kid === key.kid)?.keyId ?? ''
    await owner.ok(clientKeyCalls, 'deleteKey', { query: { clientId: made.clientId, keyId } })
    expect((await ask(assertion)).statusCode).toBe(401)
  })
})

describe('a public key that is registered', () => {
  const register = (publicKey: string) =>
    owner.call(clientKeyCalls, 'registerPublicKey', { body: { clientId: made.clientId, name: 'Own', publicKey } })

  it('works as PEM and as JWK, and only the public half may be sent', async () => {
    const pair = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
    const { status, body } = await register(await exportSPKI(pair.publicKey))
    expect([status, body.algorithm]).toEqual([200, 'RS256'])
    const again = await register(JSON.stringify(await exportJWK(pair.publicKey)))
    expect([again.status, again.body.ret.code]).toEqual([409, 201120005])
    const secret = await register(JSON.stringify(await exportJWK(pair.privateKey)))
    expect([secret.status, secret.body.fields?.[0]?.rule]).toEqual([400, 'private'])
    const form = { grant_type: 'client_credentials', client_assertion_type: assertionType }
    for (const alg of ['RS256', 'PS256']) {
      const der = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
      const privateKey = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(der).toString('base64')}\n-----END PRIVATE KEY-----`
      const assertion = await assertionOf(stage, { clientId: made.clientId, kid: body.kid, privateKey, algorithm: alg })
      expect((await postForm(stage.app, 'token', { ...form, client_assertion: assertion })).statusCode).toBe(200)
    }
  })

  it('is refused where it is weak or none', async () => {
    const weak = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    )
    expect((await register(await exportSPKI(weak.publicKey))).body.fields?.[0]?.rule).toBe('kind')
    const symmetric = JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' })
    for (const text of [
      'x',
      '{}',
      '{"kty":"EC"}',
      symmetric,
      '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----',
    ])
      expect((await register(text)).status).toBe(400)
  })
})
