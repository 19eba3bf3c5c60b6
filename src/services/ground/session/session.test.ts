import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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
async function refreshed(person: Person): Promise<{ status: number; person: Person }> {
  const reply = await stage.app.inject({
    method: 'POST',
    url: '/oauth2/v1/refresh',
    headers: { cookie: person.cookie, 'x-hd-csrf': person.csrfToken },
  })
  const cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
  return { status: reply.statusCode, person: cookie ? Object.assign(Object.create(person), { cookie }) : person }
}

const withCookie = (person: Person, cookie: string) =>
  stage.app.inject({ url: '/ups/v1/team', headers: { cookie, teamid: person.teamId } })

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
