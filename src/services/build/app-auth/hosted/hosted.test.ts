import { decodeProtectedHeader } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, type Device, openApp, password } from '../app-auth.testkit.ts'
import { appCallerOf } from '../public.ts'
import { authSettings } from '../settings/contract.ts'
import { type Asking, ask, Browser, openHosted, publicUrl, redirectUri, relyOn } from './hosted.testkit.ts'

let stage: Stage
let app: AppOnDevice
let other: AppOnDevice
let device: Device
let relying: openid.Configuration
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  other = await openApp(stage)
  device = await app.install()
  await openHosted(stage, app)
  await openHosted(stage, other)
  relying = await relyOn(stage, app)
})
afterAll(() => stage.close())

const codeOf = async (email: string) => (await device.codeFor(email)) || 'none'

/** Somebody signs in on the page; answers what the app was asked with and where it was led. */
async function signIn(email: string, browser = new Browser(stage)): Promise<Asking & { back: URL }> {
  const asking = await ask(relying)
  await browser.open(asking.url)
  const { status, location, text } = await browser.submit({ name: email, password })
  if (status !== 303) throw new Error(`${status} ${text}`)
  return { ...asking, back: new URL(location) }
}

const redeem = ({ back, verifier, state, nonce }: Asking & { back: URL }, by = relying) =>
  openid.authorizationCodeGrant(by, back, {
    ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
    idTokenExpected: true,
  })

