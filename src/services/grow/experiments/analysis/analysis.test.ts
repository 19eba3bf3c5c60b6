import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { experiments } from '../contract.ts'
import { type AppEventGiven, counted, dayMs, type ExperimentStage, openExperiments } from '../experiments.testkit.ts'
import work from '../jobs.ts'
import { experimentLayers } from '../layers/contract.ts'
import type { Snapshot } from '../tables.ts'
import { experimentAnalysis } from './contract.ts'
import { runAnalysis } from './job.ts'
import { plainSums, plainUnits } from './plain.testkit.ts'
import { resultsOf } from './results.ts'

let stage: Stage
let at: ExperimentStage
beforeAll(async () => {
  stage = await openStage()
  // Else the clock begins an analysis of its own where a test has turned it, and the test's own is refused.
  stage.booted.worker.stopSweeping()
})
beforeEach(async () => {
  at = await openExperiments(stage)
})
afterAll(() => stage.close())

/** The same numbers every time, between 0 and 1. */
function chances(seed: number) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

const analyse = async (experimentId: string) => {
  const params = { experimentId }
  await at.owner.ok(experimentAnalysis, 'analyseExperiment', { params })
  await expect
    .poll(async () => (await at.owner.ok(experimentAnalysis, 'getAnalysis', { params })).state, { timeout: 90_000 })
    .toBe('done')
}
/** What the clock does by itself, now. */
const sweep = async (name: string) => {
  const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', scope: 'all' })
  await ctx.transact(inner => work.sweeps.find(one => one.name === name)!.run(inner))
}
const snapshotOf = async (experimentId: string) => {
  const [row] = await stage.sql<{ content: Snapshot }>(
    'CN',
    'SELECT content FROM abt_snapshots WHERE experiment_id = $1 ORDER BY snapshot_id DESC LIMIT 1',
    [experimentId],
  )
  return row?.content as Snapshot
}
const inDays = (days: number) => at.inDays(days)

/** Units that see a variant and buy, more of them with the treatment. */
function shoppers(experimentId: string, from: number, { count = 600, lift = 0.2 } = {}): AppEventGiven[] {
  return Array.from({ length: count }, (_one, index): AppEventGiven[] => {
    const variant = index % 2 === 0 ? 'control' : 'treatment'
    const unit = `unit-${index}`
    const seen = from + 3_600_000 + (index % 3) * dayMs
    const buys = index % 20 < (variant === 'control' ? 6 : 6 + 20 * lift)
    return [
      {
        name: '$exposure',
        unit,
        at: seen,
        experiment: experimentId,
        variant,
        props: { country: index % 4 < 2 ? 'CN' : 'DE' },
      },
      ...(buys ? [{ name: 'purchase', unit, at: seen + 60_000, value: 10 + (index % 7) }] : []),
    ]
  }).flat()
}

