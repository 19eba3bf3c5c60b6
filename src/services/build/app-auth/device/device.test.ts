import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, byPassword, type Device, openApp, password, userOfReply } from '../app-auth.testkit.ts'
import { appCallerOf, appUsersOf } from '../public.ts'
import { authSettings } from '../settings/contract.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  device = await app.install()
})
afterAll(() => stage.close())

const caller = (token: string, user = '') =>
  appCallerOf(stage.booted.server, { authorization: `Bearer ${token}`, access_token: user })

describe('an app', () => {
  it('gets a token of 48 hours by the client of its configuration file, and the old one stays good', async () => {
    const other = await app.install()
    expect(await caller(device.clientToken)).toMatchObject({
      projectId: app.projectId,
      teamId: app.owner.teamId,
      appId: app.appId,
      isServer: false,
      user: null,
      zone: 'CN',
    })
    expect((await caller(other.clientToken)).projectId).toBe(app.projectId)
  })

  it('is refused with a wrong secret, an unknown client and another grant, in one and the same words', async () => {
    const ask = async (bent: object) => {
      const payload = { grant_type: 'client_credentials', client_id: app.clientId, client_secret: app.clientSecret }
      const reply = await stage.app.inject({
        method: 'POST',
        url: '/agc/apigw/oauth2/v1/token',
        payload: { ...payload, ...bent },
      })
      return reply.json().ret
    }
    const told = await Promise.all([
      ask({ client_secret: 'x' }),
      ask({ client_id: '1' }),
      ask({ client_id: '__proto__' }),
      ask({ grant_type: 'password' }),
    ])
    expect(new Set(told.map(one => JSON.stringify(one))).size).toBe(1)
    expect(told[0].code).toBe(203818017)
  })
})

