import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { remoteConfigErrors } from '../remote-config/contract.ts'
import { remoteConfigSettings } from '../remote-config/settings/contract.ts'
import { experimentAnalysis } from './analysis/contract.ts'
import { experiments } from './contract.ts'
import {
  counted,
  type ExperimentStage,
  fetchedAs,
  type Move,
  type Moved,
  moveExperiment,
  openExperiments,
  variantsOf,
} from './experiments.testkit.ts'
import { experimentLayers } from './layers/contract.ts'
import { experimentMetrics } from './metrics/contract.ts'
import { experimentCycle, states } from './rules.ts'

let stage: Stage
let at: ExperimentStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  at = await openExperiments(stage)
})
afterAll(() => stage.close())

const move = (name: Move, one: Moved) => moveExperiment(at, name, one)
const change = (one: { experimentId: string; revision: number }, body: object) =>
  at.owner.call(experiments, 'updateExperiment', {
    params: { experimentId: one.experimentId },
    body: { ...body, revision: one.revision },
  } as never)

const fetched = (targetingKey: string) => fetchedAs(stage, at, targetingKey)
const people = Array.from({ length: 80 }, (_one, index) => `user-${index}`)

describe('the life of an experiment', () => {
  it('is walked: every state knows what can be done in it', () => {
    const all = Object.fromEntries(states.map(state => [state, allowedActions(experimentCycle, state, () => true)]))
    expect(all).toEqual({
      draft: ['validate', 'remove'],
      ready: ['edit', 'start'],
      running: ['pause', 'stop', 'ship'],
      paused: ['resume', 'stop', 'ship'],
      stopped: ['ship', 'conclude'],
      concluded: ['archive'],
      archived: [],
    })
  })

  it('goes from draft to archive, and apps get what each state says', async () => {
    const running = await at.run('Buttons')
    expect([running.state, running.phase, running.phases.map(one => one.changes)]).toEqual(['running', 1, [['start']]])
    const values = new Set<string>()
    for (const one of people) values.add((await fetched(one)).entries.button.v)
    expect([...values].sort()).toEqual(['green', 'grey'])
    const paused = await move('pause', running)
    for (const one of people.slice(0, 20)) expect((await fetched(one)).entries.button.v).toBe('grey')
    const resumed = await move('resume', paused.body as never)
    const stopped = await move('stop', resumed.body as never)
    expect([stopped.status, stopped.body['state']]).toEqual([200, 'stopped'])
    expect((await fetched('user-1')).experiments).toBeUndefined()
    const concluded = await at.owner.ok(experiments, 'concludeExperiment', {
      params: { experimentId: running.experimentId },
      body: { outcome: 'inconclusive', reason: 'Too few', revision: Number(stopped.body['revision']) },
    })
    expect([concluded.outcome, concluded.conclusion]).toEqual(['inconclusive', 'Too few'])
    const archived = await move('archive', concluded)
    expect([archived.body['state'], archived.body['allowedActions']]).toEqual(['archived', []])
    await stage.settle()
  })

  it('ships a variant into remote config for everybody, and says with which version', async () => {
    const running = await at.run('Buttons')
    const shipped = await at.owner.ok(experiments, 'releaseExperiment', {
      params: { experimentId: running.experimentId },
      body: { variant: 'treatment', audience: 'everybody', revision: running.revision },
    })
    expect([shipped.state, shipped.outcome, shipped.shippedVariant, shipped.shippedVersion]).toEqual([
      ...['concluded', 'shipped', 'treatment', 3],
    ])
    const { entries, experiments: drawn } = await fetched('user-1')
    expect([entries.button, drawn]).toEqual([{ v: 'green', src: 'default', variant: 'default' }, undefined])
  })

  it('ships nothing past the others who must agree, save by whoever may force it and says why', async () => {
    const { experimentId, revision } = await at.run('Buttons')
    const { projectId } = at
    const settings = { projectId, minFetchIntervalSec: 60, approvals: 1 }
    await at.owner.ok(remoteConfigSettings, 'putSettings', { body: settings })
    const ship = async (who: Person, reason?: string) => {
      const body = { variant: 'treatment', audience: 'everybody' as const, revision, ...(reason && { reason }) }
      const reply = await who.call(experiments, 'releaseExperiment', { params: { experimentId }, body })
      return [reply.status, reply.body.ret.code]
    }
    const operator = await stage.person({ team: at.owner.teamId, roles: ['operations'] })
    const refused = [422, remoteConfigErrors.approvalsNeededToShip[0]]
    expect([await ship(operator, 'It is better'), await ship(at.owner)]).toEqual([refused, refused])
    expect(await ship(at.owner, 'Nobody is there today')).toEqual([200, 0])
  })

  it('is a draft again when what is ready is edited, and only drafts are deleted', async () => {
    const made = await at.draft('Buttons')
    const ready = await move('validate', made)
    const edited = await change(ready.body as never, { design: { hypothesis: 'Green is seen' } })
    expect([edited.body['state'], (edited.body['design'] as { hypothesis: string }).hypothesis]).toEqual([
      ...['draft', 'Green is seen'],
    ])
    const params = { experimentId: made.experimentId }
    await at.owner.ok(experiments, 'deleteExperiment', { params })
    expect((await at.owner.call(experiments, 'getExperiment', { params })).status).toBe(404)
    const running = await at.run('Other')
    const gone = await at.owner.call(experiments, 'deleteExperiment', {
      params: { experimentId: running.experimentId },
    })
    expect([gone.status, gone.body.ret.code]).toEqual([409, 204151008])
  })

  it('is copied as a draft with a seed of its own', async () => {
    const running = await at.run('Buttons')
    const params = { experimentId: running.experimentId }
    const copy = await at.owner.ok(experiments, 'copyExperiment', { params, body: { name: 'Buttons again' } })
    expect([copy.state, copy.design.variants]).toEqual(['draft', running.design.variants])
    const seeds = await stage.sql('CN', 'SELECT DISTINCT seed FROM abt_experiments WHERE project_id = $1', [
      at.projectId,
    ])
    expect(seeds).toHaveLength(2)
  })
})