describe('an analysis', () => {
  it('finds what a plain count of every unit finds, for every kind of metric', async () => {
    const chance = chances(7)
    const definitions = {
      share: counted('buy', { toHours: 48 }),
      retention: counted('open', { kind: 'retention', fromHours: 24, toHours: 48 }),
      mean: counted('buy', { kind: 'mean', of: 'sum' }),
      capped: counted('buy', { kind: 'mean', of: 'sum', cap: { by: 'percentile', at: 90 } }),
      most: counted('buy', { kind: 'mean', of: 'max', cap: { by: 'value', at: 20 } }),
      ratio: counted('buy', { kind: 'ratio', of: 'sum', denominator: { event: 'open', of: 'count' } }),
      quantile: counted('buy', { kind: 'quantile', of: 'sum', quantile: 0.5 }),
    }
    const ids: Record<string, string> = {}
    for (const [name, definition] of Object.entries(definitions)) ids[name] = await at.metric(name, definition)
    const goals = ['share', 'mean', 'ratio']
    const metrics = Object.keys(ids).map(name => ({
      metricId: ids[name],
      role: goals.includes(name) ? 'goal' : 'secondary',
    }))
    await at.send([{ name: 'buy', unit: 'u', at: stage.clock.now() - 1000, value: 1 }])
    const { experimentId, startedAt } = await at.run('All kinds', { metrics, segments: ['country'], cupedDays: 3 })
    const start = startedAt as number
    const events: AppEventGiven[] = []
    for (let index = 0; index < 300; index++) {
      const unit = `unit-${index}`
      const seen = start + 60_000 + Math.floor(chance() * 4 * dayMs)
      const variant = chance() < 0.5 ? 'control' : 'treatment'
      const props = { country: ['CN', 'DE', 'FR'][Math.floor(chance() * 3)] as string }
      events.push({ name: '$exposure', unit, at: seen, experiment: experimentId, variant, props })
      if (chance() < 0.3)
        events.push({ name: '$exposure', unit, at: seen + 5000, experiment: experimentId, variant, props })
      if (chance() < 0.05)
        events.push({ name: '$exposure', unit, at: seen + 9000, experiment: experimentId, variant: 'control', props })
      for (let event = 0; event < Math.floor(chance() * 6); event++)
        events.push({
          ...{ name: chance() < 0.6 ? 'buy' : 'open', unit },
          ...{ at: Math.floor(start - 3 * dayMs + chance() * 9 * dayMs), value: Math.round(chance() * 4000) / 100 },
        })
    }
    await inDays(6)
    await at.send(events)
    await analyse(experimentId)
    const snapshot = await snapshotOf(experimentId)
    const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-6 * Math.max(1, Math.abs(b)))
    for (const [name, definition] of Object.entries(definitions)) {
      const { from: phaseFrom, until } = snapshot
      const units = plainUnits(events, { experimentId, definition, phaseFrom, until, cupedDays: 3 })
      for (const variant of ['control', 'treatment']) {
        const own = units.filter(one => one.variant === variant)
        const metricId = ids[name] as string
        if (definition.kind === 'quantile') {
          const values = own.flatMap(one => (one.isComplete && one.y !== null ? [one.y] : [])).sort((a, b) => a - b)
          const order = snapshot.orders[metricId]?.[variant]
          expect([order?.n, order?.at]).toEqual([values.length, values[Math.ceil(values.length * 0.5) - 1]])
          continue
        }
        for (const day of snapshot.days.filter(one => one.variant === variant)) {
          const sums = plainSums(own.filter(one => Math.floor(one.firstAt / dayMs) === day.day))
          const found = day.metrics[metricId]
          near(found?.n ?? 0, sums.n)
          near(found?.sum ?? 0, sums.sum)
          near(found?.sumOfSquares ?? 0, sums.sumOfSquares)
          if (found?.before)
            for (const key of ['sum', 'sumOfSquares', 'sumOfProducts'] as const)
              near(found.before[key], sums.before[key])
          if (found?.of)
            for (const key of ['sum', 'sumOfSquares', 'sumOfProducts'] as const) near(found.of[key], sums.of[key])
        }
        const bySegment = snapshot.segments.filter(one => one.variant === variant)
        expect(bySegment.reduce((sum, one) => sum + one.units, 0)).toBe(own.length)
      }
    }
    const mixed =
      new Set(events.filter(one => one.name === '$exposure').map(one => `${one.unit} ${one.variant}`)).size - 300
    expect(snapshot.multiple).toBe(mixed)
  }, 180_000)

  it('says to ship what is better, and every result is computed from its snapshot again', async () => {
    const { experimentId, startedAt, revision } = await at.run('Better', { segments: ['country'], tunedFor: 600 })
    await inDays(5)
    await at.send(shoppers(experimentId, startedAt as number, { count: 1200, lift: 0.35 }))
    await analyse(experimentId)
    const params = { experimentId }
    const report = await at.owner.ok(experimentAnalysis, 'getReport', { params })
    expect([report.status, report.variant, report.isShippable]).toEqual(['shipNow', 'treatment', true])
    expect(report.reasons).toEqual(expect.arrayContaining(['goalsBetter', 'alwaysValid', 'beyondDoubt']))
    expect(report.courses[0]?.cumulative).toHaveLength(3)
    expect(report.results.variants.map(one => one.units)).toEqual([600, 600])
    expect(report.results.metrics[0]?.baseline).toMatchObject({ n: 600, mean: 0.3 })
    const snapshot = await snapshotOf(experimentId)
    for (const engine of ['bayesian', 'frequentist', 'sequential'] as const) {
      const results = await at.owner.ok(experimentAnalysis, 'getResults', { params, query: { engine, dim: 'country' } })
      const again = resultsOf(snapshot, engine).metrics[0]?.variants[0]
      expect(results.metrics[0]?.variants[0]).toMatchObject({
        lift: again?.lift,
        interval: again?.interval,
        p: again?.p,
      })
      expect(results.segments.map(one => one.value).sort()).toEqual(['CN', 'DE'])
    }
    const file = await at.owner.call(experimentAnalysis, 'exportReport', {
      params,
      query: { format: 'csv', language: 'en' },
    })
    expect(file.text.split('\r\n')).toHaveLength(4)
    const { list } = await at.owner.ok(experiments, 'listExperiments', { query: { projectId: at.projectId } })
    expect([list[0]?.status, list[0]?.units, list[0]?.trend.length]).toEqual(['shipNow', 1200, 3])
    const wrong = await at.owner.call(experimentAnalysis, 'getResults', { params, query: { dim: 'device' } })
    expect([wrong.status, wrong.body.ret.code]).toEqual([400, 204151043])
    const shipped = await at.owner.ok(experiments, 'releaseExperiment', {
      params,
      body: { variant: 'treatment', audience: 'everybody', revision },
    })
    expect(shipped.outcome).toBe('shipped')
  }, 180_000)

  it('of a split that is not as planned covers everything: nothing is proposed, and shipping asks for a reason', async () => {
    const { experimentId, startedAt, revision } = await at.run('Broken')
    await inDays(5)
    const events = shoppers(experimentId, startedAt as number, { count: 800, lift: 0.3 })
    await at.send(events.filter(one => one.variant !== 'treatment' || Number(one.unit.slice(5)) % 4 === 1))
    await analyse(experimentId)
    const params = { experimentId }
    const report = await at.owner.ok(experimentAnalysis, 'getReport', { params })
    expect([report.status, report.reasons, report.isShippable]).toEqual(['unhealthy', ['splitMismatch'], false])
    const body = { variant: 'treatment', audience: 'everybody' as const, revision }
    const refused = await at.owner.call(experiments, 'releaseExperiment', { params, body })
    expect([refused.status, refused.body.ret.code]).toEqual([409, 204151007])
    const shipped = await at.owner.ok(experiments, 'releaseExperiment', {
      params,
      body: { ...body, reason: 'Known loss of old apps' },
    })
    expect(shipped.conclusion).toBe('Known loss of old apps')
    const told = await stage.sql('CN', "SELECT 1 FROM outbox WHERE type = 'experiment.unhealthy' AND entity_id = $1", [
      experimentId,
    ])
    expect(told).toHaveLength(1)
  }, 180_000)

  it('leaves out units of an earlier phase, of pauses and of test devices', async () => {
    const running = await at.run('Phases')
    const { experimentId } = running
    const params = { experimentId }
    const seen = (unit: string, variant: string): AppEventGiven => ({
      ...{ name: '$exposure', unit, at: stage.clock.now(), experiment: experimentId, variant },
    })
    await at.send([seen('early', 'control')])
    await inDays(1)
    const begun = await at.owner.ok(experiments, 'updateExperiment', {
      params,
      body: { design: { isSticky: false }, newPhase: { newSeed: true }, revision: running.revision },
    })
    const paused = await at.owner.ok(experiments, 'pauseExperiment', { params, body: { revision: begun.revision } })
    await at.send([seen('waiting', 'control')])
    await inDays(1)
    await at.owner.ok(experiments, 'resumeExperiment', { params, body: { revision: paused.revision } })
    await at.owner.ok(experiments, 'putTestDevice', { params, body: { unit: 'tester', variant: 'treatment' } })
    await at.send([
      seen('early', 'control'),
      seen('waiting', 'treatment'),
      seen('tester', 'treatment'),
      seen('new', 'control'),
    ])
    await inDays(1)
    await analyse(experimentId)
    const snapshot = await snapshotOf(experimentId)
    expect([snapshot.earlier, snapshot.paused, snapshot.multiple]).toEqual([1, 1, 0])
    expect(snapshot.days.map(one => [one.variant, one.units])).toEqual([['control', 1]])
  }, 180_000)

  it('writes down who saw what, and sticky experiments keep it when weights change', async () => {
    const { projectId } = at
    // Nobody is held back: whoever is looked at here could be one of them.
    await at.owner.ok(experimentLayers, 'putHoldout', { body: { projectId, percent: 0, revision: 0 } })
    const running = await at.run('Sticky', { isSticky: true })
    const { experimentId } = running
    await at.send([
      { name: '$exposure', unit: 'stays', at: stage.clock.now(), experiment: experimentId, variant: 'control' },
    ])
    await inDays(1)
    await analyse(experimentId)
    const kept = await stage.sql('CN', 'SELECT unit, variant FROM abt_kept WHERE experiment_id = $1', [experimentId])
    expect(kept).toEqual([{ unit: 'stays', variant: 'control' }])
    const variants = running.design.variants.map(one => ({ ...one, weight: one.key === 'control' ? 0 : 100 }))
    const params = { experimentId }
    const { revision } = await at.owner.ok(experiments, 'getExperiment', { params })
    await at.owner.ok(experiments, 'updateExperiment', {
      params,
      body: { design: { variants }, newPhase: { newSeed: false }, revision },
    })
    await stage.heard('CN')
    const reply = await stage.app.inject({
      ...{ method: 'POST', url: '/rcs/v1/config', payload: JSON.stringify({ context: { targetingKey: 'stays' } }) },
      headers: { 'x-api-key': at.config.apiKey, 'content-type': 'application/json' },
    })
    expect(reply.json()).toMatchObject({ experiments: [{ variant: 'control' }] })
  }, 180_000)

  it('killed in the middle begins again and leaves one snapshot; a second run of a job changes nothing', async () => {
    const { experimentId, startedAt } = await at.run('Killed')
    await inDays(4)
    await at.send(shoppers(experimentId, startedAt as number))
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: at.owner.teamId })
    const run = (steps: (step: string) => void) =>
      runAnalysis(ctx, {
        ...{ jobId: '99000000000000001', input: { experimentId }, teamId: at.owner.teamId, zone: 'CN', attempt: 1 },
        signal: AbortSignal.timeout(60_000),
        progress: async step => steps(step),
      })
    const die = (step: string) => {
      if (step === 'write') throw new Error('killed')
    }
    await expect(run(die)).rejects.toThrow('killed')
    expect(await stage.sql('CN', 'SELECT 1 FROM abt_snapshots WHERE experiment_id = $1', [experimentId])).toHaveLength(
      0,
    )
    await run(() => undefined)
    const first = await snapshotOf(experimentId)
    await run(() => undefined)
    expect(await stage.sql('CN', 'SELECT 1 FROM abt_snapshots WHERE experiment_id = $1', [experimentId])).toHaveLength(
      1,
    )
    expect(await snapshotOf(experimentId)).toEqual(first)
  }, 180_000)

  it('comes by the clock and counts as no write, and an experiment ends by itself when it ran as long as it may', async () => {
    const { experimentId, revision } = await at.run('Clock', { maxDays: 5 })
    const params = { experimentId }
    await at.send([
      { name: '$exposure', unit: 'one', at: stage.clock.now(), experiment: experimentId, variant: 'control' },
    ])
    await at.inDays(1)
    await sweep('experiments.due')
    const state = async () => (await at.owner.ok(experimentAnalysis, 'getAnalysis', { params })).state
    await expect.poll(state, { timeout: 90_000 }).toBe('done')
    const looked = await at.owner.ok(experiments, 'getExperiment', { params })
    expect([looked.state, looked.revision, looked.analysedAt === null]).toEqual(['running', revision, false])
    await at.inDays(5)
    await sweep('experiments.ends')
    const ended = await at.owner.ok(experiments, 'getExperiment', { params })
    expect([ended.state, ended.stoppedAt === null]).toEqual(['stopped', false])
  }, 180_000)

  it('of those held back says what all experiments together brought', async () => {
    const query = { projectId: at.projectId }
    await at.owner.ok(experimentLayers, 'putHoldout', { body: { ...query, percent: 20, revision: 0 } })
    const events = Array.from({ length: 400 }, (_one, index) => ({
      ...{ name: 'purchase', unit: `unit-${index}`, at: stage.clock.now() - 1000, value: 1 },
    }))
    await at.send([...events, ...events.slice(0, 200)])
    await inDays(1)
    const metricId = await at.metric('Purchases', counted('purchase', { kind: 'mean' }))
    const report = await at.owner.ok(experimentLayers, 'getHoldoutReport', { query: { ...query, metricId, days: 7 } })
    expect(report.heldBack.units + report.others.units).toBe(401)
    expect(report.heldBack.units).toBeGreaterThan(40)
    expect(report.change).not.toBeNull()
  }, 60_000)
})
