import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hardLifeMs, softLifeMs } from '../../../kernel/wire.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { teams } from '../teams/contract.ts'
import { session } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => stage.clock.run())

/** Signs in anew and keeps the cookies as a browser would. */
async function refreshed(person: Person, app = stage.app): Promise<{ status: number; person: Person }> {
  const reply = await app.inject({
    method: 'POST',
    url: '/oauth2/v1/refresh',
    headers: { cookie: person.cookie, 'x-hd-csrf': person.csrfToken },
  })
  const cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
  return { status: reply.statusCode, person: cookie ? Object.assign(Object.create(person), { cookie }) : person }
}

const withCookie = (person: Person, cookie: string, app = stage.app) =>
  app.inject({ url: '/ups/v1/team', headers: { cookie, teamid: person.teamId } })

describe('a session', () => {
  it('answers what the specification lists and keeps the credential from scripts', async () => {
    const person = await stage.person()
    const reply = await stage.app.inject({
      method: 'POST',
      url: '/oauth2/v1/login',
      payload: {
        account: person.loginName,
        password: person.password,
        clientId: 60992,
        channel: 89000060,
        clientType: 89,
      },
    })
    expect(reply.json()).toMatchObject({ ret: { code: 0 }, siteID: 1, teamId: person.teamId })
    const credential = reply.cookies.find(cookie => cookie.name === 'agc_sid')
    expect(credential).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    const hint = JSON.parse(reply.cookies.find(cookie => cookie.name === 'developer_userinfo')?.value ?? '')
    expect(hint).toMatchObject({ csrftoken: reply.json().csrfToken, expiretime: reply.json().expiretime })
  })

  it('says the same for a wrong password and for an unknown account', async () => {
    const person = await stage.person()
    const wrong = await stage.anybody.call(session, 'login', { body: { account: person.loginName, password: 'no' } })
    const unknown = await stage.anybody.call(session, 'login', { body: { account: 'nobody here', password: 'no' } })
    expect([wrong.status, wrong.body.ret]).toEqual([unknown.status, unknown.body.ret])
    expect(wrong.body.ret.code).toBe(204101001)
  })

  it('makes an address wait after five wrong passwords, and only that address', async () => {
    const person = await stage.person()
    stage.clock.hold()
    const body = { account: person.loginName, password: 'wrong' }
    for (let tries = 0; tries < 5; tries++) await stage.anybody.call(session, 'login', { body })
    const locked = await stage.anybody.call(session, 'login', { body: { ...body, password: person.password } })
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '60'])
    const elsewhere = await stage.app.inject({
      method: 'POST',
      url: '/oauth2/v1/login',
      remoteAddress: '203.0.113.9',
      payload: { ...body, password: person.password },
    })
    expect(elsewhere.statusCode).toBe(200)
  })

  it('needs a refresh after its soft expiry and ends at its hard expiry', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const late = await person.call(teams, 'getTeam')
    expect([late.status, late.headers['x-auth-reason'], late.body.ret.msg]).toEqual([
      401,
      'accessToken invalid',
      'accessToken invalid',
    ])
    const fresh = await refreshed(person)
    expect(fresh.status).toBe(200)
    expect((await withCookie(person, fresh.person.cookie)).statusCode).toBe(200)
    stage.clock.turn(hardLifeMs)
    expect((await refreshed(fresh.person)).status).toBe(401)
  })

  it('hands two racing tabs the same new token', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const [one, two] = await Promise.all([refreshed(person), refreshed(person)])
    expect(one.person.cookie).toBe(two.person.cookie)
  })

  it('ends when a token is used that a refresh replaced', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const { person: fresh } = await refreshed(person)
    expect((await withCookie(person, fresh.cookie)).statusCode).toBe(200)
    stage.clock.turn(11_000)
    expect((await withCookie(person, person.cookie)).statusCode).toBe(401)
    expect((await withCookie(person, fresh.cookie)).statusCode).toBe(401)
  })

  it('ends on logout, with its csrf header only', async () => {
    const person = await stage.person()
    const forged = await person.call(session, 'logout', { headers: { 'x-hd-csrf': 'forged' } })
    expect(forged.status).toBe(403)
    expect((await person.call(session, 'logout')).status).toBe(200)
    expect((await person.call(teams, 'getTeam')).status).toBe(401)
  })

  it('is not opened by a token whose parts were changed', async () => {
    const person = await stage.person()
    const token = /agc_sid=([^;]+)/.exec(person.cookie)?.[1] ?? ''
    const [sessionId, , mac] = token.split('.')
    for (const forged of [`${sessionId}.2.${mac}`, `${sessionId}.1.`, `x.1.${mac}`, `${token}.`, 'a'.repeat(5000)]) {
      expect((await withCookie(person, `agc_sid=${forged}`)).statusCode).toBe(401)
    }
  })
})

