import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { accountCalls } from '../accounts/contract.ts'
import { Browser } from '../browser.testkit.ts'
import { session } from '../contract.ts'
import { deletionCalls } from '../deletion/contract.ts'
import { factorCalls } from '../factors/contract.ts'
import { passwordCalls } from '../passwords/contract.ts'
import { providerCalls } from './contract.ts'
import { closeProviders, openProvider, redirectUri, secret, walkThere } from './openid.testkit.ts'

let stage: Stage
let staff: Person

/** Opens the address of the callback in our browser; answers where it sends on to. */
async function comeBack(browser: Browser, callback: string): Promise<string> {
  const { pathname, search } = new URL(callback)
  const reply = await browser.send('GET', pathname + search)
  expect(reply.statusCode).toBe(303)
  return String(reply.headers['location']).replace('http://localhost:8080/#', '')
}

async function addProvider(issuer: string, more: object = {}): Promise<string> {
  await staff.ok(session, 'confirm', { body: { password: staff.password } })
  const body = { name: 'Harbour', issuer, clientId: 'loggia', clientSecret: secret, ...more }
  return (await staff.ok(providerCalls, 'createProvider', { body })).providerId
}

const begin = async (browser: Browser, providerId: string) =>
  (await browser.call(providerCalls, 'startProvider', { providerId })).json().url as string

async function linked(person: Person, providerId: string, login: string): Promise<Browser> {
  const browser = new Browser(stage.app)
  await browser.signIn(person.loginName, person.password)
  const { url } = (await browser.call(providerCalls, 'startLink', { providerId })).json()
  expect(await comeBack(browser, await walkThere(url, login))).toBe('/security?done=linked')
  return browser
}

let issuer = ''
let other = ''
let spare = ''
let forging = ''
let providerId = ''

