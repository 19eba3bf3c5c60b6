import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { condition, inCountry, parameter } from '../config.testkit.ts'
import { putExperiments, type RunningExperiment, rolloutsIn } from '../public.ts'
import { remoteConfigReleases } from '../releases/contract.ts'
import { remoteConfigSettings } from '../settings/contract.ts'
import { type RolloutView, rollouts } from './contract.ts'
import { openRollouts, type RolloutStage, timed } from './rollouts.testkit.ts'
import { dropEnded } from './sweep.ts'

let stage: Stage
let on: RolloutStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  on = await openRollouts(stage)
})
afterAll(() => stage.close())

describe('what is under a rollout', () => {
  const experiment: RunningExperiment = {
    ...{ experimentId: '71', name: 'Buttons', phase: 1, seed: 's', unitAttr: 'targetingKey', rule: null },
    ...{ exposurePercent: 100, layer: null, holdout: null, isSticky: false, testUnits: {} },
    variants: [{ key: 'green', weight: 1, payload: { button: 'green' } }],
  }
  const asTeam = <T>(ask: (ctx: Parameters<typeof putExperiments>[0]) => Promise<T>) =>
    systemContext(stage.booted.server, 'CN', { name: 'test', teamId: on.owner.teamId }).transact(ask)

  it('cannot be published away, nor made to what its value does not fit', async () => {
    await on.act('start', await on.made({ condition: 'cn' }))
    const publish = (parameters: object) =>
      on.owner.call(remoteConfigReleases, 'publishTemplate', {
        ...{ params: { projectId: on.projectId }, query: {}, headers: { 'if-match': '*' } },
        body: { conditions: [condition('cn', inCountry('CN'))], groups: {}, parameters } as never,
      })
    const gone = await publish({})
    expect([gone.status, gone.body.ret.msg]).toEqual([
      422,
      'The template has 1 faults, the first at /parameters/button: button: the rollout Green is about it; end that first.',
    ])
    const branch = await publish({ button: parameter('grey') })
    expect([branch.status, branch.body.ret.msg]).toEqual([
      422,
      expect.stringContaining('button under cn: the rollout Green is about it; end that first'),
    ])
    const conditional = { cn: { value: '3' } }
    const number = await publish({ button: parameter('1', { valueType: 'NUMBER', conditional }) })
    expect([number.status, number.body.ret.msg]).toEqual([
      400,
      'button: must be a number, not green, as the rollout Green has it.',
    ])
    expect((await publish({ button: parameter('grey', { conditional: { cn: { value: 'blue' } } }) })).status).toBe(200)
  })

  it('is no other rollout’s, and an experiment’s neither', async () => {
    const draft = await on.made()
    const second = await on.made({ name: 'Second' })
    await on.act('start', draft)
    const refusal = [409, 'The parameter button is under the rollout Green already; end that first.']
    const started = await on.by(on.owner, 'start', second)
    expect([started.status, started.body.ret.msg]).toEqual(refusal)
    const again = await on.create({ name: 'Third', value: 'blue' })
    expect([again.status, again.body.ret.msg]).toEqual(refusal)
    expect((await on.look(second)).state).toBe('draft')
    const found = await asTeam(ctx => rolloutsIn(ctx, on.projectId))
    expect(found.map(row => [row.name, row.parameter, row.kind])).toEqual([['Green', 'button', 'client']])
  })

  it('is free of experiments that run', async () => {
    const draft = await on.made()
    await asTeam(ctx => putExperiments(ctx, on.where, async () => [experiment], 'Buttons'))
    const refusal = [409, 'The parameter button is under the experiment Buttons already; end that first.']
    const started = await on.by(on.owner, 'start', draft)
    expect([started.status, started.body.ret.msg]).toEqual(refusal)
    const other = await on.create()
    expect([other.status, other.body.ret.msg]).toEqual(refusal)
    expect((await on.create({ parameter: 'size', value: '2' })).status).toBe(200)
  })

  it('is one of twenty-four things that run in a project', async () => {
    const keys = Array.from({ length: 25 }, (_one, at) => `key_${at}`)
    await on.publish({ parameters: Object.fromEntries(keys.map(key => [key, parameter('old')])) })
    const running = { ...experiment, variants: [{ key: 'on', weight: 1, payload: { key_0: 'new' } }] }
    await asTeam(ctx => putExperiments(ctx, on.where, async () => [running], 'Buttons'))
    for (const key of keys.slice(1, 24))
      await on.act('start', await on.made({ parameter: key, value: 'new', name: key }))
    const last = await on.by(on.owner, 'start', await on.made({ parameter: 'key_24', value: 'new' }))
    expect([last.status, last.body.ret.msg]).toEqual([
      422,
      '24 experiments and rollouts of the project run already, of 24; end one first.',
    ])
  })
})