describe('a refresh token', { timeout: 60_000 }, () => {
  let apps: Stage['app'][]
  beforeAll(async () => {
    apps = [stage.app, (await stage.another()).app]
  })
  // The grace is of seconds, and forty refreshes on a busy machine take some.
  beforeEach(() => stage.clock.hold())

  /** Forty at the same moment, on two servers in turns. */
  const forty = <T>(work: (app: Stage['app'], at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 40 }, (_, at) => work(apps[at % 2] ?? stage.app, at)))

  /** How often the session was rotated, whether it was ended, and how often people were told of a replay. */
  async function stateOf(person: Person) {
    const sessionId = /agc_sid=([^.]+)/.exec(person.cookie)?.[1] ?? ''
    const [row] = await stage.sql<{ rotations: number; ended: boolean; audits: number; events: number }>(
      'home',
      `SELECT counter - 1 AS rotations, revoked_at IS NOT NULL AS ended,
        (SELECT count(*)::int FROM audit WHERE action = 'session.replay' AND entity_id = $1) AS audits,
        (SELECT count(*)::int FROM outbox WHERE type = 'session.replayed' AND entity_id = $2) AS events
        FROM sessions WHERE session_id = $1`,
      [sessionId, person.accountId],
    )
    return row
  }

  it('that forty use at the same moment is rotated once, and all get the same new one', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const replies = await forty(app => refreshed(person, app))
    expect(new Set(replies.map(one => one.status))).toEqual(new Set([200]))
    const cookies = [...new Set(replies.map(one => one.person.cookie))]
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).not.toBe(person.cookie)
    expect(await stateOf(person)).toEqual({ rotations: 1, ended: false, audits: 0, events: 0 })
    for (const app of apps) expect((await withCookie(person, cookies[0] ?? '', app)).statusCode).toBe(200)
  })

  it('gets a tab that was late the same new one, nine seconds on, and rotates nothing again', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const { person: fresh } = await refreshed(person)
    stage.clock.turn(9000)
    const late = await forty(app => refreshed(person, app))
    expect(new Set(late.map(one => one.person.cookie))).toEqual(new Set([fresh.cookie]))
    const calls = await forty(app => withCookie(person, person.cookie, app))
    expect(new Set(calls.map(one => one.statusCode))).toEqual(new Set([200]))
    expect(await stateOf(person)).toEqual({ rotations: 1, ended: false, audits: 0, events: 0 })
  })

  it('may be used by calls and refreshes at once without the family ending', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const statuses = await forty(async (app, at) =>
      at % 4 < 2 ? (await refreshed(person, app)).status : (await withCookie(person, person.cookie, app)).statusCode,
    )
    expect(statuses.filter((_, at) => at % 4 < 2).every(status => status === 200)).toBe(true)
    expect(await stateOf(person)).toEqual({ rotations: 1, ended: false, audits: 0, events: 0 })
  })

  it('that forty use after the grace ends the family: once, on every server, and after a start anew', async () => {
    const person = await stage.person()
    stage.clock.turn(softLifeMs)
    const { person: fresh } = await refreshed(person)
    for (const app of apps) expect((await withCookie(person, fresh.cookie, app)).statusCode).toBe(200)
    stage.clock.turn(10_001)
    const replayed = await forty((app, at) =>
      at % 4 < 2
        ? refreshed(person, app).then(one => one.status)
        : withCookie(person, person.cookie, app).then(one => one.statusCode),
    )
    expect(new Set(replayed)).toEqual(new Set([401]))
    expect(await stateOf(person)).toEqual({ rotations: 1, ended: true, audits: 1, events: 1 })
    for (const app of [...apps, (await stage.another()).app]) {
      expect((await withCookie(person, fresh.cookie, app)).statusCode).toBe(401)
      expect((await refreshed(fresh, app)).status).toBe(401)
    }
    expect(await stateOf(person)).toEqual({ rotations: 1, ended: true, audits: 1, events: 1 })
  })

  it('is nobody else’s: the csrf header of another session renews nothing', async () => {
    const [person, other] = [await stage.person(), await stage.person()]
    stage.clock.turn(softLifeMs)
    const { status } = await refreshed(Object.assign(Object.create(person), { csrfToken: other.csrfToken }))
    expect(status).toBe(403)
    expect(await stateOf(person)).toEqual({ rotations: 0, ended: false, audits: 0, events: 0 })
  })
})
