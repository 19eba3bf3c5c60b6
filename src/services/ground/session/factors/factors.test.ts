import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { accountCalls } from '../accounts/contract.ts'
import { Browser } from '../browser.testkit.ts'
import { session } from '../contract.ts'
import { passwordCalls } from '../passwords/contract.ts'
import { factorCalls } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const codeOf = (secret: string) => generate({ secret, epoch: Math.floor(stage.clock.now() / 1000) })

async function withApp(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { ticket, secret } = await person.ok(factorCalls, 'startAuthenticator')
  const { recoveryCodes } = await person.ok(factorCalls, 'confirmAuthenticator', {
    body: { ticket, code: await codeOf(secret) },
  })
  stage.clock.turn(30_000)
  return { secret, recoveryCodes }
}

async function firstStep(
  person: Person,
  browser = new Browser(stage.app),
): Promise<{ browser: Browser; ticket: string }> {
  const reply = await browser.signIn(person.loginName, person.password)
  expect([reply.statusCode, reply.json().ret.code]).toEqual([403, 201010001])
  expect(reply.cookies).toEqual([])
  return { browser, ticket: reply.json().ticket }
}

describe('an authenticator app', { timeout: 120_000 }, () => {
  it('is asked for at sign-in, and its code counts once', async () => {
    const person = await stage.person()
    const { secret, recoveryCodes } = await withApp(person)
    expect(recoveryCodes).toHaveLength(10)
    const code = await codeOf(secret)
    const { browser, ticket } = await firstStep(person)
    expect((await browser.call(session, 'secondFactorOptions', { ticket })).json()).toMatchObject({
      hasAuthenticator: true,
      hasPasskeys: false,
    })
    expect((await browser.call(session, 'secondFactor', { ticket, code })).statusCode).toBe(200)
    expect(await browser.isSignedIn()).toBe(true)
    const again = await firstStep(person)
    const replayed = await again.browser.call(session, 'secondFactor', { ticket: again.ticket, code })
    expect([replayed.statusCode, replayed.json().ret.code]).toEqual([400, 201010002])
  })

  it('lets one of ten at once in with one code', async () => {
    const person = await stage.person()
    const { secret } = await withApp(person)
    const code = await codeOf(secret)
    const steps: { browser: Browser; ticket: string }[] = []
    for (let turn = 0; turn < 10; turn++) steps.push(await firstStep(person, new Browser(stage.app, `10.1.0.${turn}`)))
    const statuses = await Promise.all(
      steps.map(({ browser, ticket }) =>
        browser.call(session, 'secondFactor', { ticket, code }).then(one => one.statusCode),
      ),
    )
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
  })

  it('takes five tries a step, and the name waits after them', async () => {
    const person = await stage.person()
    const { secret } = await withApp(person)
    const { browser, ticket } = await firstStep(person, new Browser(stage.app, '10.2.0.1'))
    for (let tries = 0; tries < 5; tries++) {
      const wrong = await browser.call(session, 'secondFactor', { ticket, code: `00000${tries}` })
      expect(wrong.statusCode).toBe(400)
    }
    const code = await codeOf(secret)
    expect((await browser.call(session, 'secondFactor', { ticket, code })).json().ret.code).toBe(201010003)
    const next = await firstStep(person, browser)
    expect((await browser.call(session, 'secondFactor', { ticket: next.ticket, code })).statusCode).toBe(429)
  })

  it('may be stood in for by a recovery code, each once', async () => {
    const person = await stage.person()
    const { recoveryCodes } = await withApp(person)
    const code = recoveryCodes[0]?.toUpperCase() ?? ''
    const one = await firstStep(person)
    expect((await one.browser.call(session, 'secondFactor', { ticket: one.ticket, code })).statusCode).toBe(200)
    const two = await firstStep(person)
    expect((await two.browser.call(session, 'secondFactor', { ticket: two.ticket, code })).statusCode).toBe(400)
    expect((await person.ok(factorCalls, 'getFactors')).recoveryCodesLeft).toBe(9)
    const kept = await stage.sql('home', 'SELECT hash FROM recovery_codes WHERE account_id = $1', [person.accountId])
    expect(JSON.stringify(kept)).not.toContain(recoveryCodes[1]?.replace('-', ''))
  })

  it('keeps its secret sealed', async () => {
    const person = await stage.person()
    const { secret } = await withApp(person)
    const rows = await stage.sql('home', 'SELECT * FROM authenticators UNION ALL SELECT * FROM authenticators')
    const tickets = await stage.sql('home', 'SELECT data FROM session_tickets')
    expect(JSON.stringify([rows, tickets])).not.toContain(secret)
  })

  it('is asked for after a new password too', async () => {
    const person = await stage.person()
    await withApp(person)
    await person.ok(passwordCalls, 'changePassword', {
      body: { current: person.password, password: 'under the arches' },
    })
    const reply = await new Browser(stage.app).signIn(person.loginName, 'under the arches')
    expect(reply.statusCode).toBe(403)
  })

  it('is changed only right after a proof of who it is', async () => {
    const person = await stage.person()
    stage.clock.turn(5 * 60_000 + 1)
    const late = await person.call(factorCalls, 'startAuthenticator')
    expect([late.status, late.body.ret.code]).toEqual([403, 201010004])
    const wrong = await person.call(session, 'confirm', { body: { password: 'wrong' } })
    expect(wrong.status).toBe(400)
    await person.ok(session, 'confirm', { body: { password: person.password } })
    const { secret } = await withApp(person)
    stage.clock.turn(5 * 60_000)
    expect((await person.call(factorCalls, 'removeAuthenticator')).status).toBe(403)
    await person.ok(session, 'confirm', { body: { code: await codeOf(secret) } })
    await person.ok(factorCalls, 'removeAuthenticator')
    expect((await new Browser(stage.app).signIn(person.loginName, person.password)).statusCode).toBe(200)
  })

  it('cannot be made with the ticket of somebody else', async () => {
    const [one, two] = [await stage.person(), await stage.person()]
    const { ticket, secret } = await one.ok(factorCalls, 'startAuthenticator')
    const reply = await two.call(factorCalls, 'confirmAuthenticator', { body: { ticket, code: await codeOf(secret) } })
    expect(reply.body.ret.code).toBe(201010003)
  })
})

