import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softLifeMs } from '../../../../kernel/wire.ts'
import { boot } from '../../../../server/boot.ts'
import { createLog } from '../../../../server/log.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { gatekeeperOf, services } from '../../../all.server.ts'
import { Browser } from '../browser.testkit.ts'
import { deviceCalls } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

interface Listed {
  sessionId: string
  isThis: boolean
  ip: string
  userAgent: string | null
}

async function sessionsOf(browser: Browser): Promise<Listed[]> {
  return (await browser.call(deviceCalls, 'listSessions')).json().list
}

describe('the sessions of a person', () => {
  it('are listed with place and device, and may be ended one by one', async () => {
    const person = await stage.person()
    const [here, there] = [new Browser(stage.app, '192.0.2.10'), new Browser(stage.app, '192.0.2.11')]
    await here.signIn(person.loginName, person.password)
    await there.send(
      'POST',
      '/oauth2/v1/login',
      { account: person.loginName, password: person.password },
      { 'user-agent': 'Firefox' },
    )
    const list = await sessionsOf(here)
    expect(list).toHaveLength(3)
    expect(list.find(one => one.isThis)).toMatchObject({ ip: '192.0.2.10' })
    const other = list.find(one => one.ip === '192.0.2.11')
    expect(other).toMatchObject({ userAgent: 'Firefox', isThis: false })
    const end = (sessionId: string) => here.send('DELETE', `/oauth2/v1/sessions/${sessionId}`)
    expect((await end(other?.sessionId ?? '')).statusCode).toBe(200)
    expect(await there.isSignedIn()).toBe(false)
    expect((await end(other?.sessionId ?? '')).statusCode).toBe(404)
  })

  it('cannot be ended by somebody else', async () => {
    const [person, stranger] = [await stage.person(), await stage.person()]
    const own = new Browser(stage.app)
    await own.signIn(person.loginName, person.password)
    const [mine] = await sessionsOf(own)
    const reply = await stranger.call(deviceCalls, 'endSession', { params: { sessionId: mine?.sessionId ?? '' } })
    expect(reply.status).toBe(404)
    expect(await own.isSignedIn()).toBe(true)
  })

  it('end all at once but this one, and their devices are strangers again', async () => {
    const person = await stage.person()
    const [here, there] = [new Browser(stage.app, '192.0.2.20'), new Browser(stage.app, '192.0.2.21')]
    await here.signIn(person.loginName, person.password)
    await there.signIn(person.loginName, person.password)
    expect((await here.call(deviceCalls, 'endOtherSessions')).json().ended).toBe(2)
    expect([await here.isSignedIn(), await there.isSignedIn()]).toEqual([true, false])
    const known = await stage.sql('home', 'SELECT FROM known_devices WHERE account_id = $1', [person.accountId])
    expect(known).toHaveLength(1)
  })

  it('tell of a new device once, and not of the first', async () => {
    const person = await stage.person()
    const events = () =>
      stage.sql('home', `SELECT FROM outbox WHERE type = 'session.new_device' AND entity_id = $1`, [person.accountId])
    expect(await events()).toHaveLength(0)
    const other = new Browser(stage.app)
    await other.signIn(person.loginName, person.password)
    await other.signIn(person.loginName, person.password)
    expect(await events()).toHaveLength(1)
  })

  it('are marked as seen every five minutes at most', async () => {
    const person = await stage.person()
    const own = new Browser(stage.app)
    await own.signIn(person.loginName, person.password)
    const seen = async () => {
      const rows = await stage.sql<{ at: string }>(
        'home',
        'SELECT max(last_seen_at) AS at FROM sessions WHERE account_id = $1',
        [person.accountId],
      )
      return Number(rows[0]?.at)
    }
    const first = await seen()
    await own.isSignedIn()
    expect(await seen()).toBe(first)
    stage.clock.turn(5 * 60_000 + 1)
    await own.isSignedIn()
    await expect.poll(seen, { timeout: 10_000 }).toBeGreaterThan(first)
  })
})

describe('two processes over one database', { timeout: 120_000 }, () => {
  it('judge sessions as one, and so does one that starts anew', async () => {
    const { server } = stage.booted
    const start = () => {
      const urls = Object.fromEntries(
        server.pools.names.map(name => [name, { url: server.pools.url(name), ownerUrl: server.pools.url(name) }]),
      )
      const config = { ...server.config, node: (server.config.node + 1) % 1024 }
      return boot(
        config,
        urls,
        { services, gatekeeperOf },
        { clock: stage.clock, log: createLog('silent'), migrate: false },
      )
    }
    const second = await start()
    const person = await stage.person()
    const one = new Browser(stage.app, '192.0.2.30')
    await one.signIn(person.loginName, person.password)
    const two = new Browser(second.app, one.ip)
    const share = () => {
      for (const [name, value] of one.cookies) two.cookies.set(name, value)
      two.csrf = one.csrf
    }
    share()
    expect(await two.isSignedIn()).toBe(true)

    stage.clock.turn(softLifeMs)
    const stale = new Map(one.cookies)
    expect((await one.send('POST', '/oauth2/v1/refresh')).statusCode).toBe(200)
    const previous = await two.send('POST', '/oauth2/v1/refresh')
    expect(previous.cookies.find(cookie => cookie.name === 'agc_sid')?.value).toBe(
      decodeURIComponent(one.cookies.get('agc_sid') ?? ''),
    )

    stage.clock.turn(11_000)
    const thief = new Browser(second.app)
    for (const [name, value] of stale) thief.cookies.set(name, value)
    expect(await thief.isSignedIn()).toBe(false)
    await expect.poll(() => one.isSignedIn(), { timeout: 10_000 }).toBe(false)
    const [row] = await stage.sql(
      'home',
      `SELECT count(*)::int AS told FROM outbox WHERE type = 'session.replayed' AND entity_id = $1`,
      [person.accountId],
    )
    expect(row).toEqual({ told: 1 })
    await second.close()

    const third = await start()
    const later = new Browser(third.app)
    for (const [name, value] of one.cookies) later.cookies.set(name, value)
    expect(await later.isSignedIn()).toBe(false)

    await one.signIn(person.loginName, person.password)
    const peer = new Browser(third.app)
    for (const [name, value] of one.cookies) peer.cookies.set(name, value)
    peer.csrf = one.csrf
    expect(await peer.isSignedIn()).toBe(true)
    await peer.send('POST', '/oauth2/v1/logout')
    await expect.poll(() => one.isSignedIn(), { timeout: 10_000 }).toBe(false)

    const names = Array.from({ length: 10 }, (_, at) => new Browser(at % 2 ? stage.app : third.app, '192.0.2.40'))
    const statuses = await Promise.all(
      names.map(one => one.signIn(person.loginName, 'wrong').then(reply => reply.statusCode)),
    )
    expect(statuses.filter(status => status === 400)).toHaveLength(5)
    await third.close()
  })
})
