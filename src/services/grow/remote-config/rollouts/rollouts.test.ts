import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isWithin } from '../../../../kernel/targeting/bucket.ts'
import type { Booted } from '../../../../server/boot.ts'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { notices } from '../../../ground/notices/contract.ts'
import { remoteConfig } from '../contract.ts'
import { remoteConfigReleases } from '../releases/contract.ts'
import { remoteConfigSettings } from '../settings/contract.ts'
import { hold, openRollouts, type RolloutStage, timed } from './rollouts.testkit.ts'
import { advanceRollouts } from './sweep.ts'

let stage: Stage
let on: RolloutStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  on = await openRollouts(stage)
})
afterAll(() => stage.close())

async function fetchAs(context: object) {
  const reply = await stage.app.inject({
    ...{ method: 'POST', url: '/rcs/v1/config', payload: JSON.stringify({ context }) },
    headers: { 'x-api-key': on.apiKey, 'content-type': 'application/json' },
  })
  return reply.json()
}
const ids = Array.from({ length: 10_000 }, (_one, at) => `user-${at}`)
/** Who of some ids gets a value, asked as apps ask. */
async function holders(of: readonly string[], value: string, more: object = {}): Promise<Set<string>> {
  await stage.heard('CN')
  const found = new Set<string>()
  for (const targetingKey of of)
    if ((await fetchAs({ targetingKey, ...more })).entries.button.v === value) found.add(targetingKey)
  return found
}
/** Whether a time is so far ahead; the clock runs while a test does. */
const isIn = (at: number | null, ms: number) => at !== null && Math.abs(at - stage.clock.now() - ms) < hold / 3
/** The clock is turned, and whoever looks at it does. */
async function turn(ms: number): Promise<void> {
  stage.clock.turn(ms)
  await sweep()
}
/** Past the lock that lets one server sweep at a time: what is left is that of the row. */
const sweepOn = (server: Booted['server']) => systemContext(server, 'CN', { name: 'sweep' }).transact(advanceRollouts)
const sweep = () => stage.booted.worker.sweep()

describe('a rollout that runs', () => {
  it('gives the value to its share of ten thousand ids, to each as the bucketing says, and only ever to more', async () => {
    let one = await on.act('start', await on.made({ steps: timed(10, 50, 100) }))
    expect([one.state, one.percent, one.step, isIn(one.dueAt, hold)]).toEqual(['running', 10, 0, true])
    const [{ seed }] = (await stage.sql<{ seed: string }>('CN', 'SELECT seed FROM rcs_rollouts WHERE rollout_id = $1', [
      one.rolloutId,
    ])) as [{ seed: string }]
    const first = await holders(ids, 'green')
    expect(Math.abs(first.size / ids.length - 0.1)).toBeLessThan(0.01)
    expect([...first]).toEqual(ids.filter(id => isWithin('rollout', seed, id, 10)))
    one = await on.act('advance', one)
    const some = ids.slice(0, 2_000)
    const second = await holders(some, 'green')
    expect(Math.abs(second.size / some.length - 0.5)).toBeLessThan(0.04)
    expect(some.filter(id => first.has(id) && !second.has(id))).toEqual([])
    one = await on.act('advance', one)
    expect((await holders(some, 'green')).size).toBe(some.length)
    expect([one.state, one.percent]).toEqual(['running', 100])
  }, 120_000)

  it('is served at once, as a version of its own; the wire says that a rollout gave the value', async () => {
    await on.act('start', await on.made({ steps: timed(100) }))
    await stage.heard('CN')
    const { entries, templateVersion } = await fetchAs({ targetingKey: 'a' })
    expect([entries.button, entries.size.v, templateVersion]).toEqual([
      { v: 'green', src: 'rollout', variant: 'rollout' },
      '1',
      '2',
    ])
    const { list } = await on.owner.ok(remoteConfigReleases, 'listReleases', { query: on.where })
    expect(list.map(row => [row.version, row.origin, row.description])).toEqual([
      [2, 'ROLLOUT', 'Green: 100 %'],
      [1, 'REST', ''],
    ])
  })

  it('is told to clients of the evaluation protocol as a split: who is in, who is out, and who takes no part', async () => {
    const { rolloutId } = await on.act('start', await on.made({ steps: timed(50) }))
    await stage.heard('CN')
    const of = async (context: object, path = '/button') => {
      const reply = await stage.app.inject({
        ...{ method: 'POST', url: `/ofrep/v1/evaluate/flags${path}`, payload: { context } },
        headers: { 'x-api-key': on.apiKey },
      })
      return reply.json()
    }
    const seen = new Set<string>()
    for (const targetingKey of ids.slice(0, 30)) {
      const flag = await of({ targetingKey })
      const isIn = (await fetchAs({ targetingKey })).entries.button.v === 'green'
      const [value, variant] = isIn ? ['green', 'in'] : ['grey', 'out']
      const metadata = { templateVersion: '2', rolloutId, rolloutVariant: variant }
      expect(flag).toEqual({ key: 'button', value, reason: 'SPLIT', variant, metadata })
      expect((await of({ targetingKey }, '')).flags[0]).toEqual(flag)
      seen.add(variant as string)
    }
    expect(seen.size).toBe(2)
    const nobody = { key: 'button', value: 'grey', reason: 'UNKNOWN', variant: 'default' }
    expect(await of({})).toEqual({ ...nobody, metadata: { templateVersion: '2' } })
    const elsewhere = await of({ targetingKey: 'a', 'device.country': 'CN' })
    expect([elsewhere.value, elsewhere.reason, elsewhere.variant]).toEqual(['red', 'TARGETING_MATCH', 'cn'])
  })

  it('replaces the value of its branch only, and nothing for who has no unit', async () => {
    await on.act('start', await on.made({ condition: 'cn', steps: timed(100) }))
    await stage.heard('CN')
    const of = async (context: object) => (await fetchAs(context)).entries.button
    expect(await of({ targetingKey: 'a', 'device.country': 'CN' })).toEqual({
      ...{ v: 'green', src: 'rollout', rule: 'cn', variant: 'rollout' },
    })
    expect((await of({ targetingKey: 'a', 'device.country': 'DE' })).v).toBe('grey')
    expect((await of({ 'device.country': 'CN' })).v).toBe('red')
  })

  it('is shown by a trial of what somebody would get', async () => {
    await on.act('start', await on.made({ steps: timed(100) }))
    const { list } = await on.owner.ok(remoteConfigSettings, 'evaluate', {
      body: { ...on.where, context: { targetingKey: 'a' }, of: 'published', key: 'button' },
    })
    expect(list.map(row => [row.value, row.rollout])).toEqual([['green', 'Green']])
  })

  it('is named beside the value that it replaces, in the list of parameters', async () => {
    const { rolloutId } = await on.act('start', await on.made({ condition: 'cn', steps: timed(10, 50) }))
    const { list } = await on.owner.ok(remoteConfig, 'listParameters', { query: on.where })
    expect(list.map(row => [row.key, row.rollouts])).toEqual([
      ['button', [{ rolloutId, name: 'Green', condition: 'cn', value: 'green', percent: 10 }]],
      ['size', []],
    ])
  })

  it('makes its value that of the template when it is complete', async () => {
    const one = await on.act('complete', await on.act('start', await on.made({ condition: 'cn' })), { reason: 'fine' })
    expect([one.state, one.percent, one.allowedActions]).toEqual(['completed', 100, []])
    const { parameters } = await on.owner.ok(remoteConfigReleases, 'getTemplate', {
      params: { projectId: on.projectId },
      query: {},
    })
    expect([parameters['button']?.default, parameters['button']?.conditional]).toEqual([
      { value: 'grey' },
      { cn: { value: 'green' } },
    ])
    await stage.heard('CN')
    const { entries } = await fetchAs({ targetingKey: 'a', 'device.country': 'CN' })
    expect(entries.button).toEqual({ v: 'green', src: 'condition', rule: 'cn', variant: 'cn' })
  })
})