beforeAll(async () => {
  issuer = await openProvider()
  other = await openProvider()
  spare = await openProvider()
  forging = await openProvider(body => body.replace(/"id_token":"([^.]+)\.([^.]+)\.[^"]+"/, '"id_token":"$1.$2.AAAA"'))
  stage = await openStage({ outboundAllow: [issuer, other, spare, forging].map(one => new URL(one).host) })
  staff = await stage.person({ staff: ['storeAdministrator'] })
  providerId = await addProvider(issuer)
})
afterAll(async () => {
  await stage.close()
  closeProviders()
})

describe('signing in at a provider', () => {
  it('opens the account that was linked, end to end', async () => {
    const person = await stage.person()
    const own = await linked(person, providerId, 'mira')
    expect((await own.call(providerCalls, 'listIdentities')).json().list).toMatchObject([
      { providerName: 'Harbour', issuer, lastUsedAt: null },
    ])
    const browser = new Browser(stage.app)
    const url = await begin(browser, providerId)
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      redirect_uri: redirectUri,
      code_challenge_method: 'S256',
      response_type: 'code',
      state: expect.any(String),
      nonce: expect.any(String),
    })
    const callback = await walkThere(url, 'mira')
    expect(await comeBack(browser, callback)).toBe('/sign-in?done=1')
    expect((await browser.call(accountCalls, 'getProfile')).json().accountId).toBe(person.accountId)
    expect(await comeBack(new Browser(stage.app), callback)).toBe('/sign-in?problem=201010003')
  })

  it('finds nobody by an e-mail address, verified or not', async () => {
    const victim = await stage.person()
    await stage.sql('home', `UPDATE accounts SET email = 'victim@mail.example' WHERE account_id = $1`, [
      victim.accountId,
    ])
    const browser = new Browser(stage.app)
    expect(await comeBack(browser, await walkThere(await begin(browser, providerId), 'stranger'))).toBe(
      '/sign-in?problem=201010018',
    )
    expect(await browser.isSignedIn()).toBe(false)
  })

  it('of the same subject at another issuer is somebody else', async () => {
    const person = await stage.person()
    await linked(person, providerId, 'twin')
    const elsewhere = await addProvider(other, { createsAccounts: true, name: 'Elsewhere' })
    const browser = new Browser(stage.app)
    expect(await comeBack(browser, await walkThere(await begin(browser, elsewhere), 'twin'))).toBe('/sign-in?done=1')
    const made = (await browser.call(accountCalls, 'getProfile')).json()
    expect(made.accountId).not.toBe(person.accountId)
    expect(made).toMatchObject({ hasPassword: false, email: null, name: 'twin there' })
    const last = await browser.send('DELETE', `/oauth2/v1/identities/${elsewhere}`)
    expect([last.statusCode, last.json().ret.code]).toEqual([422, 201010015])
    expect((await browser.call(passwordCalls, 'changePassword', { password: 'out of the harbour' })).statusCode).toBe(
      200,
    )
    expect((await browser.send('DELETE', `/oauth2/v1/identities/${elsewhere}`)).statusCode).toBe(200)
  })

  it('is not finished in another browser, with another state, without one, or with the code of another', async () => {
    const person = await stage.person()
    await linked(person, providerId, 'nora')
    const go = async (change: (callback: URL) => void, browser = new Browser(stage.app)) => {
      const callback = new URL(await walkThere(await begin(browser, providerId), 'nora'))
      change(callback)
      return { browser, callback: callback.href }
    }
    const refused = '/sign-in?problem=201010017'
    const stolen = await go(() => undefined)
    expect(await comeBack(new Browser(stage.app), stolen.callback)).toBe('/sign-in?problem=201010003')
    const changed = await go(callback => callback.searchParams.set('state', 'other'))
    expect(await comeBack(changed.browser, changed.callback)).toBe(refused)
    const missing = await go(callback => callback.searchParams.delete('state'))
    expect(await comeBack(missing.browser, missing.callback)).toBe(refused)
    const mixed = await go(callback => callback.searchParams.set('iss', other))
    expect(await comeBack(mixed.browser, mixed.callback)).toBe(refused)
    const swapped = await go(callback =>
      callback.searchParams.set('code', new URL(stolen.callback).searchParams.get('code') ?? ''),
    )
    expect(await comeBack(swapped.browser, swapped.callback)).toBe(refused)
    const late = await go(() => undefined)
    stage.clock.turn(10 * 60_000 + 1)
    expect(await comeBack(late.browser, late.callback)).toBe('/sign-in?problem=201010003')
  })

  it('asks for the second factor as a password does', async () => {
    const person = await stage.person()
    const own = await linked(person, providerId, 'kai')
    const { secret: appSecret, ticket } = (await own.call(factorCalls, 'startAuthenticator')).json()
    const { generate } = await import('otplib')
    const code = await generate({ secret: appSecret, epoch: Math.floor(stage.clock.now() / 1000) })
    expect((await own.call(factorCalls, 'confirmAuthenticator', { ticket, code })).statusCode).toBe(200)
    const browser = new Browser(stage.app)
    const place = await comeBack(browser, await walkThere(await begin(browser, providerId), 'kai'))
    expect(place).toMatch(/^\/sign-in\?ticket=/)
    expect(await browser.isSignedIn()).toBe(false)
    stage.clock.turn(30_000)
    const next = await generate({ secret: appSecret, epoch: Math.floor(stage.clock.now() / 1000) })
    const body = { ticket: place.split('=')[1], code: next }
    expect((await browser.call(session, 'secondFactor', body)).statusCode).toBe(200)
  })

  it('proves again who somebody without a password is, and nobody else does', async () => {
    const lighthouse = await addProvider(spare, { createsAccounts: true, name: 'Lighthouse' })
    const browser = new Browser(stage.app)
    await comeBack(browser, await walkThere(await begin(browser, lighthouse), 'without-password'))
    const options = async () => (await browser.call(session, 'recentOptions')).json()
    expect(await options()).toMatchObject({
      isRecent: true,
      hasPassword: false,
      hasAuthenticator: false,
      providers: [{ providerId: lighthouse, name: 'Lighthouse' }],
    })
    stage.clock.turn(5 * 60_000 + 1)
    const change = () => browser.call(passwordCalls, 'changePassword', { password: 'out of the harbour' })
    expect((await change()).json().ret.code).toBe(201010004)
    const start = async () =>
      (await browser.call(providerCalls, 'startConfirm', { providerId: lighthouse })).json().url as string
    const stranger = await comeBack(browser, await walkThere(await start(), 'somebody-else'))
    expect([stranger, (await options()).isRecent]).toEqual(['/security?problem=201010018', false])
    const url = await start()
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    expect(await comeBack(browser, await walkThere(url, 'without-password'))).toBe('/security?done=confirmed')
    expect((await options()).isRecent).toBe(true)
    expect((await change()).statusCode).toBe(200)
  })

  it('offers to keep an account that its owner wanted deleted', async () => {
    const { providers } = await stage.anybody.ok(session, 'signInOptions')
    const id = providers.find(one => one.name === 'Lighthouse')?.providerId ?? ''
    const browser = new Browser(stage.app)
    const goThrough = async () => comeBack(browser, await walkThere(await begin(browser, id), 'undecided'))
    expect(await goThrough()).toBe('/sign-in?done=1')
    expect((await browser.call(deletionCalls, 'askDeletion')).statusCode).toBe(200)
    expect([await browser.isSignedIn(), browser.cookies.has('agc_sid')]).toEqual([false, false])
    const place = await goThrough()
    expect(place).toMatch(/^\/sign-in\?problem=201010009&keep=[\w-]{43}$/)
    const kept = await browser.call(deletionCalls, 'keepAccount', { ticket: place.split('keep=')[1] })
    expect(kept.statusCode).toBe(200)
    expect(await goThrough()).toBe('/sign-in?done=1')
  })

  it('is refused for an ID token whose signature does not fit', async () => {
    const id = await addProvider(forging, { createsAccounts: true, name: 'Forger' })
    const browser = new Browser(stage.app)
    const callback = await walkThere(await begin(browser, id), 'mallory')
    const place = await comeBack(browser, callback)
    expect(place).toBe('/sign-in?problem=201010017')
    expect(await browser.isSignedIn()).toBe(false)
  })
})