describe('while it runs', () => {
  it('more may take part and metrics may come, marked as not planned; nothing else changes without a new phase', async () => {
    const running = await at.run('Buttons', { exposurePercent: 20 })
    const grown = await change(running, { design: { exposurePercent: 50 } })
    expect([grown.status, grown.body['warnings']]).toEqual([200, ['exposure']])
    const shrunk = await change(grown.body as never, { design: { exposurePercent: 10 } })
    expect([shrunk.status, shrunk.body.ret.code, shrunk.body['fields']]).toEqual([409, 204151003, ['exposurePercent']])
    const metricId = await at.metric('Opens', counted('open'))
    const metrics = [
      ...running.design.metrics.map(({ metricId: id, role }) => ({ metricId: id, role })),
      { metricId, role: 'secondary' },
    ]
    const more = await change(grown.body as never, { design: { metrics } })
    const view = more.body as unknown as typeof running
    expect(view.design.metrics.map(one => one.isPostHoc)).toEqual([false, true])
    const judged = await change(view, { design: { alpha: 0.1 } })
    expect(judged.body['fields']).toEqual(['alpha'])
  })

  it('changed weights begin a new phase, which is warned of and written down, and apps draw by them', async () => {
    const running = await at.run('Buttons')
    const variants = variantsOf('button', 'green').map((one, index) => ({ ...one, weight: index === 0 ? 0 : 100 }))
    const refusal = await change(running, { design: { variants } })
    expect([refusal.body.ret.code, refusal.body['fields']]).toEqual([204151003, ['variants']])
    const begun = await change(running, { design: { variants }, newPhase: { newSeed: true } })
    const view = begun.body as unknown as typeof running
    expect([view.phase, view.warnings, view.phases.map(one => one.changes)]).toEqual([
      2,
      ['weights'],
      [['start'], ['weights', 'seed']],
    ])
    expect(view.phases[1]?.variants).toEqual(['control 0 %', 'treatment 100 %'])
    const drawn = await Promise.all(people.slice(0, 30).map(fetched))
    const parts = drawn.flatMap(one => one.experiments ?? [])
    expect(new Set(parts.map(one => [one.variant, one.phase].join(' ')))).toEqual(new Set(['treatment 2']))
  })

  it('test devices have their variant at once, and are drawn again when they are let go', async () => {
    const running = await at.run('Buttons')
    const params = { experimentId: running.experimentId }
    await at.owner.ok(experiments, 'putTestDevice', { params, body: { unit: 'tester', variant: 'treatment' } })
    expect((await fetched('tester')).entries.button.v).toBe('green')
    const wrong = await at.owner.call(experiments, 'putTestDevice', { params, body: { unit: 'x', variant: 'none' } })
    expect([wrong.status, wrong.body.ret.code]).toEqual([400, 204151009])
    expect((await at.owner.ok(experiments, 'listTestDevices', { params })).list).toEqual([
      { unit: 'tester', variant: 'treatment' },
    ])
    await at.owner.ok(experiments, 'deleteTestDevice', { params, query: { unit: 'tester' } })
    expect((await at.owner.ok(experiments, 'listTestDevices', { params })).total).toBe(0)
  })

  it('of ten who start at once the first wins, and the parameter has one owner', async () => {
    const drafts = []
    for (let index = 0; index < 5; index++) drafts.push(await at.draft(`Race ${index}`))
    const ready: { experimentId: string; revision: number }[] = []
    for (const one of drafts) ready.push((await move('validate', one)).body as never)
    const replies = await Promise.all(ready.flatMap(one => [move('start', one), move('start', one)]))
    expect(replies.filter(one => one.status === 200)).toHaveLength(1)
    expect(new Set(replies.filter(one => one.status !== 200).map(one => one.status))).toEqual(new Set([409]))
    const { list } = await at.owner.ok(experiments, 'listTargets', {
      query: { projectId: at.projectId, search: 'button' },
    })
    expect(list[0]?.ownedBy?.name).toMatch(/^Race/)
  })
})