const postToken = async (fields: Record<string, string>) => {
  const reply = await stage.app.inject({
    method: 'POST',
    url: '/cn/app-auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
  return { status: reply.statusCode, body: reply.json() as Record<string, string> }
}

const judge = (accessToken: string) =>
  appCallerOf(stage.booted.server, { authorization: `Bearer ${device.clientToken}`, access_token: accessToken }).then(
    found => found.user?.uid ?? '',
    (error: { number: number }) => String(error.number),
  )

describe('an unmodified openid-client', () => {
  it('registers somebody by a mailed code, and gets tokens that are good for every call of the app', async () => {
    const email = 'page.new@example.com'
    const browser = new Browser(stage)
    const asking = await ask(relying, { ui_locales: 'ru' })
    expect((await browser.open(asking.url)).text).toContain('<html lang="ru">')
    await browser.follow('register')
    const sent = await browser.submit({ name: email })
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Код действует пять минут')])
    const short = await browser.submit({ name: email, code: await codeOf(email), password: 'short' })
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('Пароль слишком короткий')])
    const { status, location } = await browser.submit({ name: email, code: await codeOf(email), password })
    expect(status).toBe(303)
    expect(location).toMatch(/^https:\/\/app\.example\.com\/signed-in\?code=[\w-]{43}&state=[\w-]+&iss=[^&]+$/)
    const tokens = await redeem({ ...asking, back: new URL(location) })
    const claims = tokens.claims()
    expect(claims).toMatchObject({ email, email_verified: true, aud: app.clientId, iss: `${publicUrl}/cn/app-auth` })
    expect(decodeProtectedHeader(tokens.id_token ?? '').typ).toBe('JWT')
    expect(await judge(tokens.access_token)).toBe(claims?.sub)
    expect(await judge(tokens.id_token ?? '')).toBe('205524994')
    const next = await openid.refreshTokenGrant(relying, tokens.refresh_token ?? '')
    expect(await judge(next.access_token)).toBe(claims?.sub)
  })

  it('signs somebody in who was there before, with the same uid', async () => {
    const { uid } = await device.signUp('page.known@example.com')
    expect((await redeem(await signIn('page.known@example.com'))).claims()?.sub).toBe(uid)
  })

  it('signs in who set a new password by a link that was mailed', async () => {
    const email = 'page.forgot@example.com'
    await device.signUp(email, 'Forgotten-horse-1')
    await stage.clock.turn(61_000)
    const browser = new Browser(stage)
    const asking = await ask(relying)
    await browser.open(asking.url)
    await browser.follow('reset')
    await browser.submit({ name: email })
    await stage.settle()
    const mail = (await stage.mails()).findLast(one => one.to === email)
    const link = /http:\/\/localhost:8080\/cn\/app-auth\/authorize\?\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    const stranger = new Browser(stage)
    await stranger.open(link)
    expect((await stranger.submit({ password: 'Stolen-horse-7' })).status).toBe(400)
    const opened = await browser.open(link)
    const typed = Object.fromEntries(
      [...opened.text.matchAll(/name="(name|code)" id="\w+" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    expect(typed).toEqual({ name: email, code: await codeOf(email) })
    const done = await browser.submit({ ...typed, password })
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('The password is set')])
    const { location } = await browser.submit({ name: email, password })
    await redeem({ ...asking, back: new URL(location) })
  })
})

describe('the page', () => {
  it('runs nothing, is framed by nobody, is kept by nobody, and leads only to the app', async () => {
    const { headers, text } = await new Browser(stage).open((await ask(relying)).url)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self' https://app.example.com; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(text).not.toMatch(/<script|<style| style=| on\w+=/)
    expect(text).toContain('Beacon &lt;b&gt;')
    expect(String(headers['set-cookie'])).toMatch(/; Path=\/cn\/app-auth; HttpOnly; SameSite=Lax/)
  })

  it.each([
    ['an address that is not of the list', { redirect_uri: 'https://evil.example/' }],
    ['a longer one', { redirect_uri: `${redirectUri}/more` }],
    ['another spelling', { redirect_uri: 'https://APP.example.com/signed-in' }],
    ['another port', { redirect_uri: 'https://app.example.com:443/signed-in' }],
    ['a query', { redirect_uri: `${redirectUri}?a=b` }],
    ['a fragment', { redirect_uri: `${redirectUri}#a` }],
    ['a name in it', { redirect_uri: 'https://app.example.com@evil.example/signed-in' }],
    ['a folder up', { redirect_uri: 'https://app.example.com/x/../signed-in' }],
    ['a backslash', { redirect_uri: 'https://app.example.com\\@evil.example/signed-in' }],
    ['no scheme', { redirect_uri: '//evil.example/' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['no app', { client_id: '17' }],
    ['a tricky app', { client_id: "1' OR 1=1 --" }],
  ])('leads nowhere for %s', async (_what, change) => {
    const { url } = await ask(relying, change)
    const { status, location, text } = await new Browser(stage).open(url)
    expect([status, location]).toEqual([400, ''])
    expect(text).not.toContain('evil')
    expect(text).not.toContain('<form')
  })

  it('leads nowhere when a parameter that decides came twice', async () => {
    for (const twice of ['client_id', 'redirect_uri']) {
      const { url } = await ask(relying)
      url.searchParams.append(twice, twice === 'client_id' ? app.clientId : 'https://evil.example/')
      const { status, location } = await new Browser(stage).open(url)
      expect([twice, status, location]).toEqual([twice, 400, ''])
    }
  })

  it('tells the app what it asked wrongly, with its state and who says so', async () => {
    const asking = await ask(relying, { code_challenge_method: 'plain' })
    const { status, location } = await new Browser(stage).open(asking.url)
    expect(status).toBe(303)
    await expect(redeem({ ...asking, back: new URL(location) })).rejects.toMatchObject({ error: 'invalid_request' })
  })

  it('takes no form of another page, browser or origin, and none without its secret', async () => {
    const email = 'page.victim@example.com'
    await device.signUp(email)
    const victim = new Browser(stage)
    await victim.open((await ask(relying)).url)
    const attacker = new Browser(stage)
    await attacker.open((await ask(relying)).url)
    const told = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const { shown } = victim
      const { status, location } = await victim.submit({ name: email, password, ...fields }, headers)
      victim.shown = shown
      return [status, location]
    }
    const foreign = attacker.hidden()
    expect(await told({ csrf: '' })).toEqual([400, ''])
    expect(await told({ csrf: foreign['csrf'] ?? '' })).toEqual([400, ''])
    expect(await told({ csrf: foreign['csrf'] ?? '', flow: foreign['flow'] ?? '' })).toEqual([400, ''])
    expect(await told({ flow: 'a.b.c' })).toEqual([400, ''])
    expect(await told({}, { origin: 'https://evil.example' })).toEqual([400, ''])
    expect(await told({}, { origin: 'null' })).toEqual([400, ''])
    expect(await told({}, { cookie: '' })).toEqual([400, ''])
    expect(await told({}, { cookie: 'loggia_app_page=x' })).toEqual([400, ''])
    expect((await told({}))[0]).toBe(303)
  })

  it('is over after an hour, and closed at once when the list is made shorter or signing in is off', async () => {
    const email = 'page.late@example.com'
    await device.signUp(email)
    const late = new Browser(stage)
    await late.open((await ask(relying)).url)
    await stage.clock.turn(3_600_001)
    expect((await late.submit({ name: email, password })).status).toBe(400)
    const shut = new Browser(stage)
    await shut.open((await ask(relying)).url)
    await openHosted(stage, app, ['https://app.example.com/another'])
    expect((await shut.submit({ name: email, password })).status).toBe(400)
    await openHosted(stage, app, [])
    expect((await new Browser(stage).open((await ask(relying)).url)).status).toBe(400)
    await openHosted(stage, app)
    device = await app.install()
  })

  it('locks out who guesses, as devices do, and says the same for who is not there', async () => {
    const email = 'page.guessed@example.com'
    await device.signUp(email)
    const browser = new Browser(stage, '192.0.2.130')
    await browser.open((await ask(relying)).url)
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn++) {
      statuses.push((await browser.submit({ name: email, password: `Wrong-horse-${turn}` })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429])
    const pages = await Promise.all(
      ['page.known@example.com', 'page.absent@example.com'].map(async name => {
        const other = new Browser(stage, '192.0.2.131')
        await other.open((await ask(relying)).url)
        const { status, text } = await other.submit({ name, password: 'Wrong-horse-1' })
        return [status, /role="alert">([^<]+)/.exec(text)?.[1]]
      }),
    )
    expect(pages[0]).toEqual(pages[1])
  })

  it('shows what was typed as text and nothing else', async () => {
    const browser = new Browser(stage)
    const { url } = await ask(relying, { state: '"><script>alert(1)</script>', nonce: '<img src=x>' })
    await browser.open(url)
    const { text } = await browser.submit({ name: '"><script>alert(2)</script>@x', password })
    expect(text).not.toContain('<script')
    const style = await browser.open('/cn/app-auth/hosted.css?color=000;}body{background:url(//evil.example)')
    expect(style.text).not.toContain('evil')
  })
})

describe('a code', () => {
  beforeAll(() => device.signUp('page.code@example.com'))
  const signedIn = () => signIn('page.code@example.com')
  const fieldsOf = ({ back, verifier }: { back: URL; verifier: string }) => ({
    ...{ grant_type: 'authorization_code', client_id: app.clientId, redirect_uri: redirectUri },
    ...{ code: back.searchParams.get('code') ?? '', code_verifier: verifier },
  })

  it('is taken by one of forty at once, and one that comes again ends what it opened', async () => {
    const made = await signedIn()
    const replies = await Promise.all(Array.from({ length: 40 }, () => postToken(fieldsOf(made))))
    expect(replies.filter(one => one.status === 200)).toHaveLength(1)
    expect(new Set(replies.filter(one => one.status !== 200).map(one => one.body['error']))).toEqual(
      new Set(['invalid_grant']),
    )
    const accessToken = replies.find(one => one.status === 200)?.body['access_token'] ?? ''
    expect(await judge(accessToken)).toBe('205524994')
  })

  it('opens nothing without its verifier, its address, its client, its time, or with a wrong secret', async () => {
    const changes: [string, Record<string, string>, string][] = [
      ['a wrong verifier', { code_verifier: 'b'.repeat(43) }, 'invalid_grant'],
      ['no verifier', { code_verifier: '' }, 'invalid_request'],
      ['the challenge as verifier', { code_verifier: 'plain' }, 'invalid_request'],
      ['another address', { redirect_uri: 'https://evil.example/' }, 'invalid_grant'],
      ['the client of another project', { client_id: other.clientId }, 'invalid_grant'],
      ['an unknown client', { client_id: '17' }, 'invalid_client'],
      ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
      ['another grant', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
      ['no such code', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ]
    for (const [what, change, error] of changes) {
      const { status, body } = await postToken({ ...fieldsOf(await signedIn()), ...change })
      expect([what, status, body['error']]).toEqual([what, error === 'invalid_client' ? 401 : 400, error])
    }
    const late = await signedIn()
    await stage.clock.turn(60_001)
    expect((await postToken(fieldsOf(late))).body['error']).toBe('invalid_grant')
    const twice = await stage.app.inject({
      method: 'POST',
      url: '/cn/app-auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${new URLSearchParams(fieldsOf(await signedIn()))}&code=x`,
    })
    expect(twice.json().error).toBe('invalid_request')
    const withSecret = { ...fieldsOf(await signedIn()), client_secret: app.clientSecret }
    expect((await postToken(withSecret)).status).toBe(200)
  })

  it('gives a refresh token that no other client may use', async () => {
    const { body } = await postToken(fieldsOf(await signedIn()))
    const refresh = { grant_type: 'refresh_token', refresh_token: body['refresh_token'] ?? '' }
    expect((await postToken({ ...refresh, client_id: other.clientId })).body['error']).toBe('invalid_grant')
    expect((await postToken({ ...refresh, client_id: app.clientId })).status).toBe(200)
    expect((await postToken({ ...refresh, refresh_token: 'x', client_id: app.clientId })).body['error']).toBe(
      'invalid_grant',
    )
  })
})

describe('the list of addresses', () => {
  it('takes whole addresses only', async () => {
    const { projectId } = app
    const owner = await stage.person({ team: app.owner.teamId, roles: ['administrator'] })
    const { issuer: _issuer, ret: _ret, ...host } = await owner.ok(authSettings, 'getHost', { query: { projectId } })
    for (const bad of ['javascript:alert(1)', 'http://app.example.com/', 'https://app.example.com/#x', 'https://*/'])
      expect(
        (await owner.call(authSettings, 'updateHost', { body: { ...host, redirectUris: [redirectUri, bad] } })).body
          .fields?.[0]?.pointer,
      ).toBe('/redirectUris/1')
  })
})
