import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../kernel/contract.ts'
import { refuse } from '../../kernel/errors.ts'
import { integer, shape, text } from '../../kernel/shape.ts'
import { openStage, type Stage } from '../../testkit/stage.ts'
import { implement } from '../implement.ts'

const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false } as const

/** A protocol of somebody else's, with a form of its own for every no. */
const parrot = service({
  name: 'test/parrot',
  prefix: '/parrot',
  zone: 'current',
  permissions: [],
  errors: { dislikes: [209990001, 418, 'The parrot dislikes {word}.'] },
  refusal: ({ number, message, status }, { method, url }) => ({
    status: status === 404 ? 410 : status,
    headers: { 'content-type': 'application/parrot', 'x-parrot': number },
    body: method === 'HEAD' ? null : `<no at="${url}">${message}</no>`,
  }),
  calls: {
    look: {
      ...open,
      method: 'HEAD',
      path: '/:cage/*',
      summary: 'Looks',
      params: shape({ cage: text(20), '*': text(2000) }),
    },
    tell: {
      ...open,
      method: 'GET',
      path: '/:cage/*',
      summary: 'Tells',
      params: shape({ cage: text(20), '*': text(2000) }),
    },
    hear: { ...open, method: 'PUT', path: '/:cage/*', summary: 'Hears a stream' },
    mend: { ...open, method: 'PATCH', path: '/:cage/*', summary: 'Hears a little' },
    ask: { ...open, method: 'OPTIONS', path: '/:cage/*', summary: 'What it takes' },
    count: {
      ...open,
      method: 'POST',
      path: '/count',
      summary: 'Reads JSON whatever its type',
      rate: 'signIn',
      body: shape({ seeds: integer(0, 9) }),
    },
  },
})

const handlers = implement(parrot, {
  look: async (_ctx, { params }) => ({ headers: { 'x-rest': params['*'], 'content-length': 7 }, body: null }),
  tell: async (_ctx, { params }) => {
    if (params['*'] === 'cat') refuse(parrot.errors.dislikes, { word: 'cats' })
    if (params['*'] === 'broken') throw new Error('the perch of /root broke')
    return { headers: { 'content-type': 'text/plain' }, body: `${params.cage} ${params['*']}` }
  },
  hear: async (_ctx, { stream }) => {
    let sizeBytes = 0
    for await (const chunk of stream) sizeBytes += (chunk as Buffer).length
    return { status: 201, headers: {}, body: String(sizeBytes) }
  },
  mend: async (_ctx, { request }) => ({ headers: {}, body: String(request.headers['content-type']) }),
  ask: async () => ({ status: 204, headers: { allow: 'GET' }, body: null }),
  count: async (_ctx, { body }) => ({ headers: {}, body: `${body.seeds} seeds` }),
})

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ services: [{ calls: [handlers] }], rateFactor: 1 })
})
afterAll(() => stage.close())

const send = (method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'OPTIONS' | 'POST', url: string, more: object = {}) =>
  stage.app.inject({ method, url: `/parrot${url}`, ...more })

describe('a call of a foreign protocol', () => {
  it('takes paths that go on, decoded once', async () => {
    expect((await send('GET', '/gold/a/b%20c/%2525')).body).toBe('gold a/b c/%25')
    expect((await send('GET', '/gold/a%2Fb')).body).toBe('gold a/b')
  })

  it('needs neither session nor CSRF token, and answers without our envelope', async () => {
    const reply = await send('GET', '/gold/polly')
    expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([200, 'text/plain', 'gold polly'])
  })

  it('has a HEAD of its own where the contract names one', async () => {
    const reply = await send('HEAD', '/gold/x')
    expect([reply.headers['x-rest'], reply.headers['content-length'], reply.body]).toEqual(['x', '7', ''])
  })

  it('gets a body of whatever type as a stream, beyond the limit of JSON', async () => {
    const payload = Buffer.alloc(3_000_000)
    const reply = await send('PUT', '/gold/x', { payload, headers: { 'content-type': 'text/plain' } })
    expect([reply.statusCode, reply.body]).toEqual([201, '3000000'])
  })

  it('may be PATCH or OPTIONS', async () => {
    const patched = await send('PATCH', '/gold/x', { payload: 'x', headers: { 'content-type': 'application/x' } })
    expect(patched.body).toBe('application/x')
    expect((await send('OPTIONS', '/gold/x')).headers['allow']).toBe('GET')
  })

  it('reads JSON whatever its type is said to be', async () => {
    const reply = await send('POST', '/count', { payload: '{"seeds":3}', headers: { 'content-type': 'text/plain' } })
    expect(reply.body).toBe('3 seeds')
  })
})

describe("a refusal in the protocol's own form", () => {
  it('comes from the handler', async () => {
    const reply = await send('GET', '/gold/cat?x=1')
    expect([reply.statusCode, reply.headers['content-type'], reply.headers['x-parrot'], reply.body]).toEqual([
      418,
      'application/parrot',
      '209990001',
      '<no at="/parrot/gold/cat?x=1">The parrot dislikes cats.</no>',
    ])
  })

  it('comes from validation, from unreadable JSON and from a body that is too large', async () => {
    const wrong = await send('POST', '/count', { payload: '{"seeds":10}' })
    const unreadable = await send('POST', '/count', { payload: '{"seeds":', headers: { 'content-type': 'a/b' } })
    const large = await send('POST', '/count', { payload: ' '.repeat(1_100_000) })
    expect([wrong, unreadable, large].map(one => [one.statusCode, one.headers['content-type']])).toEqual([
      [400, 'application/parrot'],
      [400, 'application/parrot'],
      [413, 'application/parrot'],
    ])
  })

  it('comes when something breaks, and tells nothing of it', async () => {
    const reply = await send('GET', '/gold/broken')
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([500, 'application/parrot'])
    expect(reply.body).not.toContain('root')
  })

  it('comes when there were too many, with the time to wait', async () => {
    let reply = await send('POST', '/count', { payload: '{"seeds":1}' })
    for (let tries = 0; tries < 30 && reply.statusCode !== 429; tries++)
      reply = await send('POST', '/count', { payload: '{"seeds":1}' })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([429, 'application/parrot'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})
