import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemContext } from '../server/context.ts'
import { appEvents } from '../services/analyse/app-events/contract.ts'
import { type ConfigStage, openConfig, parameter } from '../services/grow/remote-config/config.testkit.ts'
import { putExperiments, type RunningExperiment } from '../services/grow/remote-config/public.ts'
import { openStage, type Stage } from '../testkit/stage.ts'
import { AppEvents, type AppEventsOptions, type Refused } from './app-events.ts'
import { RemoteConfig } from './index.ts'
import { kept, type Line, openLine } from './line.testkit.ts'

let stage: Stage
let config: ConfigStage
let line: Line
beforeAll(async () => {
  stage = await openStage()
  line = await openLine(await stage.listen())
})
beforeEach(async () => {
  Object.assign(line, { isCut: false, says: null, passed: [] })
  config = await openConfig(stage)
})
afterAll(async () => {
  await line.close()
  await stage.close()
})

const open = (more: Partial<AppEventsOptions> = {}) =>
  new AppEvents({ url: line.url, apiKey: config.apiKey, unit: 'ada', ...more })
const counted = async () => {
  const { list } = await config.owner.ok(appEvents, 'listEventNames', { query: { projectId: config.projectId } })
  return Object.fromEntries(list.map(({ name, count, units }) => [name, [count, units]]))
}

describe('what an app tracks', () => {
  it('arrives in one batch, with who did it, and the team sees it counted', async () => {
    const events = open()
    events.track('opened')
    events.track('bought', { value: 4.5, props: { screen: 'cart', isFirst: true } })
    events.setUnit('lin')
    events.track('opened')
    expect(await events.flush()).toEqual({ status: 'sent', left: 0 })
    expect(line.passed).toEqual(['POST /app-events/v1/events 200'])
    expect(await counted()).toEqual({ bought: [1, 1], opened: [2, 2] })
  })

  it('goes by itself a few seconds later, and at once where a batch is full', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const events = open()
    try {
      events.track('opened')
      await vi.advanceTimersByTimeAsync(4_000)
      expect(line.passed).toEqual([])
      await vi.advanceTimersByTimeAsync(1_000)
    } finally {
      vi.useRealTimers()
    }
    await vi.waitFor(() => expect(line.passed).toHaveLength(1), 10_000)
    for (let n = 0; n < 100; n++) events.track('scrolled')
    await vi.waitFor(() => expect(line.passed).toHaveLength(2), 10_000)
    expect(await counted()).toEqual({ opened: [1, 1], scrolled: [100, 1] })
  })

  it('waits while nothing gets through, outlives the app, and counts once', async () => {
    const store = kept()
    line.cut()
    const events = open({ store })
    events.track('offline')
    expect(await events.flush()).toMatchObject({ status: 'waiting', left: 1, reason: expect.any(String) })
    // Too early for another try: nothing is asked.
    expect(await events.flush()).toEqual({ status: 'waiting', left: 1 })
    line.isCut = false
    const [next, beside] = [open({ store }), open({ store })]
    expect([await next.flush(), await beside.flush()]).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    expect(await counted()).toEqual({ offline: [1, 1] })
    expect(await open({ store }).flush()).toEqual({ status: 'sent', left: 0 })
    expect(line.passed.length).toBeLessThanOrEqual(2)
  })

  it.each([429, 503])('waits as long as Loggia asks for: %i', async says => {
    line.says = says
    const events = open()
    events.track('busy')
    expect(await events.flush()).toEqual({ status: 'waiting', left: 1, reason: `status ${says}` })
    line.says = null
    expect((await events.flush()).status).toBe('waiting')
    await new Promise(resolve => setTimeout(resolve, 1_100))
    expect(await events.flush()).toEqual({ status: 'sent', left: 0 })
  })

  it('that is wrong is told with its field and is not sent again; the rest arrives', async () => {
    const refused: Refused[] = []
    const events = open({ onRefused: one => refused.push(one) })
    for (const name of ['good', '9 bad', 'good']) events.track(name)
    expect(await events.flush()).toEqual({ status: 'sent', left: 0 })
    expect(refused).toMatchObject([{ name: '9 bad', field: 'name' }])
    expect(await counted()).toEqual({ good: [2, 1] })
    expect(await events.flush()).toEqual({ status: 'sent', left: 0 })
    expect(line.passed).toHaveLength(1)
  })

  it('with a wrong key waits, and says why', async () => {
    const events = open({ apiKey: `lgk_${'a'.repeat(40)}` })
    events.track('opened')
    expect(await events.flush()).toMatchObject({ status: 'waiting', left: 1, reason: expect.stringMatching(/invalid/) })
  })

  it('fills no device: of a thousand and more the oldest give way', async () => {
    const store = kept()
    line.cut()
    const events = open({ store })
    for (let n = 0; n < 1_050; n++) events.track('many', { value: n })
    expect(await events.flush()).toMatchObject({ left: 1_000 })
    expect(() => new AppEvents({ url: 'nowhere', apiKey: 'k', unit: 'u' })).toThrow(TypeError)
  })
})

it('a variant is reported as seen when its value is read, once, and not before', async () => {
  await config.publish({ parameters: { button: parameter('grey'), size: parameter('1') } })
  const variants: RunningExperiment['variants'] = [
    { key: 'control', weight: 0, payload: {} },
    { key: 'green', weight: 1, payload: { button: 'green' } },
  ]
  const running = {
    ...{ experimentId: '71', name: 'Buttons', phase: 1, seed: 'a seed', unitAttr: 'targetingKey', rule: null },
    ...{ exposurePercent: 100, layer: null, holdout: null, isSticky: false, testUnits: {}, variants },
  }
  await systemContext(stage.booted.server, 'CN', { name: 'test', teamId: config.owner.teamId }).transact(ctx =>
    putExperiments(ctx, config.where, async () => [running], 'Experiment Buttons'),
  )
  await stage.heard('CN')
  const events = open()
  const options = { url: line.url, apiKey: config.apiKey, context: { targetingKey: 'ada' }, events }
  const client = new RemoteConfig(options)
  await client.fetchAndActivate()
  expect(client.value('size', '')).toBe('1')
  await events.flush()
  expect(await counted()).toEqual({})
  for (let times = 0; times < 3; times++) expect(client.value('button', '')).toBe('green')
  await events.flush()
  // The next run sees it again, and it stays one.
  const [again, later] = [open(), open()]
  const restarted = new RemoteConfig({ ...options, events: again })
  await restarted.fetchAndActivate()
  restarted.value('button', '')
  await again.flush()
  await later.flush()
  expect(await counted()).toEqual({ $exposure: [1, 1] })
})
