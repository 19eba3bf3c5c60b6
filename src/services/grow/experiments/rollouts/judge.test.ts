import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Analytics } from '../../../../server/engines/analytics/analytics.ts'
import { installLine } from '../../../../server/engines/analytics/installed.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { notices } from '../../../ground/notices/contract.ts'
import { type RolloutView, rollouts } from '../../remote-config/rollouts/contract.ts'
import { type AppEventGiven, counted, type ExperimentStage, openExperiments } from '../experiments.testkit.ts'
import { experimentMetrics } from '../metrics/contract.ts'

let stage: Stage
let at: ExperimentStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  at = await openExperiments(stage)
})
afterAll(() => stage.close())

const minuteMs = 60_000
const half = [
  { percent: 50, holdMs: null },
  { percent: 100, holdMs: null },
]
const units = Array.from({ length: 600 }, (_one, index) => `unit-${index}`)

const create = (body: object) =>
  at.owner.call(rollouts, 'createRollout', {
    body: { ...at.config.where, name: 'Green', parameter: 'button', value: 'green', steps: half, ...body },
  })
async function start(body: object): Promise<RolloutView> {
  const reply = await create(body)
  if (reply.status !== 200) throw new Error(reply.text)
  const { rolloutId, revision } = reply.body
  const started = await at.owner.ok(rollouts, 'startRollout', { params: { rolloutId }, body: { revision } })
  await stage.heard('CN')
  return started
}
const shown = ({ rolloutId }: RolloutView) => at.owner.ok(rollouts, 'getRollout', { params: { rolloutId } })
async function look(one: RolloutView): Promise<RolloutView> {
  await at.owner.ok(rollouts, 'lookAtRollout', { params: { rolloutId: one.rolloutId } })
  await expect.poll(async () => (await shown(one)).isLooking, { timeout: 90_000 }).toBe(false)
  return shown(one)
}
const historyOf = async ({ rolloutId }: RolloutView) =>
  (await at.owner.ok(rollouts, 'listRolloutChanges', { params: { rolloutId }, query: {} })).list

async function fetchAs(targetingKey: string) {
  const reply = await stage.app.inject({
    ...{ method: 'POST', url: '/rcs/v1/config', payload: JSON.stringify({ context: { targetingKey } }) },
    headers: { 'x-api-key': at.config.apiKey, 'content-type': 'application/json' },
  })
  return reply.json()
}

/** Units read the value, and some of them buy: of ten that are in so many, of ten others so many. */
async function read(
  of: readonly string[],
  { buyIn, buyOut, drop = () => false }: { buyIn: number; buyOut: number; drop?: (variant: string) => boolean },
): Promise<void> {
  const counts: Record<string, number> = { in: 0, out: 0 }
  const events: AppEventGiven[] = []
  for (const unit of of) {
    const [told] = (await fetchAs(unit)).experiments as { id: string; unit: string; variant: 'in' | 'out' }[]
    if (!told) throw new Error(`${unit} is told of no rollout`)
    if (drop(told.variant)) continue
    const seen = stage.clock.now()
    const nth = counts[told.variant]!++
    events.push({ name: '$exposure', unit, at: seen, experiment: told.id, variant: told.variant })
    if (nth % 10 < (told.variant === 'in' ? buyIn : buyOut))
      events.push({ name: 'purchase', unit, at: seen + 1, value: 5 })
  }
  stage.clock.turn(minuteMs)
  await at.send(events)
}

