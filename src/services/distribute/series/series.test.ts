import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import type { PackageType } from '../apps/rules.ts'
import { scopedMember } from '../apps/scope.testkit.ts'
import { appTransfer } from '../apps/transfer/contract.ts'
import { series } from './contract.ts'
import { clashOf, phaseOf, uncovered } from './rules.ts'

let stage: Stage
let owner: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  projectId = await newProject(owner)
})
afterAll(() => stage.close())

let made = 0
const newProject = async (who: Person) =>
  (await who.ok(projects, 'createProject', { body: { name: `Project ${++made}` } })).projectId

async function app(name: string, packageType: PackageType, deviceTypes = [4], who = owner, inProject = projectId) {
  const body = { projectId: inProject, name, packageType, defaultLang: 'enUS' as const, deviceTypes }
  return (await who.ok(apps, 'createApp', { body })).appId
}

async function pair(name = `Atlas ${++made}`) {
  const [android, harmony] = [await app(name, 'ANDROID'), await app(name, 'HARMONY')]
  const members = [
    { appId: android, role: 'MAIN' as const },
    { appId: harmony, role: 'SUB' as const },
  ]
  const made_ = await owner.ok(series, 'createSeries', { body: { name, apps: members } })
  return { android, harmony, one: made_ }
}

const shelve = (appId: string, countries: string[], percentBp?: number) =>
  stage
    .sql(
      'CN',
      `INSERT INTO versions (version_id, team_id, app_id, state, release_mode, countries, is_first, findings, created_by, created_at, updated_at)
      SELECT $1, team_id, app_id, 'ON_SHELF', 'AUTO', $3, true, '[]', $4, 0, 0 FROM apps WHERE app_id = $2`,
      [stage.booted.server.ids.next(), appId, countries, owner.accountId],
    )
    .then(() => percentBp)

describe('editions', () => {
  it.each([
    ['of other packages go together', 'ANDROID', [4], 'HARMONY', [4], false],
    ['for other devices go together', 'ANDROID', [4], 'ANDROID', [8], false],
    ['for the same devices do not', 'ANDROID', [4, 5], 'ANDROID', [5], true],
  ])('%s', (_, type, devices, otherType, otherDevices, isClash) => {
    const members = [
      { appId: '1', packageType: type, deviceTypes: devices, role: 'MAIN' as const },
      { appId: '2', packageType: otherType, deviceTypes: otherDevices, role: 'SUB' as const },
    ]
    expect(clashOf(members) !== null).toBe(isClash)
  })

  it('are seen by the public, a share of it, testers or nobody', () => {
    const none = { isOnShelf: false, phasedBp: null, isTested: false }
    expect([
      phaseOf(none),
      phaseOf({ ...none, isTested: true }),
      phaseOf({ ...none, isOnShelf: true }),
      phaseOf({ isOnShelf: true, phasedBp: 500, isTested: true }),
    ]).toEqual(['NONE', 'CLOSED', 'PUBLIC', 'PHASED'])
    expect(uncovered(['CN', 'DE'], ['DE', 'FR'])).toEqual(['FR'])
  })
})

