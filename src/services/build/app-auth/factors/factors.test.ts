import * as openid from 'openid-client'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import {
  type AppOnDevice,
  byPassword,
  type Device,
  type DeviceUser,
  openApp,
  userOfReply,
} from '../app-auth.testkit.ts'
import { ask, Browser, openHosted, relyOn } from '../hosted/hosted.testkit.ts'
import { authSettings } from '../settings/contract.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  await openHosted(stage, app)
  device = await app.install()
})
afterAll(() => stage.close())

const needed = 203818023
const wrong = 203818024
const over = 203818025

async function setMfa(mfa: 'OFF' | 'OPTIONAL' | 'REQUIRED') {
  const leader = await stage.person({ team: app.owner.teamId, roles: ['administrator'] })
  const { projectId } = app
  const product = await leader.ok(authSettings, 'getProduct', { query: { projectId } })
  const { hasSmsSecret: _a, isSmsDelivered: _b, keySetUrl: _c, issuer: _d, ret: _r, revision, ...settings } = product
  const body = { ...settings, mfa, ...(revision === 0 ? {} : { revision }) }
  await leader.ok(authSettings, 'putProduct', { body })
}

const codeNow = (secret: string) => generate({ secret, epoch: Math.floor(stage.clock.now() / 1000) })
const nextCode = async (secret: string) => {
  await stage.clock.turn(31_000)
  return codeNow(secret)
}
const bodyOf = (reply: { body: object }) => reply.body as Record<string, string> & { recoveryCodes: string[] }
const signIn = async (email: string) => bodyOf(await device.send('POST', '/user-signin', byPassword(email)))
const finish = (ticket: unknown, code: unknown, by = device) =>
  by.send('POST', '/user-signin/factor', { ticket, code } as object)

interface Guarded extends DeviceUser {
  email: string
  secret: string
  recoveryCodes: string[]
}

async function guarded(email: string): Promise<Guarded> {
  const user = await device.signUp(email)
  const as = { user: user.accessToken }
  const { secret = '', ticket = '' } = bodyOf(await device.send('POST', '/user-factors/totp', {}, as))
  const code = await codeNow(secret)
  const confirmed = bodyOf(await device.send('POST', '/user-factors/totp/confirm', { ticket, code }, as))
  return { ...user, email, secret, recoveryCodes: confirmed.recoveryCodes }
}