describe('a passkey', () => {
  it('is refused when its answer is made up', async () => {
    const person = await stage.person()
    const { ticket } = await person.ok(factorCalls, 'startPasskey')
    const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} }
    const made = await person.call(factorCalls, 'addPasskey', { body: { ticket, name: 'Key', passkey } })
    expect([made.status, made.body.ret.code]).toEqual([400, 201010006])
    const begun = await stage.anybody.ok(session, 'passkeyOptions')
    const entered = await stage.anybody.call(session, 'passkeyLogin', { body: { ticket: begun.ticket, passkey } })
    expect(entered.body.ret.code).toBe(201010006)
    const again = await stage.anybody.call(session, 'passkeyLogin', { body: { ticket: begun.ticket, passkey } })
    expect(again.body.ret.code).toBe(201010003)
  })
})

describe('staff, where a second factor is required', () => {
  it('have no rights until they have shown one in the session', async () => {
    stage.booted.server.config.staffSecondFactor = true
    const staff = await stage.person({ staff: ['storeAdministrator'] })
    const list = () => staff.call(accountCalls, 'listAccounts')
    expect((await list()).status).toBe(403)
    expect(await staff.ok(accountCalls, 'getProfile')).toMatchObject({ needsSecondFactor: true })
    const { secret } = await withApp(staff)
    expect((await list()).status).toBe(200)
    const { browser, ticket } = await firstStep(staff)
    await browser.call(session, 'secondFactor', { ticket, code: await codeOf(secret) })
    expect((await browser.call(accountCalls, 'listAccounts')).statusCode).toBe(200)
    stage.booted.server.config.staffSecondFactor = false
  })
})