describe('a series', () => {
  it('is made of editions with one main one, grows, shrinks and ends', async () => {
    const { android, harmony, one } = await pair()
    expect(one.members.map(member => [member.appId, member.role, member.phase])).toEqual([
      [android, 'MAIN', 'NONE'],
      [harmony, 'SUB', 'NONE'],
    ])
    const watch = await app('Watch', 'ANDROID', [8])
    const more = await owner.ok(series, 'addToSeries', {
      body: { seriesId: one.seriesId, appId: watch, revision: one.revision },
    })
    expect(more.members).toHaveLength(3)
    const stale = await owner.call(series, 'removeFromSeries', {
      body: { seriesId: one.seriesId, appId: watch, revision: one.revision },
    })
    expect(stale.status).toBe(409)
    const main = await owner.call(series, 'removeFromSeries', {
      body: { seriesId: one.seriesId, appId: android, revision: more.revision },
    })
    expect([main.status, main.body.ret.code]).toEqual([422, 202110006])
    const less = await owner.ok(series, 'removeFromSeries', {
      body: { seriesId: one.seriesId, appId: watch, revision: more.revision },
    })
    expect(less.members).toHaveLength(2)
    const found = await owner.ok(series, 'querySeries', { body: { appId: harmony } })
    expect(found.list.map(each => each.seriesId)).toEqual([one.seriesId])
    await owner.ok(series, 'deleteSeries', { body: { seriesId: one.seriesId, revision: less.revision } })
    expect((await owner.ok(series, 'querySeries', { body: { appId: harmony } })).total).toBe(0)
    expect((await owner.ok(apps, 'getApp', { query: { appId: harmony } })).appId).toBe(harmony)
  })

  it('refuses two main ones, two editions for the same devices, one that stands elsewhere, and a name twice', async () => {
    const { one, android } = await pair()
    const [a, b, c] = [await app('One', 'ANDROID'), await app('Two', 'ANDROID'), await app('Three', 'HARMONY')]
    const make = (name: string, members: { appId: string; role: 'MAIN' | 'SUB' }[]) =>
      owner.call(series, 'createSeries', { body: { name, apps: members } })
    const of = (appId: string, role: 'MAIN' | 'SUB') => ({ appId, role })
    const tries: [number, Awaited<ReturnType<typeof make>>][] = [
      [202110003, await make('A', [of(a, 'MAIN'), of(c, 'MAIN')])],
      [202110003, await make('B', [of(a, 'SUB'), of(c, 'SUB')])],
      [202110005, await make('C', [of(a, 'MAIN'), of(b, 'SUB')])],
      [202110001, await make('D', [of(android, 'MAIN'), of(c, 'SUB')])],
      [202110002, await make(one.name.toUpperCase(), [of(a, 'MAIN'), of(c, 'SUB')])],
    ]
    expect(tries.map(([, reply]) => reply.body.ret.code)).toEqual(tries.map(([code]) => code))
  })

  it('keeps its apps from being deleted and from going to another team', async () => {
    const { harmony } = await pair()
    const gone = await owner.call(apps, 'deleteApp', { query: { appId: harmony } })
    expect([gone.status, gone.body.ret.code]).toEqual([422, 204144747])
    const check = await owner.ok(appTransfer, 'checkAppMove', { body: { appIds: [harmony] } })
    expect(check.list[0]?.blocks).toEqual(['IN_SERIES'])
  })

  it('of two who put one app into two series at once one does', async () => {
    const [a, b, c] = [await app('Race', 'ANDROID'), await app('Race', 'HARMONY'), await app('Race', 'WEB')]
    const replies = await Promise.all(
      [a, c].map((appId, at) =>
        owner.call(series, 'createSeries', {
          body: {
            name: `Race ${at}`,
            apps: [
              { appId, role: 'MAIN' },
              { appId: b, role: 'SUB' },
            ],
          },
        }),
      ),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409])
  })
})