describe('linking', () => {
  it('is not possible with an identity of somebody else, nor finished by another session', async () => {
    const [one, two] = [await stage.person(), await stage.person()]
    await linked(one, providerId, 'owned')
    const browser = new Browser(stage.app)
    await browser.signIn(two.loginName, two.password)
    const start = async () => (await browser.call(providerCalls, 'startLink', { providerId })).json().url as string
    expect(await comeBack(browser, await walkThere(await start(), 'owned'))).toBe('/security?problem=201010019')
    const callback = await walkThere(await start(), 'fresh')
    const attacker = new Browser(stage.app)
    await attacker.signIn(one.loginName, one.password)
    attacker.cookies.set('agc_provider', browser.cookies.get('agc_provider') ?? '')
    expect(await comeBack(attacker, callback)).toBe('/security?problem=201010003')
  })

  it('asks for a recent proof', async () => {
    const person = await stage.person()
    stage.clock.turn(5 * 60_000 + 1)
    expect((await person.call(providerCalls, 'startLink', { body: { providerId } })).body.ret.code).toBe(201010004)
  })
})

describe('a provider', () => {
  beforeEach(() => staff.ok(session, 'confirm', { body: { password: staff.password } }))

  it('shows its secret to nobody and keeps it sealed', async () => {
    const list = await staff.call(providerCalls, 'listProviders')
    expect(list.status).toBe(200)
    const rows = await stage.sql('home', 'SELECT * FROM identity_providers')
    expect(list.text + JSON.stringify(rows)).not.toContain(secret)
  })

  it.each([
    ['http://127.0.0.1:1', 400],
    ['http://169.254.169.254/latest', 400],
    ['https://[::ffff:127.0.0.1]/', 400],
    ['http://example.com', 422],
    ['https://localhost', 400],
    ['ftp://example.com', 400],
  ])('at %s is refused with %i', async (address, status) => {
    const body = { name: 'Bad', issuer: address, clientId: 'x', clientSecret: 'y' }
    expect((await staff.call(providerCalls, 'createProvider', { body })).status).toBe(status)
  })

  it('needs its secret again for another issuer', async () => {
    const { list } = await staff.ok(providerCalls, 'listProviders')
    const row = list.find(one => one.providerId === providerId)
    const body = { name: 'Harbour', issuer: forging, clientId: 'loggia', revision: row?.revision ?? 1 }
    const reply = await staff.call(providerCalls, 'updateProvider', { params: { providerId }, body })
    expect(reply.body.fields).toMatchObject([{ pointer: '/clientSecret' }])
    const renamed = { ...body, issuer, name: 'Old harbour' }
    const kept = await staff.ok(providerCalls, 'updateProvider', { params: { providerId }, body: renamed })
    expect(kept).toMatchObject({ name: 'Old harbour', revision: renamed.revision + 1 })
    expect((await staff.call(providerCalls, 'updateProvider', { params: { providerId }, body: renamed })).status).toBe(
      409,
    )
  })

  it('that is switched off or removed signs nobody in', async () => {
    const { list } = await staff.ok(providerCalls, 'listProviders')
    const elsewhere = list.find(one => one.name === 'Elsewhere')
    const { providerId: id = '', revision = 1 } = elsewhere ?? {}
    const body = { name: 'Elsewhere', issuer: other, clientId: 'loggia', isEnabled: false, revision }
    await staff.ok(providerCalls, 'updateProvider', { params: { providerId: id }, body })
    const { providers } = await stage.anybody.ok(session, 'signInOptions')
    expect(providers.map(one => one.name)).not.toContain('Elsewhere')
    expect((await stage.anybody.call(providerCalls, 'startProvider', { body: { providerId: id } })).status).toBe(404)
    await staff.ok(providerCalls, 'deleteProvider', { params: { providerId: id } })
    expect((await staff.call(providerCalls, 'deleteProvider', { params: { providerId: id } })).status).toBe(404)
  })
})
