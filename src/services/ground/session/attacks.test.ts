import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { accountCalls } from './accounts/contract.ts'
import { Browser } from './browser.testkit.ts'
import { session } from './contract.ts'

let stage: Stage
let person: Person
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
})
afterAll(() => stage.close())

const guarded = ['/oauth2/v1/profile', '/oauth2/v1/sessions', '/oauth2/v1/manage/accounts', '/ups/v1/team']

describe('a guarded path', () => {
  const variants: [string, (path: string) => string][] = [
    ['a double slash', path => `/${path}`],
    ['a dot', path => path.replace('/v1', '/./v1')],
    ['an encoded dot', path => path.replace('/v1', '/%2e/v1')],
    ['an encoded slash', path => path.replace(/\/(\w+)$/, '%2F$1')],
    ['a parameter', path => `${path};a=b`],
    ['capitals', path => path.toUpperCase()],
    ['a slash at the end', path => `${path}/`],
    ['a NUL', path => `${path}%00`],
    ['the word of an open path', path => `${path}?x=/anonymous/`],
    ['a webhook in the query', path => `${path}?/webhooks/trigger`],
    ['a hash', path => `${path}#/app/openTest`],
    ['a zone', path => `/de${path}`],
    ['two zones', path => `/de/de${path}`],
    ['a way up', path => `/oauth2/v1/login/..${path.replace('/oauth2/v1', '')}`],
  ]
  it.each(variants.flatMap(([name, change]) => guarded.map(path => [path, name, change(path)])))(
    '%s with %s opens nothing',
    async (_path, _name, url) => {
      const replies = await Promise.all(
        (['GET', 'HEAD'] as const).map(method =>
          stage.app.inject({
            method,
            url,
            headers: {
              referer: 'http://localhost:8080/#/app/openTest',
              'x-http-method-override': 'OPTIONS',
              'x-original-url': '/oauth2/v1/login/options',
              'x-rewrite-url': '/oauth2/v1/login/options',
              'x-middleware-subrequest': 'middleware',
              'x-user-id': person.accountId,
              'x-team-id': person.teamId,
            },
          }),
        ),
      )
      for (const reply of replies) expect([400, 401, 404]).toContain(reply.statusCode)
    },
  )

  it('is a change only with the method it names', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const reply = await stage.app.inject({
        method,
        url: '/oauth2/v1/logout?_method=POST',
        headers: { cookie: person.cookie, 'x-hd-csrf': person.csrfToken, 'x-http-method-override': 'POST' },
      })
      expect([404, 415]).toContain(reply.statusCode)
    }
    expect((await person.call(accountCalls, 'getProfile')).status).toBe(200)
  })
})

describe('a change', () => {
  it.each<[string, Record<string, string>]>([
    ['without the token', { 'x-hd-csrf': '' }],
    ['with a made-up token', { 'x-hd-csrf': 'forged' }],
    ['from nowhere', { origin: 'null' }],
    ['with the token as text', { 'content-type': 'text/plain' }],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['as JSON and more', { 'content-type': 'application/json garbage' }],
  ])('%s is refused', async (_name, more) => {
    const payload = JSON.stringify({ name: 'Other', language: 'en', revision: 1 })
    const base = { cookie: person.cookie, 'x-hd-csrf': person.csrfToken, 'content-type': 'application/json' }
    const reply = await stage.app.inject({
      method: 'PUT',
      url: `/oauth2/v1/profile?x-hd-csrf=${person.csrfToken}`,
      headers: { ...base, ...more },
      payload,
    })
    expect([400, 403, 415]).toContain(reply.statusCode)
    expect((await person.ok(accountCalls, 'getProfile')).name).toBe(person.loginName)
  })

  it('with the token of another session is refused', async () => {
    const other = await stage.person()
    const input = { headers: { 'x-hd-csrf': other.csrfToken } }
    expect((await person.call(session, 'logout', input)).status).toBe(403)
  })

  it('of a sign-in is not taken from a form of another site', async () => {
    const reply = await stage.app.inject({
      method: 'POST',
      url: '/oauth2/v1/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `account=${person.loginName}&password=${person.password}`,
    })
    expect(reply.statusCode).toBe(415)
    expect(reply.cookies).toEqual([])
  })
})

