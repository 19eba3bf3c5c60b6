import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { EncryptJWT, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { askToken, callWith, listProjects, type Made, newClient, postForm, tokenOf } from './clients.testkit.ts'
import { tokenKeys } from './key-ring.ts'

let stage: Stage
let owner: Person
let made: Made
let token: string
let claims: Record<string, unknown>
let header: Record<string, unknown>

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person()
  made = await newClient(owner)
  token = await tokenOf(stage.app, made)
  const [first, second] = token.split('.')
  header = read(first)
  claims = read(second)
})
afterAll(() => stage.close())

const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
const write = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const statusOf = async (one: string) => (await callWith(stage.app, one, listProjects)).statusCode

/** Signed with the real key: what we would have to sign by mistake. */
async function signed(bent: Record<string, unknown>, headers: Record<string, unknown> = {}) {
  const { privateKey } = await tokenKeys.of(stage.booted.server).signer()
  const { kid, alg, typ } = header as { kid: string; alg: string; typ: string }
  return new SignJWT({ ...claims, ...bent }).setProtectedHeader({ alg, kid, typ, ...headers }).sign(privateKey)
}

describe('a forged token is refused:', () => {
  it('the real one is not', async () => {
    expect([await statusOf(token), await statusOf(await signed({}))]).toEqual([200, 200])
  })

  it.each(['none', 'None', 'NONE', 'nOnE'])('algorithm %s', async alg => {
    expect(await statusOf(`${write({ ...header, alg })}.${write(claims)}.`)).toBe(401)
    expect(await statusOf(`${write({ ...header, alg })}.${write(claims)}.${token.split('.')[2]}`)).toBe(401)
    expect(await statusOf(new UnsecuredJWT(claims).encode())).toBe(401)
  })

  it('the public key as HMAC secret, in each form it has', async () => {
    const { publicKey, publicJwk } = { ...(await tokenKeys.of(stage.booted.server).signer()) }
    const pem = await exportSPKI(publicKey)
    for (const secret of [pem, pem.trim(), JSON.stringify(publicJwk), String(publicJwk.x)]) {
      for (const alg of ['HS256', 'HS512']) {
        const key = createSecretKey(Buffer.from(secret.padEnd(64, ' ')))
        expect(await statusOf(await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key))).toBe(401)
        const text = `${write({ ...header, alg })}.${write(claims)}`
        const mac = createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')
        expect(await statusOf(`${text}.${mac}`)).toBe(401)
      }
    }
  })

  it('a key of the attacker, however the header offers it', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    for (const more of [
      {},
      { jwk },
      { jku: 'http://localhost/certs' },
      { x5u: 'http://localhost/c.pem' },
      { x5c: ['MIIB'] },
    ]) {
      const forged = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'ES256', ...more }).sign(privateKey)
      expect(await statusOf(forged)).toBe(401)
    }
  })

  it.each([
    '../../../dev/null',
    '/dev/null',
    "' OR 1=1 --",
    "x' UNION SELECT 'key",
    'http://localhost/certs',
    '__proto__',
    'constructor',
    '',
    '%00',
    'a'.repeat(3000),
  ])('key id %j', async kid => {
    const key = createSecretKey(randomBytes(32))
    const forged = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256', kid }).sign(key)
    expect(await statusOf(forged)).toBe(401)
    expect(await statusOf(await signed({}, { kid }))).toBe(401)
  })

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'https://evil.example' }],
    ['the audience of an app', { aud: 'http://localhost:8080/apps/1' }],
    ['no audience', { aud: undefined }],
    ['run out', { exp: 1_000 }],
    ['an end as text', { exp: '99999999999' }],
    ['a negative end', { exp: -1 }],
    ['no end', { exp: undefined }],
    ['a beginning in the future', { nbf: 9_999_999_999 }],
    ['another client', { client_id: '1' }],
    ['a client that is no id', { client_id: ['1'] }],
    ['another team', { team: '1' }],
    ['a list of teams', { team: ['1'] }],
    ['another zone', { zone: 'DE' }],
    ['an unknown zone', { zone: 'XX' }],
    ['no id', { jti: undefined }],
    ['an id that is none', { jti: 'x' }],
  ])('signed by us, with %s', async (_words, bent) => {
    const { privateKey } = await tokenKeys.of(stage.booted.server).signer()
    const body = Object.fromEntries(Object.entries({ ...claims, ...bent }).filter(([, value]) => value !== undefined))
    const text = `${write(header)}.${write(body)}`
    const mac = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from(text))
    expect(await statusOf(`${text}.${Buffer.from(mac).toString('base64url')}`)).toBe(401)
  })

  it('another type of token, signed by us', async () => {
    for (const typ of ['JWT', 'id_token', 'rt+jwt', undefined])
      expect(await statusOf(await signed({}, { typ }))).toBe(401)
    expect(await statusOf(await signed({}, { crit: ['b64'], b64: false }).catch(() => 'x.y.z'))).toBe(401)
  })

  it('more rights than were granted add none', async () => {
    const strong = await signed({ scope: 'projects.read teams.delete apps.delete teams.edit' })
    expect(await statusOf(strong)).toBe(200)
    const reply = await callWith(stage.app, strong, { method: 'PUT', url: '/ups/v1/team', payload: {} })
    expect(reply.statusCode).toBe(403)
  })

  it('no signature, one of zeros, one of another length, a changed one', async () => {
    const [first, second, third = ''] = token.split('.')
    const zeros = Buffer.alloc(64).toString('base64url')
    const changed = `${third.startsWith('A') ? 'B' : 'A'}${third.slice(1)}`
    for (const last of ['', zeros, third.slice(0, -4), `${third}AAAA`, changed])
      expect(await statusOf(`${first}.${second}.${last}`)).toBe(401)
  })

  it('what is no token at all', async () => {
    const encrypted = await new EncryptJWT(claims)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(randomBytes(32))
    const cookie = owner.cookie.split('agc_sid=')[1]?.split(';')[0] ?? ''
    for (const one of ['x', 'a.b.c', '...', encrypted, cookie, made.secret, `${token} ${token}`, `${token}.x`, 'null'])
      expect(await statusOf(one)).toBe(401)
    const none = await stage.app.inject({ ...listProjects, headers: { authorization: 'Bearer' } })
    expect(none.statusCode).toBe(401)
  })

  it('a megabyte of token is refused, over the wire and at the token service', async () => {
    const address = await stage.listen()
    const huge = 'a'.repeat(1_048_576)
    const reply = await fetch(`${address}${listProjects.url}`, { headers: { authorization: `Bearer ${huge}` } }).catch(
      () => ({ status: 431 }),
    )
    expect([400, 401, 431]).toContain(reply.status)
    expect(await statusOf(`${'a'.repeat(9_000)}.b.c`)).toBe(401)
    const posted = await postForm(stage.app, 'token', { grant_type: 'client_credentials', client_assertion: huge })
    expect(posted.statusCode).toBe(413)
  })
})