describe('a rollout with guardrails', () => {
  it('tells apps whether they are in, and anew with each step', async () => {
    const one = await start({ guardrails: [at.metricId], steps: [{ percent: 20, holdMs: null }, ...half] })
    const { entries, experiments } = await fetchAs('unit-1')
    expect(experiments).toEqual([
      {
        ...{ id: one.rolloutId, unit: 'unit-1', keys: ['button'], phase: expect.any(Number) },
        variant: entries.button.v === 'green' ? 'in' : 'out',
      },
    ])
    stage.clock.turn(minuteMs)
    const params = { rolloutId: one.rolloutId }
    await at.owner.ok(rollouts, 'approveRollout', { params, body: { revision: one.revision } })
    await stage.heard('CN')
    expect((await fetchAs('unit-1')).experiments[0].phase).toBeGreaterThan(experiments[0].phase)
  })

  it('is told to nobody where nothing is to be judged', async () => {
    const one = await start({})
    expect((await fetchAs('unit-1')).experiments).toBeUndefined()
    const reply = await at.owner.call(rollouts, 'lookAtRollout', { params: { rolloutId: one.rolloutId } })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204141022])
  })

  it('is rolled back by itself where it does harm, and every unit has the old value at once', async () => {
    const one = await start({ guardrails: [at.metricId] })
    await read(units, { buyIn: 1, buyOut: 6 })
    const after = await look(one)
    expect([after.state, after.percent, after.lookAt]).toEqual(['rolledBack', 0, null])
    expect(after.look?.judged.map(row => [row.role, row.verdict, row.reading?.name])).toEqual([
      ['guardrail', 'failed', 'Buyers'],
    ])
    await stage.heard('CN')
    const values = new Set<string>()
    for (const unit of units) values.add((await fetchAs(unit)).entries.button.v)
    expect([...values]).toEqual(['grey'])
    const [last] = await historyOf(after)
    expect([last?.action, last?.by, last?.cause]).toEqual(['rollback', null, 'guardrail'])
    expect(last?.reason).toMatch(
      /^Buyers: 0\.1\d* among \d+ units .* the change of -0\.\d+ is between -0\.\d+ and -0\.\d+\.$/,
    )
    expect(last?.found?.en).toBe(last?.reason)
    expect(last?.found?.ru).toMatch(/^Buyers: 0,1\d* у \d+ единиц с новым значением, .* изменение -0,\d+, интервал от /)
    await stage.settle()
    const { list } = await at.owner.ok(notices, 'listNotices', { query: {} })
    const told = list.find(row => row.title.en === 'A guardrail failed and the rollout is rolled back: Green')
    expect(told?.text).toEqual(last?.found)
  }, 120_000)

  it('goes on where it does none, and where too few units are there', async () => {
    const one = await start({ guardrails: [at.metricId] })
    await read(units.slice(0, 120), { buyIn: 0, buyOut: 10 })
    const early = await look(one)
    expect([early.state, early.look?.judged[0]?.verdict]).toEqual(['running', 'waiting'])
    await read(units.slice(120), { buyIn: 6, buyOut: 1 })
    const later = await look(one)
    expect([later.state, later.look?.judged[0]?.verdict, later.lookProblem]).toEqual(['running', 'fine', null])
  }, 120_000)

  it('counts a unit from its first exposure of the step on', async () => {
    const one = await start({ guardrails: [at.metricId], steps: [{ percent: 20, holdMs: null }, ...half] })
    await read(units, { buyIn: 0, buyOut: 10 })
    const { rolloutId, revision } = await shown(one)
    await at.owner.ok(rollouts, 'approveRollout', { params: { rolloutId }, body: { revision } })
    await stage.heard('CN')
    const looked = await look(one)
    expect([looked.state, looked.look?.inUnits, looked.look?.outUnits]).toEqual(['running', 0, 0])
  }, 120_000)

  it('is held by a signal until that recovers, and not resumed where a person paused it', async () => {
    const one = await start({ signals: [at.metricId] })
    await read(units.slice(0, 300), { buyIn: 1, buyOut: 8 })
    const held = await look(one)
    expect([held.state, held.heldBy, held.percent]).toEqual(['paused', 'signal', 50])
    const late = units.map(unit => `late-${unit}`)
    await read(late, { buyIn: 10, buyOut: 1 })
    const resumed = await look(one)
    expect([resumed.state, resumed.heldBy]).toEqual(['running', null])
    expect((await historyOf(one)).map(row => [row.action, row.cause])).toEqual([
      ['resume', 'signal'],
      ['pause', 'signal'],
      ['start', null],
    ])
    const params = { rolloutId: one.rolloutId }
    await at.owner.ok(rollouts, 'pauseRollout', { params, body: { revision: resumed.revision } })
    expect((await look(one)).state).toBe('paused')
  }, 120_000)

  it.each([
    ['warn', 'running', null],
    ['hold', 'paused', 'split'],
    ['rollback', 'rolledBack', null],
  ] as const)(
    'whose split is not as the step says does as it was told: %s',
    async (srmAction, state, heldBy) => {
      const one = await start({ guardrails: [at.metricId], srmAction })
      let seen = 0
      await read(units, { buyIn: 5, buyOut: 5, drop: variant => variant === 'in' && seen++ % 2 === 0 })
      const after = await look(one)
      expect([after.state, after.heldBy, after.look?.isSplitHealthy]).toEqual([state, heldBy, false])
    },
    120_000,
  )

  it('is looked at by the clock', async () => {
    const one = await start({ guardrails: [at.metricId] })
    await read(units, { buyIn: 1, buyOut: 6 })
    await at.inDays(0.1)
    await stage.booted.worker.sweep()
    await expect.poll(async () => (await shown(one)).state, { timeout: 90_000 }).toBe('rolledBack')
  }, 120_000)

  it('names metrics of its own project, once each', async () => {
    const stranger = await openExperiments(stage, at.owner)
    for (const [body, field] of [
      [{ guardrails: [stranger.metricId] }, '/guardrails/0'],
      [{ guardrails: [at.metricId], signals: [at.metricId] }, '/signals/0'],
    ] as const) {
      const reply = await create(body)
      expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, field])
    }
    const { list } = await at.owner.ok(rollouts, 'listRolloutMetrics', { query: { projectId: at.projectId } })
    expect(list).toEqual([{ metricId: at.metricId, name: 'Buyers' }])
    expect((await at.owner.ok(rollouts, 'listRollouts', { query: at.config.where })).total).toBe(0)
  })

  it('counts a unit that was let in during the step where it was first seen', async () => {
    const one = await start({ guardrails: [at.metricId] })
    await read(units.slice(0, 10), { buyIn: 0, buyOut: 0 })
    const first = (await look(one)).look
    const again = { name: '$exposure', at: stage.clock.now() - 1, experiment: one.rolloutId }
    await at.send(units.slice(0, 10).flatMap(unit => ['in', 'out'].map(variant => ({ ...again, unit, variant }))))
    const { look: second } = await look(one)
    expect([second?.inUnits, second?.outUnits]).toEqual([first?.inUnits, first?.outUnits])
    expect((first?.inUnits ?? 0) + (first?.outUnits ?? 0)).toBe(10)
  })

  it('goes on where DuckDB is missing, and says how to install it', async () => {
    const one = await start({ guardrails: [at.metricId] })
    await read(units, { buyIn: 1, buyOut: 6 })
    const { server } = stage.booted
    const whole = server.analytics
    const alone = mkdtempSync(path.join(os.tmpdir(), 'loggia-alone-'))
    const engines = fileURLToPath(new URL('../../../../server/engines/analytics/', import.meta.url))
    for (const name of ['child.ts', 'messages.ts']) copyFileSync(path.join(engines, name), path.join(alone, name))
    const program = path.join(alone, 'child.ts')
    server.analytics = new Analytics(server.config, server.bytes, server.log, { program })
    try {
      const after = await look(one)
      expect([after.state, after.look]).toEqual(['running', null])
      expect(after.lookProblem).toContain(installLine)
    } finally {
      await server.analytics.close()
      server.analytics = whole
      rmSync(alone, { recursive: true })
    }
    expect((await look(one)).state).toBe('rolledBack')
  }, 120_000)

  it.each([
    ['draft', 'guardrails', []],
    ['scheduled', 'signals', ['startRollout']],
    ['running', 'guardrails', ['startRollout']],
    ['paused', 'signals', ['startRollout', 'pauseRollout']],
  ] as const)('keeps its metrics while it is %s, as one of its %s', async (state, role, moves) => {
    const metricId = await at.metric(`Openers of ${state}`, counted('open'))
    let { body: one } = await create({ [role]: [metricId], name: `While ${state}` })
    const params = { rolloutId: one.rolloutId }
    const later = state === 'scheduled' ? { startAt: stage.clock.now() + 60_000 } : {}
    for (const move of moves)
      one = await at.owner.ok(rollouts, move, { params, body: { revision: one.revision, ...later } })
    expect(one.state).toBe(state)
    const refused = await at.owner.call(experimentMetrics, 'deleteMetric', { params: { metricId } })
    expect([refused.status, refused.body.ret.msg]).toEqual([
      409,
      `Rollouts are judged by the metric: While ${state}. What it counts cannot change or go before they end; end them, or take it out of drafts.`,
    ])
    const before = await at.owner.ok(experimentMetrics, 'getMetric', { params: { metricId } })
    expect([before.usedBy, before.guards]).toEqual([[], [`While ${state}`]])
    const { status } = await at.owner.call(experimentMetrics, 'updateMetric', {
      params: { metricId },
      body: { definition: counted('close'), revision: before.revision },
    })
    expect(status).toBe(state === 'draft' ? 200 : 409)
    await at.owner.ok(rollouts, 'cancelRollout', { params, body: { revision: one.revision } })
    expect((await at.owner.call(experimentMetrics, 'deleteMetric', { params: { metricId } })).status).toBe(200)
  })

  it('is made or its metric goes, of two at once never both', async () => {
    for (let round = 0; round < 5; round++) {
      const metricId = await at.metric(`Openers ${round}`, counted('open'))
      const [made, gone] = await Promise.all([
        create({ guardrails: [metricId], name: `Round ${round}` }),
        at.owner.call(experimentMetrics, 'deleteMetric', { params: { metricId } }),
      ])
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([made.status, gone.status])
    }
  })

  it('says of a metric that was deleted while it had ended that it is gone', async () => {
    const metricId = await at.metric('Openers', counted('open'))
    const first = await start({ guardrails: [metricId] })
    const params = { rolloutId: first.rolloutId }
    const back = await at.owner.ok(rollouts, 'rollBackRollout', { params, body: { revision: first.revision } })
    await at.owner.ok(experimentMetrics, 'deleteMetric', { params: { metricId } })
    const one = await at.owner.ok(rollouts, 'startRollout', { params, body: { revision: back.revision } })
    await stage.heard('CN')
    await read(units.slice(0, 10), { buyIn: 1, buyOut: 1 })
    const after = await look(one)
    expect([after.state, after.look?.judged[0]?.verdict]).toEqual(['running', 'gone'])
  }, 120_000)
})