describe('whoever asks', () => {
  it.each<[string, object, string]>([
    ['steps that do not grow', { steps: timed(10, 10) }, '/steps/1/percent'],
    ['a share of 0', { steps: timed(0, 10) }, '/steps/0/percent'],
    ['a share of 101', { steps: timed(10, 101) }, '/steps/1/percent'],
    ['no steps', { steps: [] }, '/steps'],
    ['a hold of a second', { steps: [{ percent: 5, holdMs: 1_000 }] }, '/steps/0/holdMs'],
    ['a parameter that is not there', { parameter: 'colour' }, '/parameter'],
    ['a condition that it has not', { condition: 'de' }, '/condition'],
    ['the value that is there', { value: 'grey' }, '/value'],
    ['no name', { name: ' ' }, '/name'],
  ])('is refused %s, at its field, and nothing is written', async (_what, body, pointer) => {
    const { status, body: said } = await on.create(body)
    expect([status, said.fields?.map(one => one.pointer)]).toEqual([400, [pointer]])
    expect((await on.owner.ok(rollouts, 'listRollouts', { query: on.where })).total).toBe(0)
  })

  it('is refused a value that is none of the parameter', async () => {
    const reply = await on.create({ parameter: 'size', value: 'large' })
    expect([reply.status, reply.body.ret.msg]).toEqual([400, 'size: must be a number, not large.'])
  })

  it('finds rollouts by name, parameter and state, page by page, the newest first', async () => {
    await on.made({ name: 'One' })
    await on.act('start', await on.made({ name: 'Two', parameter: 'size', value: '2' }))
    const list = async (query: object) => {
      const page = await on.owner.ok(rollouts, 'listRollouts', { query: { ...on.where, ...query } })
      return [page.total, ...page.list.map(row => row.name)]
    }
    expect(await list({})).toEqual([2, 'Two', 'One'])
    expect(await list({ search: 'siz' })).toEqual([1, 'Two'])
    expect(await list({ state: 'draft' })).toEqual([1, 'One'])
    expect(await list({ kind: 'server' })).toEqual([0])
    expect(await list({ pageSize: 1 })).toEqual([2, 'Two'])
  })

  it('has a day for each of six steps where nothing else is said', async () => {
    const reply = await on.create({ steps: undefined })
    expect(reply.body.steps.map(step => step.percent)).toEqual([1, 5, 10, 25, 50, 100])
    expect(new Set(reply.body.steps.map(step => step.holdMs))).toEqual(new Set([86_400_000]))
  })

  it('deletes drafts, and nothing that ever ran', async () => {
    const draft = await on.made()
    const of = ({ rolloutId }: RolloutView) => ({ params: { rolloutId } })
    expect((await on.owner.call(rollouts, 'deleteRollout', of(draft))).status).toBe(200)
    expect((await on.owner.call(rollouts, 'getRollout', of(draft))).status).toBe(404)
    const ran = await on.act('rollBack', await on.act('start', await on.made()))
    expect((await on.owner.call(rollouts, 'deleteRollout', of(ran))).status).toBe(422)
  })

  it('loses what ended long ago, with its history, and nothing else', async () => {
    const ended = await on.act('cancel', await on.act('start', await on.made()))
    const open = await on.act('start', await on.made())
    const drop = (before: number) =>
      systemContext(stage.booted.server, 'CN', { name: 'sweep' }).transact(ctx => dropEnded(ctx, before))
    const left = async () =>
      (await on.owner.ok(rollouts, 'listRollouts', { query: on.where })).list.map(row => row.state)
    await drop(stage.clock.now() - 60_000)
    expect(await left()).toEqual(['running', 'cancelled'])
    await drop(stage.clock.now() + 60_000)
    expect(await left()).toEqual(['running'])
    const ofEnded = 'SELECT 1 FROM rcs_rollout_changes WHERE rollout_id = $1'
    expect(await stage.sql('CN', ofEnded, [ended.rolloutId])).toEqual([])
    expect(await on.historyOf(open)).toHaveLength(1)
  })

  it('is refused what was read before somebody else’s move', async () => {
    const started = await on.act('start', await on.made())
    await on.act('pause', started)
    const late = await on.by(on.owner, 'rollBack', started)
    expect([late.status, (await on.look(started)).state]).toEqual([409, 'paused'])
  })

  it('starts nothing where others must agree, but who may force it and says why', async () => {
    const draft = await on.made()
    await on.owner.ok(remoteConfigSettings, 'putSettings', {
      body: { projectId: on.projectId, minFetchIntervalSec: 60, approvals: 1 },
    })
    expect((await on.by(on.owner, 'start', draft)).status).toBe(422)
    expect((await on.look(draft)).state).toBe('draft')
    expect((await on.by(on.owner, 'start', draft, { reason: 'agreed by phone' })).status).toBe(200)
  })

  it('of another team finds nothing, and a member without the right moves nothing', async () => {
    const started = await on.act('start', await on.made())
    const stranger = await stage.person()
    const params = { rolloutId: started.rolloutId }
    expect((await stranger.call(rollouts, 'getRollout', { params })).status).toBe(404)
    expect((await stranger.call(rollouts, 'listRolloutChanges', { params, query: {} })).status).toBe(404)
    expect((await on.by(stranger, 'rollBack', started)).status).toBe(404)
    const reader = await stage.person({ team: on.owner.teamId, roles: ['marketing'] })
    expect((await on.by(reader, 'rollBack', started)).status).toBe(403)
    expect((await reader.ok(rollouts, 'getRollout', { params })).allowedActions).toEqual([])
    expect((await on.look(started)).state).toBe('running')
  })
})