describe('a token is of one zone', () => {
  it('and is refused where another one is named, also for what stands at home', async () => {
    expect((await callWith(stage.app, token, { method: 'GET', url: `/cn${listProjects.url}` })).statusCode).toBe(200)
    const reply = await callWith(stage.app, token, { method: 'GET', url: `/de${listProjects.url}` })
    expect([reply.statusCode, reply.json().ret.code]).toEqual([403, 200000033])
    expect((await askToken(stage.app, made, { zone: 'DE' })).json().error).toBe('invalid_target')
    const both = await newClient(owner, { zones: ['CN', 'DE'] })
    const german = await tokenOf(stage.app, both, { zone: 'DE' })
    expect((await callWith(stage.app, german, { method: 'GET', url: `/de${listProjects.url}` })).statusCode).toBe(200)
    expect((await callWith(stage.app, german, { method: 'GET', url: `/cn${listProjects.url}` })).statusCode).toBe(403)
  })
})

describe('a browser', () => {
  it('cannot use a session cookie past CSRF by adding a token of nobody', async () => {
    const reply = await stage.app.inject({
      method: 'POST',
      url: '/cpms/project-management-service/v1/projects',
      payload: { name: 'x' },
      headers: { cookie: owner.cookie, teamid: owner.teamId, authorization: 'Bearer x' },
    })
    expect(reply.statusCode).toBe(401)
  })
})
