import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { moveFor } from '../../../../kernel/life-cycle.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { notices } from '../../../ground/notices/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { apps } from '../../apps/contract.ts'
import type { PackageType } from '../../apps/rules.ts'
import { series } from '../contract.ts'
import { cutovers } from './contract.ts'
import { type CutoverAction, cutoverCycle, cutoverStates, shownAfter } from './rules.ts'

const minute = 60_000
const day = 1440 * minute
let stage: Stage
let owner: Person
let projectId: string
let one: { seriesId: string; harmony: string }
let made = 0
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  owner = await stage.person()
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Editions' } })).projectId
  const name = `Atlas ${++made}`
  const [android, harmony] = [await app(name, 'ANDROID'), await app(name, 'HARMONY')]
  const members = [
    { appId: android, role: 'MAIN' as const },
    { appId: harmony, role: 'SUB' as const },
  ]
  const { seriesId } = await owner.ok(series, 'createSeries', { body: { name, apps: members } })
  one = { seriesId, harmony }
  await shelve(harmony, ['CN', 'DE'])
})
afterAll(() => stage.close())

const app = async (name: string, packageType: PackageType) =>
  (
    await owner.ok(apps, 'createApp', {
      body: { projectId, name, packageType, defaultLang: 'enUS' as const, deviceTypes: [4] },
    })
  ).appId
const shelve = (appId: string, countries: string[]) =>
  stage.sql(
    'CN',
    `INSERT INTO versions (version_id, team_id, app_id, state, release_mode, countries, is_first, findings, created_by, created_at, updated_at)
      SELECT $1, team_id, app_id, 'ON_SHELF', 'AUTO', $3, true, '[]', $4, 0, 0 FROM apps WHERE app_id = $2`,
    [stage.booted.server.ids.next(), appId, countries, owner.accountId],
  )
const takeOff = (appId: string) => stage.sql('CN', `UPDATE versions SET state = 'OFF' WHERE app_id = $1`, [appId])
const now = () => stage.booted.server.clock.now()
const plan = (countries?: string[], startAt = now() + minute, who = owner) =>
  who.call(cutovers, 'planCutover', { body: { seriesId: one.seriesId, startAt, ...(countries && { countries }) } })
const planned = async (countries?: string[]) => (await plan(countries)).body
const shown = async () => {
  const { mode, singleIn, revision } = await owner.ok(series, 'queryDoubleSingle', { body: { seriesId: one.seriesId } })
  return { mode, singleIn, revision }
}
const history = async () =>
  (await owner.ok(cutovers, 'queryCutovers', { body: { seriesId: one.seriesId } })).list.map(each => [
    each.state,
    each.reason,
  ])
const later = async (ms: number) => {
  stage.clock.turn(ms)
  await stage.booted.worker.sweep()
  await stage.settle()
}

describe('what people see after a cutover', () => {
  it.each([
    ['both editions, everywhere', 'DOUBLE', [], [], 'SINGLE', []],
    ['both editions, in some countries', 'DOUBLE', [], ['DE', 'CN'], 'SINGLE', ['CN', 'DE']],
    ['one edition somewhere, elsewhere too', 'SINGLE', ['FR'], ['DE'], 'SINGLE', ['DE', 'FR']],
    ['one edition everywhere, which stays', 'SINGLE', [], ['DE'], 'SINGLE', []],
    ['one edition somewhere, then everywhere', 'SINGLE', ['FR'], [], 'SINGLE', []],
  ] as const)('%s', (_says, mode, singleIn, countries, after, where) => {
    expect(shownAfter({ mode, singleIn }, countries)).toEqual({ mode: after, singleIn: where })
  })

  it('is only reached by the moves of the table, in every state', () => {
    const actions: CutoverAction[] = ['start', 'cancel', 'drop']
    const can = (isSystem: boolean) =>
      cutoverStates.map(state =>
        actions.filter(action => moveFor(cutoverCycle, state, action, may => isSystem === (may === 'system'))),
      )
    expect([can(false), can(true)]).toEqual([
      [['cancel'], ['cancel'], []],
      [['start', 'drop'], ['drop'], []],
    ])
  })
})