describe('a second factor', () => {
  it('is not to be had while it is off, nor without a name', async () => {
    const user = await device.signUp('early@example.com')
    const start = (as: DeviceUser) => device.send('POST', '/user-factors/totp', {}, { user: as.accessToken })
    expect((await start(user)).body.ret.code).toBe(203818027)
    await setMfa('OPTIONAL')
    expect((await start(await device.anonymous())).body.ret.code).toBe(203818027)
    expect((await start(user)).body.ret.code).toBe(0)
    userOfReply(await device.send('POST', '/user-signin', byPassword('early@example.com')))
  })

  it('counts with its first code, and is then asked for; the password alone gives no token', async () => {
    const { email, uid, secret, recoveryCodes, accessToken } = await guarded('two@example.com')
    expect(new Set(recoveryCodes).size).toBe(10)
    const first = await signIn(email)
    expect(first.ret).toMatchObject({ code: needed })
    expect(JSON.stringify(first)).not.toMatch(/accessToken|refreshToken|eyJ/)
    const reply = await finish(first['ticket'], await nextCode(secret))
    expect(userOfReply(reply).uid).toBe(uid)
    const listed = await device.send('GET', '/user-factors', undefined, { user: accessToken })
    expect(listed.body).toMatchObject({ factors: [{ kind: 'TOTP' }], recoveryCodesLeft: 10 })
    const again = await device.send('POST', '/user-factors/totp', {}, { user: accessToken })
    expect(again.body.ret.code).toBe(203818026)
  })

  it('takes a code once, of forty at once one, whatever the ticket', async () => {
    const { email, secret } = await guarded('burst@example.com')
    const tickets = await Promise.all(Array.from({ length: 4 }, () => signIn(email)))
    const code = await nextCode(secret)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_none, n) => finish(tickets[n % tickets.length]?.['ticket'], code)),
    )
    expect(replies.filter(one => one.body.ret.code === 0)).toHaveLength(1)
    await stage.clock.turn(16 * 60_000)
    const { ticket } = await signIn(email)
    expect((await finish(ticket, code)).body.ret.code).toBe(wrong)
  })

  it('takes a recovery code once, of forty at once one', async () => {
    const { email, recoveryCodes } = await guarded('lost@example.com')
    const [code = '', other = ''] = recoveryCodes
    const tickets = await Promise.all(Array.from({ length: 10 }, () => signIn(email)))
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_none, n) => finish(tickets[n % 10]?.['ticket'], code)),
    )
    expect(replies.filter(one => one.body.ret.code === 0)).toHaveLength(1)
    await stage.clock.turn(16 * 60_000)
    expect((await finish((await signIn(email))['ticket'], code)).body.ret.code).toBe(wrong)
    userOfReply(await finish((await signIn(email))['ticket'], other.toUpperCase().replace('-', ' ')))
  })

  it('gives a ticket that is good once, for five tries, five minutes, and the installation that has it', async () => {
    const { email, secret } = await guarded('ticket@example.com')
    const { ticket } = await signIn(email)
    const stranger = await app.install()
    const code = await nextCode(secret)
    expect((await finish(ticket, code, stranger)).body.ret.code).toBe(over)
    for (const typed of [null, Number(code), [code], { $ne: null }, ''])
      expect((await finish(ticket, typed)).body.ret.code).not.toBe(0)
    for (let turn = 0; turn < 5; turn++) await finish(ticket, '000000')
    expect((await finish(ticket, code)).body.ret.code).toBe(over)
    await stage.clock.turn(16 * 60_000)
    const late = (await signIn(email))['ticket']
    await stage.clock.turn(300_001)
    expect((await finish(late, await codeNow(secret))).body.ret.code).toBe(over)
    const good = (await signIn(email))['ticket']
    userOfReply(await finish(good, await codeNow(secret)))
    expect((await finish(good, await nextCode(secret))).body.ret.code).toBe(over)
    for (const none of ['', 'x', null, ['x']]) expect((await finish(none, code)).body.ret.code).not.toBe(0)
  })

  it('is not gone round: not by a code for the address, by a reset, or by guessing', async () => {
    const { email, secret } = await guarded('round@example.com')
    await stage.clock.turn(61_000)
    await device.send('POST', '/verify-code', { email, action: 1001 }, { ip: '10.7.0.1' })
    const extraData = JSON.stringify({ password: '', verifyCode: await device.codeFor(email) })
    const byCode = await device.send('POST', '/user-signin', { provider: 12, token: email, extraData })
    expect(byCode.body.ret.code).toBe(needed)
    await stage.clock.turn(61_000)
    const before = await signIn(email)
    await device.send('POST', '/verify-code', { email, action: 1002 }, { ip: '10.7.0.2' })
    const reset = { provider: 12, account: email, password: 'Another-horse-7', verifyCode: await device.codeFor(email) }
    expect((await device.send('POST', '/reset-password', reset)).body.ret.code).toBe(0)
    expect((await finish(before['ticket'], await codeNow(secret))).body.ret.code).toBe(over)
    const codes: number[] = []
    for (let turn = 0; turn < 12; turn++) {
      const { ticket } = bodyOf(await device.send('POST', '/user-signin', byPassword(email, 'Another-horse-7')))
      codes.push((await finish(ticket, '000000')).body.ret.code)
    }
    expect(codes.slice(-2)).toEqual([203818006, 203818006])
  })

  it('is taken away by a code of it soon after a proof, and by nothing less', async () => {
    device = await app.install()
    const { email, secret, accessToken } = await guarded('away@example.com')
    const remove = (code: unknown) =>
      device.send('POST', '/user-factors/totp/remove', { code } as object, { user: accessToken })
    expect((await remove('000000')).body.ret.code).toBe(wrong)
    expect((await remove(await nextCode(secret))).body.ret.code).toBe(0)
    userOfReply(await device.send('POST', '/user-signin', byPassword(email)))
    const late = await guarded('away.late@example.com')
    await stage.clock.turn(300_001)
    const told = await device.send(
      'POST',
      '/user-factors/totp/remove',
      { code: await codeNow(late.secret) },
      { user: late.accessToken },
    )
    expect(told.body.ret.code).toBe(203818011)
  })

  it('of a deleted user is gone with it', async () => {
    const { uid, accessToken } = await guarded('gone@example.com')
    expect((await device.send('POST', '/user-delete', {}, { user: accessToken })).body.ret.code).toBe(0)
    const left = await stage.sql(
      'CN',
      'SELECT 1 FROM app_user_totp WHERE uid = $1 UNION ALL SELECT 1 FROM app_user_recovery_codes WHERE uid = $1',
      [uid],
    )
    expect(left).toEqual([])
  })
})

