import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { alpha, mannWhitneyP, timesOf } from '../../../../testkit/times.ts'
import { Browser, tokenIn } from '../browser.testkit.ts'
import { session } from '../contract.ts'
import { passwordCalls } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const newPassword = 'a long walk under arches'
let people = 0

/** Somebody whose mail reaches him. */
async function reachable(): Promise<Person & { email: string }> {
  const person = await stage.person()
  const email = `person${++people}@mail.example`
  await stage.sql('home', 'UPDATE accounts SET email = $1 WHERE account_id = $2', [email, person.accountId])
  return Object.assign(person, { email })
}

async function resetToken(person: { email: string }, browser = new Browser(stage.app), more = {}): Promise<string> {
  await browser.send('POST', '/oauth2/v1/password/forgotten', { account: person.email }, more)
  await stage.settle()
  return tokenIn((await links(person)).at(-1)?.text ?? '')
}

/** The mails with a link for a new password; notices go to the same address. */
const links = async (person: { email: string }) =>
  (await stage.mails()).filter(mail => mail.to === person.email && mail.text.includes('/#/reset?'))

const isIn = async (person: Person) => (await person.call(session, 'recentOptions')).status === 200

describe('a forgotten password', { timeout: 120_000 }, () => {
  it('is set by the mailed link, ends every session and tells', async () => {
    const person = await reachable()
    const token = await resetToken(person)
    expect(await isIn(person)).toBe(true)
    const browser = new Browser(stage.app, '192.0.2.1')
    const reply = await browser.call(passwordCalls, 'resetPassword', { token, password: newPassword })
    expect(reply.json()).toMatchObject({ loginName: person.loginName })
    expect(await isIn(person)).toBe(false)
    expect((await browser.signIn(person.loginName, person.password)).statusCode).toBe(400)
    expect((await browser.signIn(person.loginName, newPassword)).statusCode).toBe(200)
    const events = await stage.sql(
      'home',
      `SELECT FROM outbox WHERE type = 'session.password_changed' AND entity_id = $1`,
      [person.accountId],
    )
    expect(events).toHaveLength(1)
  })

  it('is set once by forty at the same moment, and never again', async () => {
    const person = await reachable()
    const token = await resetToken(person)
    const use = () =>
      new Browser(stage.app)
        .call(passwordCalls, 'resetPassword', { token, password: newPassword })
        .then(one => one.statusCode)
    const statuses = await Promise.all(Array.from({ length: 40 }, use))
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([200, 400]))
    expect(await use()).toBe(400)
  })

  it.each<[string, unknown]>([
    ['a list', ['TOKEN']],
    ['a number', 7],
    ['null', null],
    ['an object', { token: 'TOKEN' }],
    ['another one', 'x'.repeat(43)],
  ])('is not set by %s for a token', async (_name, token) => {
    const reply = await new Browser(stage.app).call(passwordCalls, 'resetPassword', {
      token,
      password: newPassword,
    } as object)
    expect(reply.statusCode).toBe(400)
  })

  it('is not set half an hour later, nor by a link that another replaced it with', async () => {
    const person = await reachable()
    const [early, late] = [await resetToken(person), await resetToken(person)]
    const use = (token: string) =>
      new Browser(stage.app).call(passwordCalls, 'resetPassword', { token, password: newPassword })
    expect((await use(late)).statusCode).toBe(200)
    expect((await use(early)).statusCode).toBe(400)
    const token = await resetToken(person)
    stage.clock.turn(30 * 60_000)
    expect((await use(token)).statusCode).toBe(400)
  })

  it('answers the same for a name that nobody has, and mails nobody', async () => {
    const person = await reachable()
    const before = (await stage.mails()).length
    const [known, unknown] = await Promise.all(
      [person.email, 'nobody@mail.example'].map(account =>
        new Browser(stage.app).send('POST', '/oauth2/v1/password/forgotten', { account }),
      ),
    )
    const shown = (reply: typeof known) => {
      const { 'x-request-id': _id, date: _date, ...headers } = reply?.headers ?? {}
      return [reply?.statusCode, reply?.body, headers]
    }
    expect(shown(known)).toEqual(shown(unknown))
    await stage.settle()
    expect((await stage.mails()).length).toBe(before + 1)
    const jobs = await stage.sql('home', `SELECT input FROM jobs WHERE kind = 'session.mailReset'`)
    expect(JSON.stringify(jobs)).not.toContain('nobody@mail')
  })

  it('mails five links an hour, and not to closed accounts', async () => {
    const person = await reachable()
    const sent = async () => (await links(person)).length
    for (let tries = 0; tries < 7; tries++)
      await new Browser(stage.app).send('POST', '/oauth2/v1/password/forgotten', { account: person.email })
    await stage.settle()
    expect(await sent()).toBe(5)
    stage.clock.turn(3_600_000)
    await stage.sql('home', 'UPDATE accounts SET status = 4 WHERE account_id = $1', [person.accountId])
    await new Browser(stage.app).send('POST', '/oauth2/v1/password/forgotten', { account: person.email })
    await stage.settle()
    expect(await sent()).toBe(5)
  })

  it.each([
    ['host', { host: 'evil.example' }],
    ['x-forwarded-host', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }],
    ['forwarded', { forwarded: 'host=evil.example;proto=https' }],
  ])('is mailed with our own address whatever the header %s says', async (_name, more) => {
    const person = await reachable()
    await resetToken(person, new Browser(stage.app), more)
    const text = (await links(person)).at(-1)?.text ?? ''
    expect(text).toContain('http://localhost:8080/#/reset?token=')
    expect(text).not.toContain('evil')
  })
})

