import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { teams } from '../../services/ground/teams/contract.ts'
import { openStage, type Person, type Stage } from '../../testkit/stage.ts'

let stage: Stage
let person: Person
beforeAll(async () => {
  stage = await openStage({ rateFactor: 1 })
  person = await stage.person()
})
afterAll(() => stage.close())

const team = { name: 'Radio', countryCode: 'CN', siteId: 1 }
const post = (payload: string, contentType = 'application/json') =>
  stage.app.inject({
    method: 'POST',
    url: '/ups/v1/team',
    payload,
    headers: { cookie: person.cookie, 'x-hd-csrf': person.csrfToken, 'content-type': contentType },
  })

describe('a refused input', () => {
  it('names every field by pointer and what is wrong with it', async () => {
    const reply = await person.call(teams, 'createTeam', {
      body: { name: ' ', countryCode: 'china', color: 'red' } as never,
    })
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(reply.body.fields?.map(field => `${field.pointer} ${field.rule}`).sort()).toEqual([
      '/color additionalProperties',
      '/countryCode pattern',
      '/name pattern',
      '/siteId required',
    ])
    expect(reply.body).toMatchObject({ ret: { code: 200000001 }, status: 400, instance: '/ups/v1/team' })
    expect(reply.body['requestId']).toBe(reply.headers['x-request-id'])
  })

  it.each([
    ['text for a number', JSON.stringify({ ...team, siteId: '1' }), 400],
    ['no JSON', '{"name":', 400],
    ['an array', '[]', 400],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, 400],
    ['a prototype key', '{"__proto__":{"x":1}}', 400],
    ['a spelt-out prototype key', '{"\\u005f_proto__":{"x":1}}', 400],
    ['a constructor key', '{"constructor":{"prototype":{"x":1}}}', 400],
  ])('%s is refused and pollutes nothing', async (_name, payload, status) => {
    expect((await post(payload)).statusCode).toBe(status)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('of another type says which type to send', async () => {
    const reply = await post(JSON.stringify(team), 'text/plain')
    expect([reply.statusCode, reply.json().ret.msg]).toEqual([415, 'Send content-type application/json.'])
  })

  it('larger than the limit is cut off with 413', async () => {
    const reply = await post(JSON.stringify({ ...team, name: 'x'.repeat(1_100_000) }))
    expect([reply.statusCode, reply.json().limitBytes]).toEqual([413, 1_048_576])
  })
})

describe('every answer', () => {
  it('forbids inline scripts, framing and foreign hosts', async () => {
    const reply = await stage.app.inject('/health')
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
  })

  it('says nothing of its insides when a call is unknown', async () => {
    const reply = await stage.app.inject('/ups/v1/nothing')
    expect([reply.statusCode, reply.json().ret.msg]).toEqual([404, 'There is no such call.'])
    expect(reply.body).not.toMatch(/fastify|node|stack/i)
  })
})

describe('a request that is not what it says', () => {
  it.each([
    '//ups/v1/team',
    '/./ups/v1/team',
    '/ups/v1/team/',
    '/UPS/v1/team',
    '/ups/v1/team%00',
    '/ups/v1/team;x',
    '/ups%2Fv1/team',
  ])('reaches no handler without a session: %s', async url => {
    const reply = await stage.app.inject({
      url,
      headers: { 'x-http-method-override': 'POST', 'x-original-url': '/health' },
    })
    expect([401, 404]).toContain(reply.statusCode)
  })

  it('with two Host headers is refused', async () => {
    const address = new URL(await stage.listen())
    const reply = await new Promise<string>(resolve => {
      const socket = net.connect(Number(address.port), address.hostname, () => {
        socket.write('GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')
      })
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(reply.split('\r\n')[0]).toContain('400')
  })

  it('with a csrf token of another session, or none, changes nothing', async () => {
    const other = await stage.person()
    for (const token of [other.csrfToken, '', 'null']) {
      const reply = await person.call(teams, 'createTeam', { body: team, headers: { 'x-hd-csrf': token } })
      expect([reply.status, reply.body.ret.code]).toEqual([403, 200000004])
    }
  })

  it.each(['', '0', '-1', '1e3', '1,2', "1'--", '99999999999999999999'])(
    'with the team header %j acts for no team',
    async teamid => {
      const reply = await person.call(teams, 'getTeam', { headers: { teamid } })
      expect([400, 403]).toContain(reply.status)
    },
  )
})

describe('an idempotency key', () => {
  const keyed = (key: string, name: string) =>
    person.call(teams, 'createTeam', { body: { ...team, name }, headers: { 'idempotency-key': key } })

  it('does the work once and gives the same answer again', async () => {
    const [first, second] = await Promise.all([keyed('one', 'Once'), keyed('one', 'Once')])
    expect(first.status).toBe(200)
    expect(second.body).toEqual(first.body)
  })

  it('with another body is refused', async () => {
    expect((await keyed('one', 'Twice')).status).toBe(409)
  })

  it('of a failed call is free again', async () => {
    expect((await keyed('two', '')).status).toBe(400)
    expect((await keyed('two', 'Now right')).status).toBe(200)
  })
})

describe('the rate limit', () => {
  it('answers 429 with the seconds to wait', async () => {
    const statuses: number[] = []
    for (let tries = 0; tries < 25; tries++) {
      const reply = await stage.app.inject({
        method: 'POST',
        url: '/oauth2/v1/login',
        remoteAddress: '198.51.100.7',
        payload: { account: `nobody ${tries}`, password: 'x' },
        headers: { 'x-forwarded-for': `10.0.0.${tries}` },
      })
      statuses.push(reply.statusCode)
    }
    expect(statuses.filter(status => status === 429).length).toBe(5)
  })
})
