import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import {
  closeProviders,
  openProvider,
  redirectUri,
  secret,
  walkThere,
} from '../../../ground/session/providers/openid.testkit.ts'
import { type AppOnDevice, type Device, openApp, userOfReply } from '../app-auth.testkit.ts'
import { outboxEngine } from '../engine/sms/outbox.ts'
import { webhookEngine } from '../engine/sms/webhook.ts'
import { authHookCalls } from '../hooks-desk/contract.ts'
import { authSettings } from '../settings/contract.ts'
import { appUserDesk } from '../user-desk/contract.ts'

type Answerer = (request: IncomingMessage, body: string, response: ServerResponse) => void
let stage: Stage
let app: AppOnDevice
let device: Device
let owner: Person
let projectId: string
let outside: Server
let base: string
let issuer: string
let answer: Answerer = (_request, _body, response) => response.end('{}')
const heard: { headers: IncomingMessage['headers']; body: string; url: string }[] = []

beforeAll(async () => {
  outside = createServer((request, response) => {
    let body = ''
    request.on('data', part => (body += part))
    request.on('end', () => {
      heard.push({ headers: request.headers, body, url: request.url ?? '' })
      answer(request, body, response)
    })
  })
  await new Promise<void>(resolve => outside.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`
  base = `http://${host}`
  issuer = await openProvider()
  stage = await openStage({ outboundAllow: [host, new URL(issuer).host] })
  app = await openApp(stage)
  device = await app.install()
  owner = app.owner
  projectId = app.projectId
})
afterAll(async () => {
  closeProviders()
  outside.close()
  outside.closeAllConnections()
  await stage.close()
})

const json =
  (value: unknown): Answerer =>
  (_request, _body, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const signIn = (provider: number, token: string, extraData = '') =>
  device.send('POST', '/user-signin', { provider, token, extraData, autoCreateUser: 1, useJwt: 1 })

describe('a provider of OpenID Connect', () => {
  it('that does not answer is told when it is set up, and its secret is sent to it alone', async () => {
    const config = { issuer, clientIds: 'loggia' }
    const body = { projectId, provider: 20, enabled: true, config, secret }
    expect(
      (
        await owner.call(authSettings, 'createMethod', {
          body: { ...body, config: { ...config, issuer: `${base}/none` } },
        })
      ).body.ret.code,
    ).toBe(203818009)
    expect(
      (
        await owner.call(authSettings, 'createMethod', {
          body: { ...body, config: { ...config, issuer: 'https://169.254.169.254' } },
        })
      ).status,
    ).toBe(400)
    const { revision } = await owner.ok(authSettings, 'createMethod', { body })
    const moved = { projectId, provider: 20, enabled: true, config: { ...config, issuer: base }, revision }
    expect((await owner.call(authSettings, 'updateMethod', { body: moved })).body.ret.code).toBe(204020003)
  })

  it('signs in by a code with PKCE; the same person is the same user, and an equal address makes nobody the same', async () => {
    const victim = await device.signUp('victim@mail.example')
    const verifier = 'a'.repeat(64)
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString(
      'base64url',
    )
    const code = async (login: string) => {
      const query = new URLSearchParams({
        ...{ client_id: 'loggia', response_type: 'code', scope: 'openid email', redirect_uri: redirectUri },
        ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 's' },
      })
      return new URL(await walkThere(`${issuer}/auth?${query}`, login)).searchParams.get('code') ?? ''
    }
    const extra = JSON.stringify({ redirectUri, codeVerifier: verifier })
    const first = userOfReply(await signIn(20, await code('ada'), extra))
    const again = userOfReply(await signIn(20, await code('ada'), extra))
    const other = userOfReply(await signIn(20, await code('eve'), extra))
    expect(again.uid).toBe(first.uid)
    expect(new Set([first.uid, other.uid, victim.uid]).size).toBe(3)
    const used = await code('ada')
    userOfReply(await signIn(20, used, extra))
    expect((await signIn(20, used, extra)).body.ret.code).toBe(203818009)
    const wrong = JSON.stringify({ redirectUri, codeVerifier: 'b'.repeat(64) })
    expect((await signIn(20, await code('ada'), wrong)).body.ret.code).toBe(203818009)
  })

  it('signs in by an ID token for this app alone', async () => {
    const pair = await generateKeyPair('ES256')
    const stranger = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }
    expect(createLocalJWKSet({ keys: [jwk] })).toBeTypeOf('function')
    answer = (request, _body, response) => {
      const body = request.url?.includes('openid-configuration')
        ? {
            issuer: base,
            jwks_uri: `${base}/keys`,
            authorization_endpoint: `${base}/auth`,
            token_endpoint: `${base}/token`,
          }
        : { keys: [jwk] }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const body = { projectId, provider: 8, enabled: true, config: { issuer: base, clientIds: 'app-one app-two' } }
    await owner.ok(authSettings, 'createMethod', { body })
    const now = Math.floor(stage.clock.now() / 1000)
    const token = (bent: Record<string, unknown> = {}, by = pair, header: object = {}) =>
      new SignJWT({ iss: base, aud: 'app-two', sub: 'u1', iat: now, exp: now + 300, name: 'Ada', ...bent })
        .setProtectedHeader({ alg: 'ES256', kid: 'k', ...header })
        .sign(by.privateKey)
    const good = userOfReply(await signIn(8, await token()))
    expect(userOfReply(await signIn(8, await token())).uid).toBe(good.uid)
    const bad = [
      await token({ aud: 'another-app' }),
      await token({ iss: 'https://evil.example' }),
      await token({ exp: now - 3600, iat: now - 7200 }),
      await token({ sub: undefined }),
      await token({ aud: ['app-two', 'x'], azp: 'another-app' }),
      await token({}, stranger),
      await token({}, stranger, { jwk: await exportJWK(stranger.publicKey), jku: `${base}/other` }),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await token()).split('.')[1]}.`,
    ]
    for (const one of bad) expect((await signIn(8, one)).body.ret.code).toBe(203818009)
  })
})

it('an access token signs in only when it was made for this app', async () => {
  const config = {
    clientId: 'our-app',
    checkUrl: `${base}/check`,
    checkField: 'data.app_id',
    userInfoUrl: `${base}/me`,
    idField: 'id',
    nameField: 'name',
  }
  await owner.ok(authSettings, 'createMethod', { body: { projectId, provider: 2, enabled: true, config } })
  const ofApp =
    (app_id: string, id: unknown = '77'): Answerer =>
    (request, body, response) =>
      json(request.url?.startsWith('/check') ? { data: { app_id } } : { id, name: 'Eve' })(request, body, response)
  answer = ofApp('another-app')
  expect((await signIn(2, 'token-of-another-app')).body.ret.code).toBe(203818009)
  answer = ofApp('our-app', { $ne: null })
  expect((await signIn(2, 'token-of-our-app')).body.ret.code).toBe(203818009)
  answer = ofApp('our-app')
  userOfReply(await signIn(2, 'token-of-our-app'))
  answer = (_request, _body, response) => response.end('{"__proto__": {"data": {"app_id": "our-app"}}}')
  expect((await signIn(2, 'token-of-our-app')).body.ret.code).not.toBe(0)
})

it('a token that the team’s own server signed signs in, for this project and not for long', async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const config = { publicKey: await exportSPKI(pair.publicKey) }
  await owner.ok(authSettings, 'createMethod', { body: { projectId, provider: 10, enabled: true, config } })
  const now = Math.floor(stage.clock.now() / 1000)
  const token = (bent: Record<string, unknown> = {}) =>
    new SignJWT({ aud: projectId, sub: 'own-1', iat: now, exp: now + 600, ...bent })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(pair.privateKey)
  const { uid } = userOfReply(await signIn(10, await token()))
  expect(userOfReply(await signIn(10, await token())).uid).toBe(uid)
  for (const bent of [{ aud: '17' }, { exp: now + 86_400 }, { exp: now - 600, iat: now - 1200 }, { sub: '' }])
    expect((await signIn(10, await token(bent))).body.ret.code).toBe(203818009)
  expect(
    (await device.send('POST', '/user-signin', { provider: 10, token: await token({ sub: 'new' }), autoCreateUser: 0 }))
      .body.ret.code,
  ).toBe(203818022)
})

describe('a hook', () => {
  it('is asked with a signature that Standard Webhooks verifies, says no, gives claims, and has a time limit', async () => {
    const body = {
      projectId,
      moment: 'BEFORE_CREATE',
      url: `${base}/hook`,
      timeoutMs: 300,
      onFailure: 'DENY',
      enabled: true,
    } as const
    const made = await owner.ok(authHookCalls, 'createHook', { body })
    const asked = () => heard.findLast(one => one.url === '/hook')
    answer = json({ allow: false, message: 'Not from here\r\nX: y' })
    const refused = await device.send('POST', '/user-signin-anonymous', {})
    expect(refused.body.ret).toEqual({ code: 203818016, msg: 'Not from here  X: y' })
    const { headers = {}, body: text = '' } = asked() ?? {}
    expect(new Webhook(made.secret ?? '').verify(text, headers as Record<string, string>)).toMatchObject({
      type: 'user.before_create',
      user: { projectId, provider: 0, uid: null },
    })
    answer = json({ allow: true, claims: { plan: 'free' } })
    const { uid } = userOfReply(await device.send('POST', '/user-signin-anonymous', {}))
    expect((await owner.ok(appUserDesk, 'getUser', { query: { projectId, uid } })).claims).toEqual({ plan: 'free' })
    for (const broken of [
      json({}),
      json({ allow: 'yes' }),
      ((_q, _b, r) => r.writeHead(500).end()) as Answerer,
      (() => undefined) as Answerer,
    ]) {
      answer = broken
      expect((await device.send('POST', '/user-signin-anonymous', {})).body.ret.code).toBe(203818016)
    }
    const { hook } = made
    answer = () => undefined
    await owner.ok(authHookCalls, 'updateHook', {
      body: { ...body, hookId: hook.hookId, onFailure: 'ALLOW', revision: hook.revision },
    })
    userOfReply(await device.send('POST', '/user-signin-anonymous', {}))
    answer = json({ allow: true })
    const test = await owner.ok(authHookCalls, 'testHook', { body: { projectId, hookId: hook.hookId } })
    expect(test.outcome).toBe('ALLOWED')
    await owner.ok(authHookCalls, 'deleteHook', { query: { projectId, hookId: hook.hookId } })
    expect((await owner.call(authHookCalls, 'createHook', { body: { ...body, url: 'http://10.0.0.1/' } })).status).toBe(
      400,
    )
  })
})

describe('what sends text messages', () => {
  const smsSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const message = { messageId: '17', projectId: '18', phone: '+49-1701234567', text: 'Code 123456' }
  const ctx = () => systemContext(stage.booted.server, 'CN', { name: 'test' })

  it.each([
    ['outbox', () => outboxEngine, 'KEPT', false],
    ['webhook', () => webhookEngine(`${base}/sms`, smsSecret), 'SENT', true],
  ] as const)(
    '%s takes a message over and says honestly whether it leaves',
    async (_name, open, state, isDelivering) => {
      answer = json({})
      const engine = open()
      expect(engine.isDelivering).toBe(isDelivering)
      expect(await engine.send(ctx(), message)).toEqual({ state, reason: null })
    },
  )

  it('by webhook is signed, tried again after what may pass, and given up on a no', async () => {
    const engine = webhookEngine(`${base}/sms`, smsSecret)
    answer = (_request, _body, response) => response.writeHead(503).end()
    await expect(engine.send(ctx(), message)).rejects.toThrow('503')
    answer = (_request, _body, response) => response.writeHead(400).end()
    expect(await engine.send(ctx(), message)).toMatchObject({ state: 'FAILED' })
    const last = heard.findLast(one => one.url === '/sms')
    expect(new Webhook(smsSecret).verify(last?.body ?? '', last?.headers as Record<string, string>)).toMatchObject({
      phone: message.phone,
    })
  })

  it('of a project follows its settings, and carriers sign phones in with one tap', async () => {
    const product = await owner.ok(authSettings, 'getProduct', { query: { projectId } })
    const {
      hasSmsSecret: _a,
      isSmsDelivered: _b,
      keySetUrl: _c,
      issuer: _d,
      revision: _e,
      ret: _r,
      ...settings
    } = product
    answer = json({})
    const put = await owner.ok(authSettings, 'putProduct', {
      body: { ...settings, smsEngine: 'webhook', smsWebhookUrl: `${base}/sms` },
    })
    expect(put.smsSecret).toMatch(/^whsec_/)
    const sent = await owner.ok(authSettings, 'testSms', { body: { projectId, phone: '+49-1701234567' } })
    expect(sent.isDelivered).toBe(true)
    await stage.settle()
    const { list } = await owner.ok(authSettings, 'listMessages', { query: { projectId } })
    expect(list[0]).toMatchObject({ state: 'SENT', engine: 'webhook', isTest: true })
    const phone = '+86-13800138000'
    await owner.ok(appUserDesk, 'createUser', { body: { projectId, phone } })
    const appKey = Buffer.alloc(32, 3).toString('base64')
    await owner.ok(authSettings, 'createQuickLogin', {
      body: { projectId, carrier: 'carrier-one', appId: 'a', appKey, checkUrl: `${base}/carrier`, enabled: true },
    })
    answer = json({ phone })
    const tap = (carrier: string) => signIn(11, 'token', JSON.stringify({ quickLogin: carrier }))
    userOfReply(await tap('carrier-one'))
    expect((await tap('nobody')).body.ret.code).toBe(203818008)
    answer = json({ phone: 'x' })
    expect((await tap('carrier-one')).body.ret.code).toBe(203818009)
  })
})