describe('a cutover', () => {
  it('starts by the clock, once however long the process was away, and tells the team', async () => {
    const { state, allowedActions } = await planned(['DE'])
    expect([state, allowedActions]).toEqual(['PLANNED', ['cancel']])
    await later(minute - 1000)
    expect((await shown()).mode).toBe('DOUBLE')
    await later(10 * minute)
    const first = await shown()
    expect(first).toMatchObject({ mode: 'SINGLE', singleIn: ['DE'] })
    expect(await history()).toEqual([['ACTIVE', null]])
    await later(minute)
    expect(await shown()).toEqual(first)
    const { list } = await owner.ok(notices, 'listNotices', { query: {} })
    expect(list.filter(notice => notice.kind === 'cutover.started')).toHaveLength(1)
  })

  it('is canceled with what was shown before, planned or in force', async () => {
    const early = await planned()
    await owner.ok(cutovers, 'cancelCutover', { body: { cutoverId: early.cutoverId, revision: early.revision } })
    await later(2 * minute)
    expect((await shown()).mode).toBe('DOUBLE')
    const { cutoverId } = await planned(['CN', 'DE'])
    await later(2 * minute)
    expect((await shown()).singleIn).toEqual(['CN', 'DE'])
    const [active] = (await owner.ok(cutovers, 'queryCutovers', { body: { seriesId: one.seriesId } })).list
    await owner.ok(cutovers, 'cancelCutover', { body: { cutoverId, revision: active!.revision } })
    expect(await shown()).toMatchObject({ mode: 'DOUBLE', singleIn: [] })
    expect(await history()).toEqual([
      ['CANCELED', 'BY_TEAM'],
      ['CANCELED', 'BY_TEAM'],
    ])
    const again = await owner.call(cutovers, 'cancelCutover', {
      body: { cutoverId, revision: active!.revision + 1 },
    })
    expect([again.status, again.body.ret.code === 0]).toEqual([422, false])
  })

  it('does not start where no edition for HarmonyOS is on shelf by then, and says why', async () => {
    await planned(['CN'])
    await takeOff(one.harmony)
    await later(2 * minute)
    expect([(await shown()).mode, await history()]).toEqual(['DOUBLE', [['CANCELED', 'NO_HARMONY']]])
    const { list } = await owner.ok(notices, 'listNotices', { query: {} })
    expect(list[0]).toMatchObject({ kind: 'cutover.canceled' })
  })

  it('ends when the team shows every edition again, and with its series', async () => {
    await planned()
    await later(2 * minute)
    const { revision } = await shown()
    const body = { seriesId: one.seriesId, revision }
    await owner.ok(series, 'setDoubleSingle', { body: { ...body, mode: 'DOUBLE' } })
    expect(await history()).toEqual([['CANCELED', 'MODE_CHANGED']])
    const { cutoverId } = await planned()
    await owner.ok(series, 'deleteSeries', { body: { ...body, revision: (await shown()).revision } })
    const rows = await stage.sql<{ state: string; reason: string }>(
      'CN',
      'SELECT state, reason FROM app_series_cutovers WHERE cutover_id = $1',
      [cutoverId],
    )
    expect(rows[0]).toMatchObject({ state: 'CANCELED', reason: 'SERIES_ENDED' })
  })

  it('is refused in the past, too far ahead, twice, where no edition is on shelf, and to others', async () => {
    const codes = async (...tries: Promise<{ status: number; body: { ret: { code: number } } }>[]) =>
      (await Promise.all(tries)).map(({ status, body }) => [status, body.ret.code])
    expect(await codes(plan([], now()), plan([], now() + 400 * day), plan(['FR']))).toEqual([
      [422, 202110011],
      [422, 202110011],
      [422, 202110007],
    ])
    const both = await codes(plan(), plan())
    expect(both.map(([status]) => status).sort()).toEqual([200, 409])
    const stranger = await stage.person()
    expect((await plan([], now() + minute, stranger)).status).toBe(404)
    const [open] = (await owner.ok(cutovers, 'queryCutovers', { body: { seriesId: one.seriesId } })).list
    const body = { cutoverId: open!.cutoverId, revision: open!.revision }
    expect((await stranger.call(cutovers, 'cancelCutover', { body })).status).toBe(404)
    const stale = await owner.call(cutovers, 'cancelCutover', { body: { ...body, revision: body.revision + 1 } })
    expect(stale.status).toBe(409)
  })
})