describe('those who are held back', () => {
  it('take part in nothing, and changing how many is in force at once', async () => {
    await at.run('Buttons')
    const query = { projectId: at.projectId }
    const before = await at.owner.ok(experimentLayers, 'getHoldout', { query })
    expect([before.percent, before.unitAttr]).toEqual([2, 'targetingKey'])
    const after = await at.owner.ok(experimentLayers, 'putHoldout', {
      body: { ...query, percent: 20, revision: before.revision },
    })
    expect(after.percent).toBe(20)
    let part = 0
    for (const one of people) part += Number((await fetched(one)).experiments !== undefined)
    expect(part).toBeGreaterThan(45)
    expect(part).toBeLessThan(78)
    const stale = await at.owner.call(experimentLayers, 'putHoldout', {
      body: { ...query, percent: 5, revision: before.revision },
    })
    expect(stale.status).toBe(409)
  })
})

describe('before it runs', () => {
  it('says who would take part, what can be asked of, and how long it takes', async () => {
    const { projectId } = at
    const seen = await at.owner.ok(experiments, 'estimateAudience', {
      body: { projectId, rule: null, exposurePercent: 50 },
    })
    expect(seen).toMatchObject({ total: 0, takingPart: 0, isExact: true })
    const { list } = await at.owner.ok(experiments, 'listAttributes', { query: { projectId } })
    expect(list.map(one => one.name)).toContain('device.country')
    const plan = await at.owner.ok(experimentAnalysis, 'planExperiment', {
      body: { share: 0.2, mde: 0.25, alpha: 0.05, power: 0.8, variants: 2, unitsPerDay: 500 },
    })
    expect(plan).toMatchObject({ unitsOfVariant: 1031, units: 2062, days: 5 })
    const missing = await at.owner.call(experimentAnalysis, 'planExperiment', {
      body: { mean: 0, deviation: 1, mde: 0.25, alpha: 0.05, power: 0.8, variants: 2 },
    })
    expect(missing.status).toBe(400)
  })

  it('metrics say what is wrong with them', async () => {
    const { projectId } = at
    const make = async (definition: object) => {
      const body = { projectId, name: 'Wrong', definition: { ...counted('purchase'), ...definition } }
      return (await at.owner.call(experimentMetrics, 'createMetric', { body } as never)).body.fields?.[0]?.pointer
    }
    expect(await make({ kind: 'ratio' })).toBe('/definition/denominator')
    expect(await make({ kind: 'quantile' })).toBe('/definition/quantile')
    expect(await make({ kind: 'retention' })).toBe('/definition/toHours')
    expect(await make({ fromHours: 5, toHours: 4 })).toBe('/definition/toHours')
    const params = { metricId: at.metricId }
    await at.run('Buttons')
    const used = await at.owner.call(experimentMetrics, 'deleteMetric', { params })
    expect([used.status, used.body['experiments']]).toEqual([409, ['Buttons']])
    const { list } = await at.owner.ok(experimentMetrics, 'listEvents', { query: { projectId } })
    expect(list).toEqual([{ name: 'purchase', count: 1, units: 1, hasValue: true }])
  })
})