describe('double and single', () => {
  it('only the edition for HarmonyOS is shown where that is on shelf, and nowhere else', async () => {
    const { android, harmony, one } = await pair()
    const set = (mode: 'DOUBLE' | 'SINGLE', singleIn: string[], revision: number) =>
      owner.call(series, 'setDoubleSingle', { body: { seriesId: one.seriesId, mode, singleIn, revision } })
    expect((await set('SINGLE', [], one.revision)).body.ret.code).toBe(202110007)
    await shelve(android, ['CN', 'DE'])
    await shelve(harmony, ['CN'])
    expect((await set('SINGLE', ['CN', 'DE'], one.revision)).body.ret.code).toBe(202110007)
    const single = await set('SINGLE', ['CN'], one.revision)
    expect(single.body).toMatchObject({ mode: 'SINGLE', singleIn: ['CN'], canBeSingle: true })
    const asked = await owner.ok(series, 'queryDoubleSingle', { body: { seriesId: one.seriesId } })
    expect(asked).toMatchObject({ mode: 'SINGLE', singleIn: ['CN'] })
    expect((await set('DOUBLE', [], asked.revision)).body).toMatchObject({ mode: 'DOUBLE', singleIn: [] })
    const phases = await owner.ok(series, 'queryPrivatePhase', { body: { appIds: [harmony] } })
    expect(phases.list).toEqual([{ appId: harmony, phase: 'PUBLIC', isPrivate: false, percent: null }])
  })

  it('an edition on shelf where the main one is not cannot be added', async () => {
    const { android, one } = await pair()
    const watch = await app('Watch far', 'ANDROID', [8])
    await shelve(android, ['CN'])
    await shelve(watch, ['FR'])
    const reply = await owner.call(series, 'addToSeries', {
      body: { seriesId: one.seriesId, appId: watch, revision: one.revision },
    })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 202110009])
  })
})

describe('candidates', () => {
  it('are apps of the same name, without those in a series; or what is searched', async () => {
    const name = `Compass ${++made}`
    const android = await app(name, 'ANDROID')
    const harmony = await app(` ${name.toUpperCase()} `, 'HARMONY')
    const other = await app(`Else ${made}`, 'HARMONY')
    const alike = await owner.ok(series, 'queryOptionalList', { body: { appId: android } })
    expect(alike.list.map(one => [one.appId, one.isAlike])).toEqual([[harmony, true]])
    const searched = await owner.ok(series, 'queryOptionalList', { body: { appId: android, search: `Else ${made}` } })
    expect(searched.list.map(one => [one.appId, one.isAlike])).toEqual([[other, false]])
    await pair(`${name} two`)
    expect((await owner.ok(series, 'queryOptionalList', { body: { search: `${name} two` } })).total).toBe(0)
  })
})

describe('attacks', () => {
  it('another team neither sees nor changes a series, nor puts foreign apps into its own', async () => {
    const { one, harmony } = await pair()
    const stranger = await stage.person()
    const own = await app('Own', 'ANDROID', [4], stranger, await newProject(stranger))
    const { seriesId, revision } = one
    const replies = await Promise.all([
      stranger.call(series, 'querySeries', { body: { seriesId } }),
      stranger.call(series, 'querySeries', { body: { appId: harmony } }),
      stranger.call(series, 'addToSeries', { body: { seriesId, appId: own, revision } }),
      stranger.call(series, 'removeFromSeries', { body: { seriesId, appId: harmony, revision } }),
      stranger.call(series, 'deleteSeries', { body: { seriesId, revision } }),
      stranger.call(series, 'queryDoubleSingle', { body: { seriesId } }),
      stranger.call(series, 'setDoubleSingle', { body: { seriesId, mode: 'DOUBLE', revision } }),
      stranger.call(series, 'queryPrivatePhase', { body: { appIds: [own, harmony] } }),
      stranger.call(series, 'queryOptionalList', { body: { appId: harmony } }),
      stranger.call(series, 'createSeries', {
        body: {
          name: 'Mixed',
          apps: [
            { appId: own, role: 'MAIN' },
            { appId: harmony, role: 'SUB' },
          ],
        },
      }),
    ])
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
    expect((await stranger.ok(series, 'querySeries', { body: {} })).total).toBe(0)
  })

  it('who reaches one app of a series sees that one alone, and does not change it', async () => {
    const { one, android } = await pair()
    const limited = await scopedMember(stage, owner, [android])
    const { list } = await limited.ok(series, 'querySeries', { body: { seriesId: one.seriesId } })
    expect(list[0]).toMatchObject({ canEdit: false, members: [{ appId: android }] })
    const body = { seriesId: one.seriesId, revision: one.revision }
    expect([403, 404]).toContain((await limited.call(series, 'deleteSeries', { body })).status)
  })
})
