import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Context, systemContext } from '../../../server/context.ts'
import { networkOf } from '../../../server/network.ts'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { takeAttempt } from './attempts.ts'
import { Browser } from './browser.testkit.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  stage.clock.hold()
})
afterAll(() => stage.close())

/** The seconds to wait. */
const waitOf = (reply: LightMyRequestResponse) => Number(reply.headers['retry-after'])

/** Tries that nobody waits for: counted as the call counts them, without a password to hash. */
async function failFrom(ip: () => string, subject: (turn: number) => string, times: number): Promise<void> {
  const { server } = stage.booted
  for (let turn = 0; turn < times; turn++) {
    const { place } = systemContext(server, 'CN', { name: 'test' })
    const ctx = new Context(server, { ...place, ip: ip() })
    await takeAttempt(ctx, { subject: subject(turn), knownDeviceId: null })
  }
}

let addresses = 0
/** A browser on an address of its own. */
const stranger = () => {
  addresses += 1
  return new Browser(stage.app, `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`)
}

describe('wrong passwords', { timeout: 120_000 }, () => {
  it('of one name from one address are five, however the name and the body are spelt', async () => {
    const person = await stage.person()
    const browser = stranger()
    const name = person.loginName
    const variants: [string, Record<string, unknown>][] = [
      [name, {}],
      [name.toUpperCase(), {}],
      [` ${name} `, {}],
      [name, { clientId: 1 }],
      [`${name[0]}`.replace('p', 'ｐ') + name.slice(1), { channel: 5 }],
    ]
    for (const [at, [account, more]] of variants.entries()) {
      const reply = await browser.send(
        'POST',
        '/oauth2/v1/login',
        { account, password: 'wrong', ...more },
        { 'x-forwarded-for': `203.0.113.${at + 1}` },
      )
      expect(reply.statusCode).toBe(400)
    }
    for (const prefix of ['', '/de', '/cn']) {
      const reply = await browser.send('POST', `${prefix}/oauth2/v1/login`, {
        account: name,
        password: person.password,
      })
      expect(reply.statusCode).toBe(429)
      expect(waitOf(reply)).toBe(60)
    }
    const extra = await browser.send('POST', '/oauth2/v1/login', { account: name, password: 'x', deviceId: '7' })
    expect(extra.statusCode).toBe(400)
    expect((await stranger().signIn(name, person.password)).statusCode).toBe(200)
  })

  it('of forty at once are five', async () => {
    const person = await stage.person()
    const browser = stranger()
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => browser.signIn(person.loginName, 'wrong').then(reply => reply.statusCode)),
    )
    expect(replies.filter(status => status === 400)).toHaveLength(5)
    expect(new Set(replies.filter(status => status !== 400))).toEqual(new Set([429]))
  })

  it('make each wait twice as long, at most an hour', async () => {
    const person = await stage.person()
    const browser = stranger()
    const waits: number[] = []
    for (let tries = 0; tries < 5; tries++) await browser.signIn(person.loginName, 'wrong')
    for (let locks = 0; locks < 8; locks++) {
      const reply = await browser.signIn(person.loginName, 'wrong')
      waits.push(waitOf(reply))
      stage.clock.turn(waitOf(reply) * 1000)
      await browser.signIn(person.loginName, 'wrong')
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])
  })

  it('with one password over many names stop the address', async () => {
    const browser = stranger()
    await failFrom(
      () => browser.ip,
      turn => `nobody ${turn}`,
      49,
    )
    const statuses: number[] = []
    for (let at = 0; at < 3; at++) statuses.push((await browser.signIn(`somebody ${at}`, 'Spring2026!')).statusCode)
    expect(statuses).toEqual([400, 429, 429])
  })

  it('from everywhere slow a name down, and whoever was there before still comes in', async () => {
    const person = await stage.person()
    const own = new Browser(stage.app, '192.0.2.77')
    expect((await own.signIn(person.loginName, person.password)).statusCode).toBe(200)
    const known = new Browser(stage.app, '192.0.2.78')
    known.cookies.set('agc_device', own.cookies.get('agc_device') ?? '')
    await failFrom(
      () => stranger().ip,
      () => person.loginName,
      31,
    )
    stage.clock.turn(3_000)
    await failFrom(
      () => stranger().ip,
      () => person.loginName,
      1,
    )
    expect((await stranger().signIn(person.loginName, 'wrong')).statusCode).toBe(429)
    expect((await known.signIn(person.loginName, person.password)).statusCode).toBe(200)
    stage.clock.turn(3_000)
    expect((await stranger().signIn(person.loginName, person.password)).statusCode).toBe(200)
  })

  it('on a known device are five as well, and only that device waits', async () => {
    const person = await stage.person()
    const own = stranger()
    await own.signIn(person.loginName, person.password)
    for (let tries = 0; tries < 5; tries++) expect((await own.signIn(person.loginName, 'no')).statusCode).toBe(400)
    expect((await own.signIn(person.loginName, person.password)).statusCode).toBe(429)
    expect((await new Browser(stage.app, own.ip).signIn(person.loginName, person.password)).statusCode).toBe(200)
  })

  it('do not count for a device cookie that was made up or is another account’s', async () => {
    const [person, other] = [await stage.person(), await stage.person()]
    const thief = stranger()
    await thief.signIn(other.loginName, other.password)
    for (const forged of [thief.cookies.get('agc_device') ?? '', 'made.up', 'x'.repeat(2000)]) {
      thief.cookies.set('agc_device', forged)
      for (let tries = 0; tries < 2; tries++) await thief.signIn(person.loginName, 'wrong')
    }
    expect((await thief.signIn(person.loginName, 'wrong')).statusCode).toBe(429)
  })

  it('tell the person once, and leave rows without the names that were guessed', async () => {
    const person = await stage.person()
    const browser = stranger()
    for (let tries = 0; tries < 5; tries++) await browser.signIn(person.loginName, 'wrong')
    await browser.signIn('a guessed name', 'wrong')
    const events = await stage.sql('home', `SELECT data FROM outbox WHERE type = 'session.locked' AND entity_id = $1`, [
      person.accountId,
    ])
    expect(events).toHaveLength(1)
    const rows = await stage.sql('home', 'SELECT key FROM sign_in_failures')
    expect(JSON.stringify(rows)).not.toMatch(/guessed|198\.51/)
  })
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3::1', '32.1.13.184.0.1.0.2/64'],
  ['2001:db8:1:2:ffff::9', '32.1.13.184.0.1.0.2/64'],
  [null, 'unknown'],
])('%s is the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
