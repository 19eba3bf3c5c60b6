import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallSpec, Contract } from '../../../kernel/contract.ts'
import { sampleOf } from '../../../testkit/sample.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import cloudDbService from '../cloud-db/service.ts'
import debugService from '../debug/service.ts'
import rulesService from '../rules/service.ts'
import storageService from '../storage/service.ts'
import { type AppOnDevice, byPassword, type Device, openApp, password, userOfReply } from './app-auth.testkit.ts'
import { authHookCalls } from './hooks-desk/contract.ts'
import { appCallerOf } from './public.ts'
import appAuthService from './service.ts'
import { authSettings } from './settings/contract.ts'
import { appUserDesk } from './user-desk/contract.ts'

/** What broke in back ends like this one, tried on this one; docs/advisories.md says which is which. */
let stage: Stage
let app: AppOnDevice
let device: Device
let owner: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  ;({ owner, projectId } = app)
  device = await app.install()
})
afterAll(() => stage.close())

const third = '/agc/apigw/oauth2/third/v1'

describe('a code that was used on one way (CVE-2026-31875, CVE-2026-33624, CVE-2026-34224, CVE-2026-43930)', () => {
  const newPassword = 'Another-horse-7'
  type Way = (email: string, code: unknown, user: string) => ReturnType<Device['send']>
  const bySignIn = (path: string): Way => {
    return (email, code, user) => {
      const extraData = JSON.stringify({ password: '', verifyCode: code })
      return device.send('POST', path, { provider: 12, token: email, extraData, autoCreateUser: 1 }, { user })
    }
  }
  const ways: Record<string, { action: number; use: Way }> = {
    register: {
      action: 1001,
      use: (email, verifyCode) => device.send('POST', '/user-register', { provider: 12, email, password, verifyCode }),
    },
    signIn: { action: 1001, use: bySignIn('/user-signin') },
    link: { action: 1001, use: bySignIn('/user-link') },
    reauthenticate: { action: 1001, use: bySignIn('/user-reauthenticate') },
    reset: {
      action: 1002,
      use: (account, verifyCode) =>
        device.send('POST', '/reset-password', { provider: 12, account, password: newPassword, verifyCode }),
    },
    setPassword: {
      action: 1002,
      use: (_email, verifyCode, user) =>
        device.send('PUT', '/user-password', { provider: 12, newPassword, verifyCode }, { user }),
    },
    setAddress: {
      action: 1001,
      use: (newEmail, newVerifyCode, user) =>
        device.send('PUT', '/user-phone-email', { newEmail, newVerifyCode }, { user }),
    },
  }
  /** For whom each way works: somebody who is there, or nobody yet, or somebody without a name. */
  const begin: Record<string, 'nobody' | 'known' | 'anonymous'> = {
    register: 'nobody',
    signIn: 'known',
    link: 'anonymous',
    reauthenticate: 'known',
    reset: 'known',
    setPassword: 'known',
    setAddress: 'anonymous',
  }

  it.each(Object.keys(ways))('is spent on every other: %s', async first => {
    const email = `spent.${first.toLowerCase()}@example.com`
    const way = ways[first]
    if (!way) throw new Error(first)
    const kind = begin[first]
    const known = kind === 'known' ? await device.signUp(email) : kind === 'anonymous' ? await device.anonymous() : null
    await stage.clock.turn(61_000)
    const asked = await device.send(
      'POST',
      '/verify-code',
      { email, action: way.action },
      { ip: `10.9.0.${first.length}` },
    )
    expect(asked.body.ret.code).toBe(0)
    const code = await device.codeFor(email)
    const user = known?.accessToken ?? ''
    const replies = await Promise.all(Array.from({ length: 40 }, () => way.use(email, code, user)))
    expect([first, replies.filter(one => one.body.ret.code === 0).length]).toEqual([first, 1])
    const other = await device.anonymous()
    for (const [name, { use }] of Object.entries(ways))
      for (const typed of [code, Number(code), [code], { code }, null, '']) {
        const reply = await use(email, typed, other.accessToken)
        expect([first, name, typed, reply.status < 500, reply.body.ret.code === 0]).toEqual([
          ...[first, name, typed],
          true,
          false,
        ])
      }
  })
})