describe('cookies', () => {
  it('carry no secret where scripts read, and the credential where they do not', async () => {
    const browser = new Browser(stage.app, '192.0.2.50')
    const reply = await browser.signIn(person.loginName, person.password)
    const secret = reply.cookies.filter(cookie => cookie.httpOnly).map(cookie => cookie.name)
    expect(secret.sort()).toEqual(['agc_device', 'agc_sid'])
    for (const cookie of reply.cookies) expect(cookie).toMatchObject({ sameSite: 'Lax', path: '/' })
    const readable = reply.cookies.filter(cookie => !cookie.httpOnly).map(cookie => cookie.value)
    const [sessionId = ''] = (reply.cookies.find(cookie => cookie.name === 'agc_sid')?.value ?? '').split('.')
    expect(readable.join(' ')).not.toContain(sessionId)
  })

  it('are Secure and bound to the host behind https', async () => {
    const { config } = stage.booted.server
    const before = config.publicUrl
    config.publicUrl = 'https://console.example'
    const reply = await new Browser(stage.app, '192.0.2.51').signIn(person.loginName, person.password)
    config.publicUrl = before
    expect(
      reply.cookies
        .filter(cookie => cookie.httpOnly)
        .map(cookie => cookie.name)
        .sort(),
    ).toEqual(['__Host-agc_device', '__Host-agc_sid'])
    for (const cookie of reply.cookies) expect(cookie).toMatchObject({ secure: true })
  })

  it.each([
    ['agc_team_id', 'TEAM'],
    ['agc_uid', 'ACCOUNT'],
    ['agc_userType', '2'],
    ['userPermission', '{"teams.members":"Y"}'],
    ['userRoles', '["leader"]'],
    ['agc_verifyRealState', '3'],
    ['upSiteId', '7'],
    ['demoProject', '1'],
    ['x-hd-grey', 'agcGreyFlag-1'],
    ['developer_userinfo', '{"mainUserId":"ACCOUNT","staffRoles":["storeAdministrator"]}'],
  ])('%s changed to %s changes no right', async (name, value) => {
    const other = await stage.person()
    const told = encodeURIComponent(value.replace('TEAM', other.teamId).replace('ACCOUNT', other.accountId))
    const ask = (url: string, teamId: string) =>
      stage.app.inject({ url, headers: { cookie: `${person.cookie}; ${name}=${told}`, teamid: teamId } })
    expect((await ask('/ups/v1/team', other.teamId)).statusCode).toBe(403)
    expect((await ask('/oauth2/v1/manage/accounts', person.teamId)).statusCode).toBe(403)
    const profile = (await ask('/oauth2/v1/profile', person.teamId)).json()
    expect(profile).toMatchObject({ accountId: person.accountId, verifyRealState: 0 })
  })
})

describe('refusals', () => {
  it.each([
    ['{"account":', 400],
    ['[]', 400],
    ['"text"', 400],
    ['{"account":{"$ne":null},"password":["x"]}', 400],
    [`{"account":"${"a' OR 1=1 --"}","password":"x"}`, 400],
    [`{"account":"${'a'.repeat(300)}","password":"x"}`, 400],
    ['{"account":"\\u0000","password":"\\u0000"}', 400],
    ['{"__proto__":{"account":"a"},"constructor":{}}', 400],
  ])('of %s tell nothing of the inside', async (payload, status) => {
    const reply = await stage.app.inject({
      method: 'POST',
      url: '/oauth2/v1/login',
      remoteAddress: '192.0.2.60',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(reply.statusCode).toBe(status)
    expect(reply.body).not.toMatch(/at .*\.ts|node_modules|SELECT|argon2|postgres/i)
  })
})
