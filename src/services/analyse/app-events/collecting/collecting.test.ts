import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { openApp } from '../../../build/app-auth/app-auth.testkit.ts'
import { type ConfigStage, openConfig } from '../../../grow/remote-config/config.testkit.ts'
import { appEvents } from '../contract.ts'
import { forgetNames } from './names.ts'

let stage: Stage
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
  config = await openConfig(stage)
})
afterAll(() => stage.close())

const report = async (body: unknown, headers: Record<string, string> = { 'x-api-key': config.apiKey }) => {
  const reply = await stage.app.inject({
    ...{ method: 'POST', url: '/app-events/v1/events' },
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
}
const named = async (search: string, who = config) => {
  const query = { projectId: who.projectId, search }
  const { list } = await who.owner.ok(appEvents, 'listEventNames', { query })
  return list.map(({ name, count, units }) => ({ name, count, units }))
}

describe('an app reports events', () => {
  it('with the key of its project, and the team sees them counted', async () => {
    const events = [
      { name: 'opened', unit: 'ada' },
      { name: 'opened', unit: 'lin' },
      { name: 'opened', unit: 'lin', value: 2.5, props: { screen: 'start' } },
    ]
    const { status, body, headers } = await report({ events })
    expect([status, body]).toEqual([200, { ret: { code: 0, msg: 'success' }, taken: 3, refused: [] }])
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(await named('opened')).toEqual([{ name: 'opened', count: 3, units: 2 }])
  })

  it('with the token that it has anyhow', async () => {
    const app = await openApp(stage)
    const { clientToken } = await app.install()
    const sent = { authorization: `Bearer ${clientToken}`, productid: app.projectId }
    const { status, body } = await report({ events: [{ name: 'by_token', unit: 'ada' }] }, sent)
    expect([status, body.taken]).toEqual([200, 1])
    const { list } = await app.owner.ok(appEvents, 'listEventNames', { query: { projectId: app.projectId } })
    expect(list.map(one => one.name)).toEqual(['by_token'])
  })

  it('and sends them again after a lost answer: what has an id of its own counts once', async () => {
    const batch = { events: [{ eventId: 'one-1', name: 'again', unit: 'ada' }] }
    for (let tries = 0; tries < 3; tries++) expect((await report(batch)).body.taken).toBe(1)
    expect(await named('again')).toEqual([{ name: 'again', count: 1, units: 1 }])
  })

  it('from a device whose clock is a day off, and they stand on the day they happened', async () => {
    const sentAt = stage.clock.now() - 86_400_000
    const at = sentAt - 1000
    await report({ sentAt, events: [{ name: 'late_clock', unit: 'ada', at }] })
    const { days, list } = await config.owner.ok(appEvents, 'listEventNames', {
      query: { projectId: config.projectId, search: 'late_clock', days: 1 },
    })
    expect(days).toEqual([new Date(stage.clock.now() - 1000).toISOString().slice(0, 10)])
    expect(list[0]?.count).toBe(1)
  })

  it('some of them wrong: the others are taken, and each wrong one is told with its field', async () => {
    const events = [{ name: 'good', unit: 'ada' }, { name: '9', unit: 'ada' }, 'text', { name: 'good', unit: '' }]
    const { body } = await report({ events })
    expect(body.taken).toBe(1)
    expect(body.refused.map((one: { at: number; field: string }) => [one.at, one.field])).toEqual([
      [1, 'name'],
      [2, ''],
      [3, 'unit'],
    ])
    expect(await named('good')).toEqual([{ name: 'good', count: 1, units: 1 }])
  })
})

describe('what is refused', () => {
  const one = { name: 'never', unit: 'ada' }
  it.each([
    ['no list', { events: 'x' }],
    ['nothing', { events: [] }],
    ['501 events', { events: Array.from({ length: 501 }, () => one) }],
    ['a time that is none', { events: [one], sentAt: 'now' }],
  ])('%s is 400, with what to change, and nothing is kept', async (_what, body) => {
    const { status, body: answer } = await report(body)
    expect([status, answer.ret.code]).toEqual([400, 204410003])
    expect(await named('never')).toEqual([])
  })

  it('is more than half a megabyte at once', async () => {
    const { status } = await report({ events: [{ ...one, props: { text: 'x'.repeat(600_000) } }] })
    expect(status).toBe(413)
  })

  it.each([
    ['no key', {}],
    ['a key that nobody has', { 'x-api-key': `lgk_${'a'.repeat(40)}` }],
    ['a token that nobody has', { authorization: 'Bearer nobody' }],
  ])('%s is 401, also told to pages of other origins', async (_what, sent) => {
    const { status, headers } = await report({ events: [one] }, sent as Record<string, string>)
    expect([status, headers['access-control-allow-origin']]).toEqual([401, '*'])
  })

  it('is another project: the key decides, whatever the batch says', async () => {
    const other = await openConfig(stage)
    await report({ projectId: other.projectId, events: [{ ...one, name: 'foreign', projectId: other.projectId }] })
    expect(await named('foreign', other)).toEqual([])
    expect(await named('foreign')).toEqual([{ name: 'foreign', count: 1, units: 1 }])
  })
})

it('pages of other origins may ask before they send', async () => {
  const { statusCode, headers } = await stage.app.inject({ method: 'OPTIONS', url: '/app-events/v1/events' })
  expect([statusCode, headers['access-control-allow-methods']]).toEqual([204, 'POST, OPTIONS'])
})

describe('names of events', () => {
  const batchOf = (from: number, count: number) => ({
    events: Array.from({ length: count }, (_, at) => ({ name: `many_${from + at}`, unit: 'ada' })),
  })
  const refusedOf = (body: { refused: { at: number; field: string; message: string }[] }) => body.refused

  it('are 500 at most; what has another one is refused with what to do, and the rest is taken', async () => {
    const own = await openConfig(stage)
    const send = (body: unknown) => report(body, { 'x-api-key': own.apiKey })
    expect((await send(batchOf(0, 300))).body.taken).toBe(300)
    expect((await send(batchOf(0, 300))).body.taken).toBe(300)
    const { body } = await send(batchOf(298, 204))
    expect(body.taken).toBe(202)
    expect(refusedOf(body).map(one => [one.at, one.field])).toEqual([
      [202, 'name'],
      [203, 'name'],
    ])
    expect(refusedOf(body)[0]?.message).toContain('use one of them')
    const exposure = { name: '$exposure', unit: 'ada', experiment: '7', variant: 'a' }
    expect((await send({ events: [exposure, { name: 'many_7', unit: 'ada' }] })).body.taken).toBe(2)
    expect((await send(batchOf(900, 1))).body.taken).toBe(0)
    // The names of one project are not those of another.
    expect((await report(batchOf(900, 1))).body.taken).toBe(1)
  })

  it('that nobody reports for three months make room', async () => {
    const own = await openConfig(stage)
    const send = (body: unknown) => report(body, { 'x-api-key': own.apiKey })
    await send(batchOf(0, 500))
    expect((await send(batchOf(700, 1))).body.taken).toBe(0)
    stage.clock.turn(91 * 86_400_000)
    expect((await send(batchOf(3, 1))).body.taken).toBe(1)
    await forgetNames(systemContext(stage.booted.server, 'CN', { name: 'test', scope: 'all' }))
    expect((await send(batchOf(700, 1))).body.taken).toBe(1)
  })
})