describe('a host that a request names (GHSA-3529-5m8x-rpv3)', () => {
  it('stands in no mail, no token and no address that is answered', async () => {
    const evil = 'evil.example'
    const headers = {
      host: evil,
      'x-forwarded-host': evil,
      'x-forwarded-proto': 'https',
      'x-forwarded-server': evil,
      forwarded: `host=${evil};proto=https`,
      'x-original-url': `https://${evil}/`,
      origin: '',
    }
    const email = 'hosted@example.com'
    await device.signUp(email)
    await stage.clock.turn(61_000)
    for (const action of [1001, 1002]) {
      const asked = await device.send(
        'POST',
        '/verify-code',
        { email, action },
        { headers, ip: `10.8.0.${action % 250}` },
      )
      expect(asked.body.ret.code).toBe(0)
      await stage.clock.turn(61_000)
    }
    await stage.settle()
    const mails = (await stage.mails()).filter(one => one.to === email)
    expect(mails).toHaveLength(3)
    expect(JSON.stringify(mails)).not.toContain(evil)
    const signedIn = await device.send('POST', '/user-signin', byPassword(email), { headers })
    expect(JSON.stringify(signedIn.body)).not.toContain(evil)
    const [, claims = ''] = userOfReply(signedIn).accessToken.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).iss).toBe('http://localhost:8080/cn/app-auth')
  })
})