describe('its clock', () => {
  it('takes each step when the one before was held, to the end, and the maker hears of that', async () => {
    const one = await on.act('start', await on.made({ steps: timed(10, 50, 100) }))
    const seen: unknown[] = []
    for (let turns = 0; turns < 3; turns++) {
      await turn(hold)
      const { state, percent } = await on.look(one)
      seen.push([state, percent])
    }
    expect(seen).toEqual([
      ['running', 50],
      ['running', 100],
      ['completed', 100],
    ])
    await stage.settle()
    const { list } = await on.owner.ok(notices, 'listNotices', { query: {} })
    expect(list.map(row => row.title.en)).toEqual([expect.stringContaining('Green')])
    expect(
      (await on.historyOf(one)).map(row => [row.action, row.percent, row.version, row.by?.accountId ?? null]),
    ).toEqual([
      ['advance', 100, 5, null],
      ['advance', 100, 4, null],
      ['advance', 50, 3, null],
      ['start', 10, 2, on.owner.accountId],
    ])
  })

  it('makes one advance of an outage, and holds that step whole', async () => {
    const one = await on.act('start', await on.made({ steps: timed(1, 5, 10, 25, 50, 100) }))
    await turn(20 * hold)
    await sweep()
    const after = await on.look(one)
    expect([after.percent, isIn(after.dueAt, hold)]).toEqual([5, true])
    await turn(hold / 2)
    expect((await on.look(one)).percent).toBe(5)
  })

  it('is looked at by two servers and moves once', async () => {
    const one = await on.act('start', await on.made({ steps: timed(1, 5, 10, 25) }))
    const other = await stage.another()
    stage.clock.turn(hold)
    const servers = [stage.booted.server, other.server]
    await Promise.all([...servers, ...servers].map(sweepOn))
    await Promise.all([stage.booted.worker.sweep(), other.worker.sweep()])
    expect((await on.look(one)).percent).toBe(5)
    expect((await on.historyOf(one)).map(row => row.action)).toEqual(['advance', 'start'])
  })

  it('stands still in a pause, which keeps what is served, and goes on later by as long as that lasted', async () => {
    const started = await on.act('start', await on.made({ steps: timed(10, 50, 100) }))
    const some = ids.slice(0, 200)
    const before = await holders(some, 'green')
    await turn(hold / 2)
    const paused = await on.act('pause', started, { reason: 'looking' })
    await turn(20 * hold)
    expect([(await on.look(paused)).percent, await holders(some, 'green')]).toEqual([10, before])
    const resumed = await on.act('resume', paused)
    expect(isIn(resumed.dueAt, hold / 2)).toBe(true)
    await turn(hold / 2)
    expect((await on.look(resumed)).percent).toBe(50)
  })

  it('starts a rollout at its time', async () => {
    const waits = await on.act('start', await on.made(), { startAt: stage.clock.now() + hold })
    expect([waits.state, waits.percent, waits.allowedActions]).toEqual(['scheduled', 0, ['start', 'cancel']])
    await turn(hold)
    expect([(await on.look(waits)).state, (await on.look(waits)).percent]).toEqual(['running', 10])
  })

  it('cancels a rollout whose parameter went before its time, and the maker hears why', async () => {
    const waits = await on.act('start', await on.made(), { startAt: stage.clock.now() + hold })
    await on.publish({ parameters: {} })
    await turn(hold)
    const gone = await on.look(waits)
    expect([gone.state, gone.allowedActions]).toEqual(['cancelled', []])
    await stage.settle()
    const { list } = await on.owner.ok(notices, 'listNotices', { query: {} })
    expect(list.map(row => row.title.en)).toEqual(['The rollout could not start at its time and is cancelled: Green'])
    expect((await on.historyOf(gone)).map(row => [row.action, row.reason])).toEqual([
      ['cancel', 'There is no parameter button in force; publish it first, or name another one.'],
      ['start', ''],
    ])
  })

  it('waits where a step is to be approved, and says so', async () => {
    const steps = [
      { percent: 5, holdMs: null },
      { percent: 50, holdMs: hold },
    ]
    const waits = await on.act('start', await on.made({ steps }))
    await turn(20 * hold)
    const still = await on.look(waits)
    expect([still.percent, still.waitsForApproval, still.allowedActions]).toEqual([
      5,
      true,
      ['approve', 'pause', 'rollback', 'complete', 'cancel'],
    ])
    expect((await on.by(on.owner, 'advance', still)).status).toBe(422)
    const approved = await on.act('approve', still, { reason: 'numbers are fine' })
    expect([approved.percent, approved.waitsForApproval, approved.dueAt]).toEqual([50, false, null])
  })

  it('tells the maker when a step waits for approval', async () => {
    const steps = [...timed(5), { percent: 20, holdMs: null }, ...timed(100)]
    await on.act('start', await on.made({ steps }))
    await turn(hold)
    await stage.settle()
    const { list } = await on.owner.ok(notices, 'listNotices', { query: {} })
    expect(list.map(row => row.title.en)).toEqual(['The next step of the rollout waits for approval: Green'])
  })

  it('pauses a rollout that could not go on, and the maker hears why', async () => {
    const started = await on.act('start', await on.made({ steps: timed(10, 100) }))
    // What no call lets happen: the version in force is gone.
    await turn(hold)
    await stage.sql('CN', 'DELETE FROM rcs_versions WHERE project_id = $1', [on.projectId])
    await turn(hold)
    const halted = await on.look(started)
    expect(halted.state).toBe('paused')
    const [last] = await on.historyOf(halted)
    expect([last?.action, last?.by, last?.reason]).toEqual(['pause', null, expect.stringContaining('version')])
    await stage.settle()
    const { list } = await on.owner.ok(notices, 'listNotices', { query: {} })
    expect(list.map(row => row.title.en)).toEqual([expect.stringContaining('Green')])
  })
})