describe('a user', () => {
  it('registers by a mailed code, signs in by password, and is who the token says', async () => {
    const { uid, accessToken } = await device.signUp('mira@example.com')
    const reply = await device.send('POST', '/user-signin', byPassword('MIRA@example.com '))
    expect(reply.body).toMatchObject({
      ret: { code: 0 },
      userInfo: { uid, email: 'mira@example.com', emailVerified: 1, passwordSetted: 1, provider: 12 },
      providers: [{ provider: '12', email: 'mira@example.com' }],
    })
    expect((await caller(device.clientToken, accessToken)).user).toMatchObject({
      uid,
      provider: 12,
      isAnonymous: false,
      claims: {},
    })
    const keys = await stage.app.inject('/cn/app-auth/.well-known/jwks.json')
    const { payload, protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet(keys.json()), {
      audience: app.projectId,
      currentDate: new Date(stage.clock.now()),
    })
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({ sub: uid, email: 'mira@example.com', email_verified: true, anonymous: false })
    const found = await systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx =>
      appUsersOf(ctx, app.projectId, [uid, '17', "1' OR '1'='1"]),
    )
    expect([...found.keys()]).toEqual([uid])
  })

  it('registers by a text message, which the outbox keeps and nobody gets', async () => {
    const phone = '+49-1701234567'
    await device.send('POST', '/verify-code', { phone, action: 1001, lang: 'zh_CN' })
    await stage.settle()
    const query = { projectId: app.projectId }
    const [message] = (await app.owner.ok(authSettings, 'listMessages', { query })).list
    expect(message).toMatchObject({ phone, country: '+49', state: 'KEPT', engine: 'outbox', usedAt: null })
    const verifyCode = /\d{6}/.exec(message?.text ?? '')?.[0]
    const reply = await device.send('POST', '/user-register', { provider: 11, phone: '+49-0170 1234567', verifyCode })
    expect(reply.body).toMatchObject({ ret: { code: 0 }, userInfo: { phone, passwordSetted: 0 } })
    const usage = await app.owner.ok(authSettings, 'getSmsUsage', { query })
    expect(usage.list).toMatchObject([{ country: '+49', kept: 1, sent: 0, used: 1 }])
  })

  it('without a name becomes a whole one by a link and keeps the uid', async () => {
    const { uid, accessToken } = await device.anonymous()
    expect((await caller(device.clientToken, accessToken)).user?.isAnonymous).toBe(true)
    const email = 'later@example.com'
    await device.send('POST', '/verify-code', { email, action: 1001 })
    const extraData = JSON.stringify({ password, verifyCode: await device.codeFor(email) })
    const body = { provider: 12, token: email, extraData }
    const linked = await device.send('POST', '/user-link', body, { user: accessToken })
    expect(linked.body).toMatchObject({ ret: { code: 0 }, providerUserInfo: { uid, email } })
    expect((await caller(device.clientToken, accessToken)).user?.isAnonymous).toBe(false)
    expect(userOfReply(await device.send('POST', '/user-signin', byPassword(email))).uid).toBe(uid)
  })

  it('cannot link what is another’s, and neither of the two is changed', async () => {
    await device.signUp('first@example.com')
    const other = await device.anonymous()
    await stage.clock.turn(61_000)
    const email = 'first@example.com'
    await device.send('POST', '/verify-code', { email, action: 1001 })
    const extraData = JSON.stringify({ password: '', verifyCode: await device.codeFor(email) })
    const reply = await device.send(
      'POST',
      '/user-link',
      { provider: 12, token: email, extraData },
      { user: other.accessToken },
    )
    expect(reply.body.ret.code).toBe(203818007)
    const profile = await device.send('GET', '/user-profile', undefined, { user: other.accessToken })
    expect(profile.body).toMatchObject({ email: '', passwordSetted: 0 })
  })

  it('keeps the last way in', async () => {
    const { accessToken } = await device.signUp('only@example.com')
    const reply = await device.send('POST', '/user-unlink?provider=12', {}, { user: accessToken })
    expect(reply.body.ret.code).toBe(203818010)
  })

  it('changes name and picture, and reads when he came', async () => {
    const { accessToken } = await device.signUp('profile@example.com')
    const as = { user: accessToken }
    const photoUrl = 'https://example.com/p.png'
    await device.send('PUT', '/user-profile', { displayName: 'Mira', photoUrl, uid: '1', claims: { admin: true } }, as)
    const { body } = await device.send('GET', '/user-profile', undefined, as)
    expect(body).toMatchObject({
      displayName: 'Mira',
      photoUrl,
      userMetaData: { createTime: expect.stringMatching(/^\d{13}$/) },
    })
    const bad = await device.send('PUT', '/user-profile', { displayName: 'x', photoUrl: 'javascript:alert(1)' }, as)
    expect(bad.body.ret.code).not.toBe(0)
    expect((await caller(device.clientToken, accessToken)).user?.claims).toEqual({})
  })

  it('signs out: the tokens are void at once, on every server', async () => {
    const { accessToken, refreshToken } = await device.signUp('out@example.com')
    const other = await stage.another()
    const there = () =>
      appCallerOf(other.server, { authorization: `Bearer ${device.clientToken}`, access_token: accessToken })
    expect((await there()).user).not.toBeNull()
    await caller(device.clientToken, accessToken)
    await device.send('POST', '/user-signout', { refreshToken, accessToken }, { user: accessToken })
    await expect(caller(device.clientToken, accessToken)).rejects.toMatchObject({ number: 205524994 })
    await expect
      .poll(() =>
        there().then(
          () => 'good',
          error => (error as { number: number }).number,
        ),
      )
      .toBe(205524994)
    const again = await device.send('POST', '/user-auth/refresh-token', { refreshToken })
    expect(again.body.ret.code).toBe(203818014)
  })

  it('proves again who he is before what cannot be taken back', async () => {
    const email = 'gone@example.com'
    const { uid, accessToken } = await device.signUp(email)
    await stage.clock.turn(301_000)
    const as = { user: accessToken }
    expect((await device.send('POST', '/user-delete', {}, as)).body.ret.code).toBe(203818011)
    const proof = await device.send('POST', '/user-reauthenticate', byPassword(email), as)
    expect(userOfReply(proof).uid).toBe(uid)
    expect((await device.send('POST', '/user-delete', {}, as)).body.ret.code).toBe(0)
    expect((await device.send('GET', '/user-profile', undefined, as)).status).toBe(401)
    const [row] = await stage.sql('CN', 'SELECT state, email, password_hash FROM app_users WHERE uid = $1', [uid])
    expect(row).toEqual({ state: 'DELETED', email: null, password_hash: null })
    expect((await device.send('POST', '/user-signin', byPassword(email))).body.ret.code).toBe(203818004)
  })

  it('sets a forgotten password by a code; every session ends', async () => {
    const email = 'forgot@example.com'
    const { accessToken } = await device.signUp(email)
    await stage.clock.turn(61_000)
    await device.send('POST', '/verify-code', { email, action: 1002 })
    const verifyCode = await device.codeFor(email)
    const body = { provider: 12, account: email, password: 'Another-word-7', verifyCode }
    expect((await device.send('POST', '/reset-password', body)).body.ret.code).toBe(0)
    expect((await device.send('GET', '/user-profile', undefined, { user: accessToken })).status).toBe(401)
    expect((await device.send('POST', '/user-signin', byPassword(email))).body.ret.code).toBe(203818004)
    userOfReply(await device.send('POST', '/user-signin', byPassword(email, 'Another-word-7')))
  })
})