describe('addresses that people give (CVE-2023-27159, CVE-2026-35409)', () => {
  const inside = [
    ...['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest', 'https://10.0.0.8/', 'https://0/'],
    ...['https://0.0.0.0/', 'https://localhost/', 'https://localhost./', 'https://2130706433/', 'https://0x7f000001/'],
    ...['https://0177.0.0.1/', 'https://127.1/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
    ...['https://[64:ff9b::7f00:1]/', 'https://a@127.0.0.1/', 'https://192.168.0.1/', 'https://172.16.0.1/'],
    ...['https://100.64.0.1/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'http://127.0.0.1#@good.example/'],
    ...['https://１２７.０.０.１/', 'https://127。0。0。1/'],
  ]
  const oauth = {
    clientId: 'c',
    checkUrl: 'https://check.example/',
    checkField: 'app',
    userInfoUrl: 'https://me.example/',
    idField: 'id',
  }
  const method = (provider: number, config: Record<string, string>) =>
    owner.call(authSettings, 'createMethod', { body: { projectId, provider, enabled: true, config } })
  const given: Record<string, (url: string) => Promise<{ status: number }>> = {
    hook: url =>
      owner.call(authHookCalls, 'createHook', {
        body: { projectId, moment: 'BEFORE_SIGN_IN', url, timeoutMs: 1000, onFailure: 'ALLOW', enabled: true },
      }),
    issuer: url => method(20, { issuer: url, clientIds: 'c' }),
    check: url => method(2, { ...oauth, checkUrl: url }),
    profile: url => method(2, { ...oauth, userInfoUrl: url }),
    carrier: url =>
      owner.call(authSettings, 'createQuickLogin', {
        body: { projectId, carrier: 'c', appId: 'a', appKey: 'QUFB', checkUrl: url, enabled: true },
      }),
  }
  it.each(Object.keys(given))('lead nowhere inside: %s', async where => {
    for (const url of inside) {
      const reply = await given[where]?.(url)
      expect([where, url, reply?.status]).toEqual([where, url, 400])
    }
  })

  it('as the picture of a user are refused, and nothing asks for the others', async () => {
    const { accessToken } = await device.signUp('pictured@example.com')
    for (const photoUrl of ['http://127.0.0.1/', 'file:///etc/passwd', 'javascript:alert(1)']) {
      const reply = await device.send('PUT', '/user-profile', { displayName: 'P', photoUrl }, { user: accessToken })
      expect([photoUrl, reply.body.ret.code === 0]).toEqual([photoUrl, false])
    }
  })
})

describe('a member who may only read (CVE-2026-29182, CVE-2026-30228, CVE-2026-30229)', () => {
  const walked: { title: string; contract: Contract; name: string; call: CallSpec }[] = [
    ...[appAuthService, cloudDbService, storageService, rulesService, debugService],
  ]
    .flatMap(one => one.calls.map(({ contract }): Contract => contract))
    .flatMap(contract =>
      Object.entries(contract.calls).map(([name, call]) => ({
        title: `${call.method} ${contract.prefix}${call.path}`,
        ...{ contract, name, call },
      })),
    )
    .filter(({ call }) => call.who === 'cp' && call.may !== 'none' && !String(call.may).endsWith('.read'))
  let reader: Person
  beforeAll(async () => {
    reader = await stage.person({ team: owner.teamId, roles: ['analyst'] })
  })

  it('reads what readers read', async () => {
    await reader.ok(authSettings, 'getProduct', { query: { projectId } })
  })

  it.each(walked)('is refused by $title', async ({ contract, name, call }) => {
    const known = { projectId }
    const reply = await reader.call(contract, name, {
      params: sampleOf(call.params ?? {}, known) as never,
      query: sampleOf(call.query ?? {}, known) as never,
      ...(call.body ? { body: sampleOf(call.body, known) as never } : {}),
    })
    expect(reply.status).toBe(403)
  })
})

describe('headers that are read before anybody is known (CVE-2026-47138)', () => {
  it('cost nothing, however they are made', { timeout: 60_000 }, async () => {
    const long = 12_000
    const shapes = ['a', '1', '.', '-', ' ', '1.', 'a-', ' \t', '%', ',', ';', '=', '"'].map(one =>
      `${one.repeat(Math.floor(long / one.length))}!`.trim(),
    )
    const named = [
      ...['authorization', 'access_token', 'productid', 'user-agent', 'origin', 'accept-language', 'cookie'],
      ...['x-forwarded-for', 'content-type', 'app_version', 'sdkversion', 'sdkplatformversion', 'client_id'],
    ]
    for (const name of named)
      for (const value of shapes)
        for (const sent of name === 'authorization' ? [value, `Bearer ${value}`] : [value]) {
          const reply = await stage.app.inject({
            method: 'POST',
            url: `${third}/user-signin?productId=${projectId}`,
            headers: { 'content-type': 'application/json', [name]: sent },
            payload: '{}',
          })
          expect([name, value.slice(0, 5), reply.statusCode < 500]).toEqual([name, value.slice(0, 5), true])
        }
  })
})

describe('a user who is shut out (GHSA-56p6-qw3c-fq2g)', () => {
  it('is out with every token, on every server', async () => {
    const email = 'out@example.com'
    const signedIn = await device.signUp(email)
    const { uid, accessToken, refreshToken } = signedIn
    const other = await stage.another()
    const headers = { authorization: `Bearer ${device.clientToken}`, access_token: accessToken }
    for (const { server } of [stage.booted, other]) expect((await appCallerOf(server, headers)).user?.uid).toBe(uid)
    const { user } = await owner.ok(appUserDesk, 'getUser', { query: { projectId, uid } })
    await owner.ok(appUserDesk, 'updateUser', { body: { projectId, uid, revision: user.revision, disabled: true } })
    await expect(appCallerOf(stage.booted.server, headers)).rejects.toMatchObject({ number: 205524994 })
    await expect
      .poll(
        () =>
          appCallerOf(other.server, headers).then(
            found => found.user?.uid,
            (error: Error) => error.name,
          ),
        {
          timeout: 20_000,
        },
      )
      .not.toBe(uid)
    expect((await device.send('POST', '/user-auth/refresh-token', { refreshToken })).body.ret.code).not.toBe(0)
    expect((await device.send('POST', '/user-signin', byPassword(email))).body.ret.code).not.toBe(0)
  })
})

describe('what guessing is counted by (CVE-2025-64526)', () => {
  it('is nothing that the guesser chooses: fields, headers, spellings', async () => {
    const email = 'rotated@example.com'
    await device.signUp(email)
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email} `, 'ｒotated@example.com']
    const codes: number[] = []
    for (let turn = 0; turn < 12; turn++) {
      const body = {
        ...byPassword(spellings[turn % spellings.length] ?? email, `Wrong-guess-${turn}`),
        ...{ deviceId: `d${turn}`, email: `e${turn}@example.com`, useJwt: turn % 2, [`extra${turn}`]: turn },
      }
      const headers = {
        'x-forwarded-for': `198.18.0.${turn}`,
        'x-real-ip': `198.18.1.${turn}`,
        forwarded: `for=198.18.2.${turn}`,
        'user-agent': `agent ${turn}`,
        productid: String(turn),
      }
      codes.push((await device.send('POST', '/user-signin', body, { headers, ip: '192.0.2.77' })).body.ret.code)
    }
    expect(codes).toEqual([...Array(10).fill(203818004), 203818006, 203818006])
  })
})
