import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { alpha, mannWhitneyP, timesOf } from '../../../../testkit/times.ts'
import { newClient, tokenOf } from '../../../ground/api-clients/clients.testkit.ts'
import { projectConfigFiles } from '../../../ground/projects/config-files/contract.ts'
import { type AppOnDevice, byPassword, type Device, openApp, password, userOfReply } from '../app-auth.testkit.ts'
import { appCallerOf } from '../public.ts'
import { signToken } from '../tokens.ts'

let stage: Stage
let app: AppOnDevice
let other: AppOnDevice
let device: Device
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  app = await openApp(stage)
  other = await openApp(stage)
  device = await app.install()
})
afterAll(() => stage.close())

const judge = (headers: Record<string, string>) =>
  appCallerOf(stage.booted.server, headers).then(
    found => found.user?.uid ?? 'app',
    (error: { number: number }) => error.number,
  )
const withUser = (user: string) => judge({ authorization: `Bearer ${device.clientToken}`, access_token: user })

describe('a token', () => {
  it('of another project, another kind, another key, another algorithm or nobody is refused', async () => {
    const own = await device.signUp('tokens@example.com')
    const foreign = await (await other.install()).signUp('tokens@example.com')
    expect(await withUser(own.accessToken)).toBe(own.uid)
    const [head = '', body = '', sum = ''] = own.accessToken.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const pair = await generateKeyPair('ES256')
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'user+jwt' })
      .sign(pair.privateKey)
    const keys = await stage.app.inject('/cn/app-auth/.well-known/jwks.json')
    const asSecret = new TextEncoder().encode(JSON.stringify(keys.json().keys[0]))
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid, typ: 'user+jwt' }).sign(asSecret)
    const bent = Buffer.from(JSON.stringify({ ...claims, sub: '1' })).toString('base64url')
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid, typ: 'user+jwt' })).toString('base64url')
    const tried = {
      foreign: foreign.accessToken,
      client: device.clientToken,
      refresh: own.refreshToken,
      forged,
      confused,
      unsecured: new UnsecuredJWT(claims).encode(),
      none: `${none}.${body}.`,
      bent: `${head}.${bent}.${sum}`,
      noSum: `${head}.${body}.`,
      huge: `${head}.${body}.${'A'.repeat(1_000_000)}`,
      kidPath: await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: '../../dev/null', typ: 'user+jwt', jku: 'https://evil.example/jwks' })
        .sign(pair.privateKey),
      words: 'null',
    }
    const told = await Promise.all(Object.values(tried).map(withUser))
    expect(Object.fromEntries(Object.keys(tried).map((name, at) => [name, told[at]]))).toEqual(
      Object.fromEntries(Object.keys(tried).map(name => [name, 205524994])),
    )
  })

  it('of a user is none of an app, and none of another zone passes', async () => {
    const own = await device.anonymous()
    expect(await judge({ authorization: `Bearer ${own.accessToken}` })).toBe(205524993)
    expect(await judge({})).toBe(205524993)
    expect(await judge({ authorization: 'Basic x' })).toBe(205524993)
    const there = await signToken(stage.booted.server, 'DE', 'user', {
      projectId: app.projectId,
      subject: own.uid,
      seconds: 60,
      claims: { fam: '1' },
    })
    expect(await withUser(there)).toBe(205524994)
  })

  it('of a deleted configuration file ends with it', async () => {
    const short = await openApp(stage)
    const { clientToken } = await short.install()
    const headers = { authorization: `Bearer ${clientToken}` }
    expect(await judge(headers)).toBe('app')
    const { projectId, owner } = short
    const { list } = await owner.ok(projectConfigFiles, 'listConfigFiles', { query: { projectId } })
    await owner.ok(projectConfigFiles, 'deleteConfigFile', {
      query: { projectId, configFileId: list[0]?.configFileId ?? '' },
    })
    expect(await judge(headers)).toBe(205524993)
  })

  it('that is over is refused with the number that clients renew at', async () => {
    const own = await device.anonymous()
    const before = stage.clock.now()
    await stage.clock.turn(172_800_000 + 10_000)
    expect(await withUser(own.accessToken)).toBe(205524993)
    device = await app.install()
    expect(await withUser(own.accessToken)).toBe(205524994)
    expect(stage.clock.now()).toBeGreaterThan(before)
  })

  it('of a server names its project, holds the right for it, and is of the team', async () => {
    const own = await openApp(stage)
    const permitted = await newClient(own.owner, { permissions: ['appAuth.server'] })
    const token = await tokenOf(stage.app, permitted)
    const found = await appCallerOf(stage.booted.server, { authorization: `Bearer ${token}`, productid: own.projectId })
    expect(found).toMatchObject({ isServer: true, appId: null, user: null, projectId: own.projectId })
    expect(await judge({ authorization: `Bearer ${token}`, productid: other.projectId })).toBe(205524993)
    expect(await judge({ authorization: `Bearer ${token}` })).toBe(205524993)
    const weak = await tokenOf(stage.app, await newClient(own.owner))
    expect(await judge({ authorization: `Bearer ${weak}`, productid: own.projectId })).toBe(205524993)
    const narrow = await newClient(own.owner, {
      permissions: ['appAuth.server'],
      scope: { projects: [(await openApp(stage, own.owner)).projectId] },
    })
    const elsewhere = await tokenOf(stage.app, narrow)
    expect(await judge({ authorization: `Bearer ${elsewhere}`, productid: own.projectId })).toBe(205524993)
  })
})