describe('changing the password', () => {
  it('needs the one before, ends the other sessions and keeps this one', async () => {
    const person = await stage.person()
    const [here, there] = [new Browser(stage.app), new Browser(stage.app)]
    await here.signIn(person.loginName, person.password)
    await there.signIn(person.loginName, person.password)
    const wrong = await here.call(passwordCalls, 'changePassword', { current: 'wrong', password: newPassword })
    expect([wrong.statusCode, wrong.json().ret.code]).toEqual([400, 201010005])
    const none = await here.call(passwordCalls, 'changePassword', { password: newPassword })
    expect(none.statusCode).toBe(400)
    const done = await here.call(passwordCalls, 'changePassword', { current: person.password, password: newPassword })
    expect(done.statusCode).toBe(200)
    expect([await here.isSignedIn(), await there.isSignedIn(), await isIn(person)]).toEqual([true, false, false])
  })

  it.each([
    ['1234567', 'minLength'],
    ['password1', 'common'],
    ['Qwertyuiop', 'common'],
    ['aaaaaaaaaaaa', 'common'],
    ['Loggia1234', 'product'],
    ['x'.repeat(129), 'long'],
  ])('refuses %s: %s', async (password, rule) => {
    const person = await stage.person()
    const reply = await person.call(passwordCalls, 'changePassword', { body: { current: person.password, password } })
    expect(reply.status).toBe(400)
    expect(reply.body.fields).toMatchObject([{ pointer: '/password', rule }])
  })

  it('takes 128 characters of any script and cuts none off', async () => {
    const person = await stage.person()
    const password = `${'ж'.repeat(127)}1`
    await person.ok(passwordCalls, 'changePassword', { body: { current: person.password, password } })
    const browser = new Browser(stage.app, '192.0.2.9')
    expect((await browser.signIn(person.loginName, `${'ж'.repeat(127)}2`)).statusCode).toBe(400)
    expect((await browser.signIn(person.loginName, password)).statusCode).toBe(200)
  })
})

describe('a name that nobody has', { timeout: 300_000 }, () => {
  /** All but what counts requests, and the length that grows with it. */
  const shownOf = (reply: LightMyRequestResponse) => {
    const { 'x-request-id': _id, 'content-length': _length, date: _date, ...headers } = reply.headers
    return [reply.statusCode, { ...reply.json(), requestId: '' }, headers]
  }

  it('takes as long to be refused as a wrong password, and looks the same', async () => {
    // Few tries a name: from the thirtieth on they are slowed down.
    const people = await Promise.all(Array.from({ length: 5 }, () => stage.person()))
    const shown = new Set<string>()
    const timed = async (account: string, ip: string) => {
      const startedAt = performance.now()
      const reply = await new Browser(stage.app, ip).signIn(account, 'wrong')
      const ms = performance.now() - startedAt
      shown.add(JSON.stringify(shownOf(reply)))
      return ms
    }
    const { known, unknown } = await timesOf(
      turn => timed(people[(turn + 5) % 5]?.loginName ?? '', `10.0.0.${turn + 5}`),
      turn => timed(`nobody${turn}`, `10.0.1.${turn + 5}`),
    )
    expect(mannWhitneyP(known, unknown)).toBeGreaterThan(alpha)
    expect([...shown], [...shown].join('\n')).toHaveLength(1)
  })

  it('takes as long to be mailed nothing as another to be mailed a link', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => reachable()))
    const shown = new Set<string>()
    const timed = async (account: string) => {
      const browser = new Browser(stage.app)
      const startedAt = performance.now()
      const reply = await browser.send('POST', '/oauth2/v1/password/forgotten', { account })
      const ms = performance.now() - startedAt
      shown.add(JSON.stringify(shownOf(reply)))
      await stage.settle()
      return ms
    }
    const { known, unknown } = await timesOf(
      turn => timed(people[(turn + 12) % 12]?.email ?? ''),
      turn => timed(`nobody${turn}@mail.example`),
    )
    expect(mannWhitneyP(known, unknown)).toBeGreaterThan(alpha)
    expect([...shown], [...shown].join('\n')).toHaveLength(1)
  })
})