describe('refresh', () => {
  const refresh = (refreshToken: string) => device.send('POST', '/user-auth/refresh-token', { refreshToken, useJwt: 1 })
  const tokensOf = (reply: { body: object }) =>
    reply.body as unknown as { accessToken: { token: string }; refreshToken: { token: string } }

  it('of fifty at once gives all a token, and one and the same successor', async () => {
    const { refreshToken } = await device.signUp('race@example.com')
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)))
    expect(replies.map(one => one.body.ret.code)).toEqual(Array(50).fill(0))
    expect(new Set(replies.map(one => tokensOf(one).refreshToken.token)).size).toBe(1)
  })

  it('with a token whose successor was used ends the family, and stays ended on another server', async () => {
    const { refreshToken, accessToken } = await device.signUp('reuse@example.com')
    const next = tokensOf(await refresh(refreshToken)).refreshToken.token
    const third = tokensOf(await refresh(next))
    await stage.clock.turn(11_000)
    expect((await refresh(refreshToken)).body.ret.code).toBe(203818014)
    expect((await refresh(third.refreshToken.token)).body.ret.code).toBe(203818014)
    await expect(caller(device.clientToken, accessToken)).rejects.toMatchObject({ number: 205524994 })
    await expect(caller(device.clientToken, third.accessToken.token)).rejects.toMatchObject({ number: 205524994 })
    const other = await stage.another()
    const there = appCallerOf(other.server, {
      authorization: `Bearer ${device.clientToken}`,
      access_token: accessToken,
    })
    await expect(there).rejects.toMatchObject({ number: 205524994 })
  })

  it('where tokens are good once, of fifty at once exactly one is taken', async () => {
    const strict = await openApp(stage)
    const { projectId, owner } = strict
    const {
      hasSmsSecret: _a,
      isSmsDelivered: _b,
      keySetUrl: _c,
      issuer: _d,
      revision: _e,
      ret: _r,
      ...settings
    } = await owner.ok(authSettings, 'getProduct', { query: { projectId } })
    await owner.ok(authSettings, 'putProduct', { body: { ...settings, rotation: 'strict' } })
    const own = await strict.install()
    const { refreshToken } = await own.signUp('strict@example.com')
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => own.send('POST', '/user-auth/refresh-token', { refreshToken })),
    )
    expect(replies.filter(one => one.body.ret.code === 0)).toHaveLength(1)
    const good = replies.find(one => one.body.ret.code === 0) as (typeof replies)[number]
    const successor = tokensOf(good).refreshToken.token
    expect((await own.send('POST', '/user-auth/refresh-token', { refreshToken: successor })).body.ret.code).toBe(0)
  })

  it('ends with the days of the settings', async () => {
    const { refreshToken } = await device.signUp('days@example.com')
    await stage.clock.turn(61 * 86_400_000)
    const renewed = await app.install()
    const reply = await renewed.send('POST', '/user-auth/refresh-token', { refreshToken })
    expect(reply.body.ret.code).toBe(203818014)
    device = renewed
  })
})

describe('pages of other origins', () => {
  it('may ask before they send, and those that are not allowed may not sign in', async () => {
    const url = '/agc/apigw/oauth2/third/v1/user-signin?productId=1'
    const asked = await stage.app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://app.example.com' } })
    expect(asked.statusCode).toBe(204)
    expect(asked.headers['access-control-allow-origin']).toBe('*')
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
    const closed = await openApp(stage)
    const { projectId, owner } = closed
    const {
      hasSmsSecret: _a,
      isSmsDelivered: _b,
      keySetUrl: _c,
      issuer: _d,
      revision: _e,
      ret: _r,
      ...settings
    } = await owner.ok(authSettings, 'getProduct', { query: { projectId } })
    await owner.ok(authSettings, 'putProduct', { body: { ...settings, allowedOrigins: ['https://app.example.com'] } })
    const own = await closed.install()
    const from = (origin: string) => own.send('POST', '/user-signin-anonymous', {}, { headers: { origin } })
    expect((await from('https://evil.example')).body.ret.code).toBe(203818015)
    expect((await from('https://app.example.com')).body.ret.code).toBe(0)
  })
})