describe('a code', () => {
  const ask = (email: string, by = device, ip = '198.51.100.1') =>
    by.send('POST', '/verify-code', { email, action: 1001 }, { ip })
  const use = (email: string, verifyCode: unknown, by = device) =>
    by.send('POST', '/user-register', { provider: 12, email, password, verifyCode } as object)

  it('is used once, by the installation that asked, of forty at once by one', async () => {
    const email = 'once@example.com'
    await ask(email)
    const code = await device.codeFor(email)
    const stranger = await app.install()
    expect((await use(email, code, stranger)).body.ret.code).toBe(203818001)
    const replies = await Promise.all(Array.from({ length: 40 }, () => use(email, code)))
    expect(replies.filter(one => one.body.ret.code === 0)).toHaveLength(1)
    expect((await use(email, code)).body.ret.code).toBe(203818001)
  })

  it('is locked after five tries, whatever type they are of', async () => {
    const email = 'guess@example.com'
    await ask(email, device, '198.51.100.2')
    const code = await device.codeFor(email)
    for (const one of [Number(code), [code], null, { $ne: null }, '']) {
      const { status, body } = await use(email, one)
      expect([status === 200 ? body.ret.code : status]).toEqual([status === 200 ? 203818001 : 400])
    }
    for (let guess = 0; guess < 5; guess++) {
      const wrong = String((Number(code) + 1 + guess) % 1_000_000).padStart(6, '0')
      expect((await use(email, wrong)).body.ret.code).toBe(203818001)
    }
    expect((await use(email, code)).body.ret.code).toBe(203818001)
  })

  it('is sent once a minute and five times an hour to one address from one place', async () => {
    const email = 'often@example.com'
    const codes: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      codes.push((await ask(email, device, '198.51.100.3')).body.ret.code)
      if (turn === 0) codes.push((await ask(email, device, '198.51.100.3')).body.ret.code)
      await stage.clock.turn(61_000)
    }
    expect(codes).toEqual([0, 203818002, 0, 0, 0, 0, 203818002])
    expect((await ask(email, device, '198.51.100.4')).body.ret.code).toBe(0)
  })

  it('of forty asked for at once is one', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => ask('burst@example.com', device, '198.51.100.5')),
    )
    expect(replies.filter(one => one.body.ret.code === 0)).toHaveLength(1)
  })
})