describe('a second factor that is required', () => {
  const toAdd = 203818028
  beforeAll(async () => {
    await setMfa('OPTIONAL')
    await device.signUp('must@example.com')
    await setMfa('REQUIRED')
  })
  afterAll(() => setMfa('OPTIONAL'))

  it('is added at the next sign-in, before there is any token, and is asked for from then on', async () => {
    const first = await signIn('must@example.com')
    expect(first.ret).toMatchObject({ code: toAdd })
    expect(JSON.stringify(first)).not.toMatch(/accessToken|refreshToken|eyJ/)
    const { ticket = '', secret = '', uri } = first
    expect(uri).toContain(secret)
    expect((await finish(ticket, '000000')).body.ret.code).toBe(wrong)
    const stranger = await app.install()
    expect((await finish(ticket, await codeNow(secret), stranger)).body.ret.code).toBe(over)
    const added = await finish(ticket, await codeNow(secret))
    const user = userOfReply(added)
    expect(new Set(bodyOf(added).recoveryCodes).size).toBe(10)
    expect((await finish(ticket, await nextCode(secret))).body.ret.code).toBe(over)
    const next = await signIn('must@example.com')
    expect(next.ret).toMatchObject({ code: needed })
    const again = await finish(next['ticket'], await nextCode(secret))
    expect([userOfReply(again).uid, bodyOf(again).recoveryCodes]).toEqual([user.uid, undefined])
  })

  it('is added by whoever registers, stays, and is not asked of those without a name', async () => {
    await device.send('POST', '/verify-code', { email: 'fresh@example.com', action: 1001, lang: 'en' })
    const verifyCode = await device.codeFor('fresh@example.com')
    const body = { provider: 12, email: 'fresh@example.com', password: 'Correct-horse-9', verifyCode, useJwt: 1 }
    const asked = bodyOf(await device.send('POST', '/user-register', body))
    expect([asked.ret, asked['accessToken']]).toEqual([expect.objectContaining({ code: toAdd }), undefined])
    const { accessToken } = userOfReply(await finish(asked['ticket'], await codeNow(asked['secret'] ?? '')))
    const code = await nextCode(asked['secret'] ?? '')
    const removed = await device.send('POST', '/user-factors/totp/remove', { code }, { user: accessToken })
    expect(removed.body.ret.code).toBe(203818029)
    expect((await device.anonymous()).uid).toMatch(/^\d+$/)
  })

  it('of two tickets counts once: the second code adds nothing', async () => {
    await setMfa('OPTIONAL')
    await device.signUp('twice.must@example.com')
    await setMfa('REQUIRED')
    const [one, other] = [await signIn('twice.must@example.com'), await signIn('twice.must@example.com')]
    userOfReply(await finish(one['ticket'], await codeNow(one['secret'] ?? '')))
    expect((await finish(other['ticket'], await codeNow(other['secret'] ?? ''))).body.ret.code).toBe(wrong)
    const { ticket } = await signIn('twice.must@example.com')
    userOfReply(await finish(ticket, await nextCode(one['secret'] ?? '')))
  })

  it('is added on the hosted page, which shows the recovery codes before it leads to the app', async () => {
    await setMfa('OPTIONAL')
    const { uid } = await device.signUp('page.must@example.com')
    await setMfa('REQUIRED')
    const relying = await relyOn(stage, app)
    const { url, verifier, state, nonce } = await ask(relying)
    const browser = new Browser(stage)
    await browser.open(url)
    const asked = await browser.submit({ name: 'page.must@example.com', password: 'Correct-horse-9' })
    expect([asked.status, asked.location, asked.text]).toEqual([200, '', expect.stringContaining('data:image/svg+xml')])
    const { secret = '' } = browser.hidden()
    const no = await browser.submit({ code: '000000' })
    expect([no.status, no.text.includes('wait for the next one'), browser.hidden()['secret']]).toEqual([
      403,
      true,
      secret,
    ])
    const codes = await browser.submit({ code: await codeNow(secret) })
    expect([codes.status, codes.location, codes.text.match(/<li><code>/g)?.length]).toEqual([200, '', 10])
    expect(codes.text).not.toContain(secret)
    const { location } = await browser.submit({})
    const tokens = await openid.authorizationCodeGrant(relying, new URL(location), {
      ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
      idTokenExpected: true,
    })
    expect(tokens.claims()?.sub).toBe(uid)
    await stage.clock.turn(900_001)
    expect((await browser.submit({})).location).toBe('')
  })
})

describe('the hosted page', () => {
  it('asks for the second factor, and leads to the app only with it', async () => {
    const { email, secret, uid } = await guarded('page.two@example.com')
    const relying = await relyOn(stage, app)
    const { url, verifier, state, nonce } = await ask(relying)
    const browser = new Browser(stage)
    await browser.open(url)
    const asked = await browser.submit({ name: email, password: 'Correct-horse-9' })
    expect([asked.status, asked.location, asked.text]).toEqual([200, '', expect.stringContaining('authenticator app')])
    const no = await browser.submit({ code: '000000' })
    expect([no.status, no.location, no.text]).toEqual([403, '', expect.stringContaining('wait for the next one')])
    const { location } = await browser.submit({ code: await nextCode(secret) })
    const tokens = await openid.authorizationCodeGrant(relying, new URL(location), {
      ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
      idTokenExpected: true,
    })
    expect(tokens.claims()?.sub).toBe(uid)
  })
})