describe('a rollback', () => {
  it('gives everybody the old value at once, and a restart the new one to the same first ones', async () => {
    const started = await on.act('start', await on.made({ steps: timed(20, 100) }))
    const some = ids.slice(0, 300)
    const first = await holders(some, 'green')
    const back = await on.act('rollBack', await on.act('advance', started), { reason: 'crashes' })
    expect([back.state, back.percent, back.allowedActions]).toEqual(['rolledBack', 0, ['start', 'randomise']])
    expect(await holders(some, 'green')).toEqual(new Set())
    const [last] = await on.historyOf(back)
    expect([last?.action, last?.percent, last?.reason, last?.by?.accountId]).toEqual([
      ...['rollback', 0, 'crashes', on.owner.accountId],
    ])
    const again = await on.act('start', back)
    expect(await holders(some, 'green')).toEqual(first)
    const anew = await on.act('randomise', await on.act('rollBack', again))
    expect(anew.state).toBe('draft')
    await on.act('start', anew)
    expect(await holders(some, 'green')).not.toEqual(first)
  })

  it('and a cancel for good', async () => {
    const over = await on.act('cancel', await on.act('start', await on.made()))
    expect([over.state, over.percent, over.allowedActions]).toEqual(['cancelled', 0, []])
    expect((await holders(ids.slice(0, 100), 'green')).size).toBe(0)
  })
})