describe('guessing a password', () => {
  it('locks out the guesser, not the user: not where he was before, nor by a code', async () => {
    const email = 'victim@example.com'
    await device.signUp(email)
    const guess = (ip: string) => device.send('POST', '/user-signin', byPassword(email, 'wrong-Guess-1'), { ip })
    const codes: number[] = []
    for (let turn = 0; turn < 11; turn++) codes.push((await guess('192.0.2.9')).body.ret.code)
    expect(codes).toEqual([...Array(10).fill(203818004), 203818006])
    const twin = await device.send('POST', '/user-signin', byPassword(' VICTIM@example.com', 'wrong'), {
      ip: '192.0.2.9',
    })
    expect(twin.body.ret.code).toBe(203818006)
    userOfReply(await device.send('POST', '/user-signin', byPassword(email)))
    await stage.clock.turn(16 * 60_000)
    expect((await guess('192.0.2.9')).body.ret.code).toBe(203818004)
  })

  it('takes as long for who is there as for who is not', { timeout: 300_000 }, async () => {
    await device.signUp('timed@example.com')
    const timed = (email: string) => async (turn: number) => {
      const ip = `10.${turn + 3}.${email.length}.1`
      const startedAt = performance.now()
      const { body } = await device.send('POST', '/user-signin', byPassword(email, 'wrong-Guess-1'), { ip })
      if (body.ret.code !== 203818004) throw new Error(JSON.stringify(body))
      return performance.now() - startedAt
    }
    const { known, unknown } = await timesOf(timed('timed@example.com'), turn =>
      timed(`nobody${turn}@example.com`)(turn),
    )
    expect(mannWhitneyP(known, unknown)).toBeGreaterThan(alpha)
  })

  it('learns nothing by asking for a reset, in words or in time', { timeout: 300_000 }, async () => {
    const emails: string[] = []
    for (let at = 0; at < 3; at++) emails.push(`there${at}@example.com`)
    for (const email of emails) await device.signUp(email)
    await stage.clock.turn(3_600_000)
    const told = new Set<string>()
    for (const email of [...emails, 'absent1@example.com', 'absent2@example.com']) {
      const ip = '172.16.9.9'
      const reply = await device.send('POST', '/verify-code', { email, action: 1002 }, { ip })
      told.add(`${reply.status} ${JSON.stringify(reply.body)}`)
    }
    expect([...told]).toHaveLength(1)
    await stage.settle()
    const mails = await stage.mails()
    expect(mails.filter(one => one.to.startsWith('absent'))).toEqual([])
  })
})

describe('every field', () => {
  it('that is not of the call is never stored', async () => {
    const { uid, accessToken } = await device.signUp('mass@example.com')
    const more = {
      state: 'DISABLED',
      teamId: '1',
      projectId: other.projectId,
      claims: { admin: true },
      isAnonymous: true,
      uid: '5',
    }
    await device.send('PUT', '/user-profile', { displayName: 'M', photoUrl: '', ...more }, { user: accessToken })
    await device.send('POST', '/user-signin', { ...byPassword('mass@example.com'), ...more })
    const [row] = await stage.sql(
      'CN',
      'SELECT state, claims, project_id, is_anonymous FROM app_users WHERE uid = $1',
      [uid],
    )
    expect(row).toEqual({ state: 'ACTIVE', claims: {}, project_id: app.projectId, is_anonymous: false })
  })

  it('with prototype names or SQL in it changes nothing and breaks nothing', async () => {
    const polluted = '{"provider":12,"token":"a@b.co","extraData":"{\\"__proto__\\":{\\"polluted\\":1}}"}'
    const reply = await stage.app.inject({
      method: 'POST',
      url: '/agc/apigw/oauth2/third/v1/user-signin',
      headers: { authorization: `Bearer ${device.clientToken}`, 'content-type': 'application/json' },
      payload: polluted,
    })
    expect(reply.statusCode).toBeLessThan(500)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    for (const token of ["x' OR 1=1 --@example.com", '$1', '%', '\u0000', '{"$ne":null}']) {
      const told = await device.send('POST', '/user-signin', byPassword(token))
      expect(told.body.ret.code).not.toBe(0)
      expect(told.status).toBeLessThan(500)
    }
    for (const provider of ['__proto__', 'constructor', -1, 99, 1e308]) {
      const told = await device.send('POST', '/user-signin', { provider, token: 'x', extraData: '' } as object)
      expect(told.body.ret.code).not.toBe(0)
      expect(told.status).toBeLessThan(500)
    }
  })
})
