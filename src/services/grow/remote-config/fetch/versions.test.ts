import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { fetchConfigOf } from './fetch.testkit.ts'
import { streamsOf } from './streams.ts'

let stage: Stage
let url: string
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
  url = await stage.listen()
})
beforeEach(async () => {
  config = await openConfig(stage)
})
afterAll(() => stage.close())

const chinese = { conditions: [condition('cn', inCountry('CN'))] }
const fetchConfig = (
  body: object,
  headers: Record<string, string> = {},
  app: Pick<Stage['app'], 'inject'> = stage.app,
) => fetchConfigOf(config, app, body, headers)

describe('while others publish', () => {
  it('every answer is of one version as a whole, on every process, and never of an older one than before', async () => {
    const other = await stage.another()
    const all = (value: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, parameter(String(value))]))
    await config.publish({ parameters: all(1) })
    let isOver = false
    let asked = 0
    const ask = async (app: Stage['app']) => {
      let last = 0
      while (!isOver) {
        const { body } = await fetchConfig({}, {}, app)
        const values = new Set(Object.values(body.entries as Record<string, { v: string }>).map(one => one.v))
        expect([...values]).toEqual([body.templateVersion])
        expect(Number(body.templateVersion)).toBeGreaterThanOrEqual(last)
        last = Number(body.templateVersion)
        asked++
      }
    }
    const asking = [stage.app, stage.app, other.app, other.app].map(ask)
    for (let version = 2; version <= 12; version++)
      expect(await config.publish({ parameters: all(version) })).toBe(version)
    await expect.poll(async () => (await fetchConfig({}, {}, other.app)).body.templateVersion).toBe('12')
    isOver = true
    await Promise.all(asking)
    expect(asked).toBeGreaterThan(50)
  })

  it('who was told of a version waits for it, and is told to come again where it does not come', async () => {
    await config.publish({ parameters: { a: parameter('1') } })
    await fetchConfig({})
    const waiting = fetchConfig({ minVersion: 2 })
    await config.publish({ parameters: { a: parameter('2') } })
    expect((await waiting).body.entries.a.v).toBe('2')
    const begin = performance.now()
    const late = await fetchConfig({ minVersion: 9 })
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1'])
    expect(performance.now() - begin).toBeLessThan(3_500)
  })

  it('a server that starts anew gives the same', async () => {
    await config.publish({ ...chinese, parameters: { a: parameter('1', { conditional: { cn: { value: '2' } } }) } })
    const context = { 'device.country': 'CN' }
    const before = await fetchConfig({ context })
    const fresh = await stage.another()
    const after = await fetchConfig({ context }, {}, fresh.app)
    expect([after.body.entries, after.headers.etag]).toEqual([before.body.entries, before.headers.etag])
  })
})

/** Reads events of a stream until `count` came, then cuts it. */
async function events(path: string, count: number, lastEventId?: string): Promise<{ id: string; data: string }[]> {
  const stop = new AbortController()
  const reply = await fetch(url + path, {
    signal: stop.signal,
    ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
  })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const found: { id: string; data: string }[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of reply.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [id, data] = [/^id: (.*)$/m.exec(frame)?.[1], /^data: (.*)$/m.exec(frame)?.[1]]
      if (id !== undefined && data !== undefined) found.push({ id, data })
    }
    if (found.length >= count) break
  }
  stop.abort()
  return found
}

describe('a stream', () => {
  it('tells of each version, goes on after a cut, and tells at once who fetched before a publish', async () => {
    await config.publish({ parameters: { a: parameter('1') } })
    const { stream } = (await fetchConfig({})).body as { stream: string }
    const first = events(stream, 1)
    await expect.poll(() => streamsOf(stage.booted.server).size).toBe(1)
    await config.publish({ parameters: { a: parameter('2') } })
    const [told] = await first
    expect(told?.id).toBe('2')
    expect(JSON.parse(told?.data ?? '')).toMatchObject({
      type: 'refetchEvaluation',
      etag: `"etag-${config.projectId}-2"`,
      version: '2',
    })
    await config.publish({ parameters: { a: parameter('3') } })
    expect((await events(stream, 1, '2')).map(one => one.id)).toEqual(['3'])
    expect((await events(stream, 1)).map(one => one.id)).toEqual(['3'])
  })

  it('opens to nobody without a token of ours', async () => {
    const { stream } = (await fetchConfig({})).body as { stream: string }
    for (const bad of ['/rcs/v1/stream', stream.replace('client', 'server'), '/rcs/v1/stream?token=a.b.c.d.e'])
      expect((await fetch(url + bad)).status).toBe(401)
    stage.clock.turn(90_000_000)
    expect((await fetch(url + stream)).status).toBe(401)
  })
})
