import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { hasPython, readSheet } from '../../../testkit/sheet.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { versions } from '../versions/contract.ts'
import { apps } from './contract.ts'
import { appsDesk } from './desk/contract.ts'
import { appPlaces } from './places/contract.ts'
import { appOf, recordOpenVersion, recordShelf, settlePackageName } from './public.ts'

let stage: Stage
let owner: Person
let projectId: string
let count = 0
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person()
  projectId = await newProject(owner)
})
afterAll(() => stage.close())

const newProject = async (who: Person) =>
  (await who.ok(projects, 'createProject', { body: { name: `project ${++count} of ${who.loginName}` } })).projectId
const bodyOf = (fields: Record<string, unknown> = {}) => ({
  projectId,
  name: 'Notes',
  packageType: 'ANDROID' as const,
  defaultLang: 'enUS',
  deviceTypes: [4],
  ...fields,
})
const create = (fields: Record<string, unknown> = {}, who = owner) =>
  who.ok(apps, 'createApp', { body: bodyOf(fields) as never })
const freshName = () => `org.loggia.test.n${stage.clock.now()}x${++count}`
const system = () => systemContext(stage.booted.server, 'CN', { name: 'packages' })

describe('creating an app', () => {
  it('is one call, and the project counts it', async () => {
    const packageName = freshName()
    const app = await create({ packageName, kindMainTag: 10103, kindSubTags: [10104] })
    expect(app).toMatchObject({
      packageName,
      canChangePackageName: true,
      lifecycle: 'ACTIVE',
      parentType: 1,
      childType: 1,
      siteId: 1,
      isGame: false,
      developStatus: 'NOT_STARTED',
      allowedActions: ['edit', 'delete'],
      revision: 1,
    })
    expect((await owner.ok(versions, 'getVersion', { query: { appId: app.appId } })).open?.state).toBe('DRAFT')
    const [event] = await stage.sql<{ data: { projectId: string } }>(
      'CN',
      "SELECT data FROM outbox WHERE type = 'app.created' AND entity_id = $1",
      [app.appId],
    )
    expect(event?.data.projectId).toBe(projectId)
  })

  it('refuses what does not fit, each with its own reason', async () => {
    const code = async (fields: Record<string, unknown>) => {
      const reply = await owner.call(apps, 'createApp', { body: bodyOf(fields) as never })
      return [reply.status, reply.body.ret.code]
    }
    expect(await code({ packageName: 'nodots' })).toEqual([400, 202010003])
    expect(await code({ kindMainTag: 20101, isGame: false })).toEqual([422, 204144757])
    expect(await code({ kindMainTag: 101 })).toEqual([422, 204144757])
    expect(await code({ name: 'Fun 🎉' })).toEqual([400, 200000001])
    expect(await code({ defaultLang: 'xxXX' })).toEqual([400, 200000001])
    expect(await code({ deviceTypes: [] })).toEqual([400, 200000001])
    expect(await code({ projectId: '123456789' })).toEqual([404, 204160006])
    expect(await code({ projectId: await newProject(await stage.person()) })).toEqual([404, 204160006])
  })

  it('stays within the limit of the team, even when many are made at once', async () => {
    const crowd = await stage.person()
    const crowdProject = await newProject(crowd)
    await stage.sql(
      'CN',
      `INSERT INTO apps (app_id, team_id, project_id, package_type, default_lang, name, is_game, kind_sub_tags,
        device_types, contact, state, created_at, updated_at)
      SELECT 7000 + n, $1, $2, 'ANDROID', 'enUS', 'App ' || n, false, '{}', '{4}', '{}', 'ACTIVE', 1, 1
        FROM generate_series(1, 498) AS n`,
      [crowd.teamId, crowdProject],
    )
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => crowd.call(apps, 'createApp', { body: bodyOf({ projectId: crowdProject }) as never })),
    )
    expect(replies.map(one => one.status).sort()).toEqual([200, 200, 422, 422])
    expect(replies.find(one => one.status === 422)?.body.ret.code).toBe(202010007)
  })
})

describe('a package name', () => {
  it('belongs to one app in the store, in any case and over teams and zones', async () => {
    const packageName = freshName()
    const { appId } = await create({ packageName })
    const european = await stage.person({ zone: 'DE' })
    const europeanProject = await newProject(european)
    const reply = await european.call(apps, 'createApp', {
      body: bodyOf({
        projectId: europeanProject,
        packageName: packageName.toUpperCase().replace('ORG', 'org'),
      }) as never,
    })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 202010001])
    const check = (who: Person, fields = {}) =>
      who.ok(apps, 'checkPackageName', { body: { packageType: 'ANDROID', packageName, ...fields } })
    expect(await check(european)).toMatchObject({ available: false, reason: 'TAKEN' })
    expect(await check(owner, { appId })).toMatchObject({ available: true, reason: null })
    expect(await check(owner, { packageType: 'HARMONY' })).toMatchObject({ available: true })
    expect(await check(owner, { packageName: 'x' })).toMatchObject({ available: false, reason: 'INVALID' })
  })

  it('goes to exactly one of two teams that race for it', async () => {
    const packageName = freshName()
    const european = await stage.person({ zone: 'DE' })
    const europeanProject = await newProject(european)
    const replies = await Promise.all([
      owner.call(apps, 'createApp', { body: bodyOf({ packageName }) as never }),
      european.call(apps, 'createApp', { body: bodyOf({ projectId: europeanProject, packageName }) as never }),
    ])
    expect(replies.map(one => one.status).sort()).toEqual([200, 409])
  })

  it('can be changed once, and frees the one before', async () => {
    const [first, second, third] = [freshName(), freshName(), freshName()]
    const { appId, revision } = await create({ packageName: first })
    const change = (packageName: string, sent: number) =>
      owner.call(apps, 'updatePackageName', { body: { appId, packageName, revision: sent } })
    const changed = await change(second, revision)
    expect(changed.body).toMatchObject({ packageName: second, canChangePackageName: false })
    const again = await change(third, revision + 1)
    expect([again.status, again.body.ret.code]).toEqual([422, 202010005])
    expect((await create({ packageName: first })).packageName).toBe(first)
  })

  it('is fixed by the first accepted package', async () => {
    const packageName = freshName()
    const { appId, revision } = await create()
    await system().transact(ctx => settlePackageName(ctx, appId, packageName))
    const found = await owner.ok(apps, 'getPackageName', { query: { appId } })
    expect(found).toMatchObject({ packageName, canChangePackageName: false })
    const change = { appId, packageName: freshName(), revision }
    expect((await owner.call(apps, 'updatePackageName', { body: change })).body.ret.code).toBe(202010005)
    await expect(system().transact(ctx => settlePackageName(ctx, appId, 'org.other.name'))).rejects.toThrow('org.other')
    const other = await create()
    await expect(system().transact(ctx => settlePackageName(ctx, other.appId, packageName))).rejects.toThrow('belongs')
    await system().transact(ctx => settlePackageName(ctx, appId, packageName))
  })

  it('of a deleted app is reserved for its team for 30 days', async () => {
    const packageName = freshName()
    const { appId } = await create({ packageName })
    await owner.ok(apps, 'deleteApp', { query: { appId } })
    const stranger = await stage.person()
    const strangerProject = await newProject(stranger)
    const take = (who: Person, project: string) =>
      who.call(apps, 'createApp', { body: bodyOf({ projectId: project, packageName }) as never })
    const reserved = await take(stranger, strangerProject)
    expect([reserved.status, reserved.body.ret.code]).toEqual([409, 202010002])
    const check = { packageType: 'ANDROID' as const, packageName }
    const answer = await stranger.ok(apps, 'checkPackageName', { body: check })
    expect(answer).toMatchObject({ reason: 'RESERVED', reservedUntil: reserved.body['reservedUntil'] })
    const mine = await take(owner, projectId)
    expect(mine.status).toBe(200)
    await owner.ok(apps, 'deleteApp', { query: { appId: mine.body.appId } })
    await stage.settle()
    stage.clock.turn(30 * 86_400_000 + 1000)
    await stage.booted.worker.sweep()
    await stage.settle()
    const later = await stage.person({ team: stranger.teamId, roles: ['leader'] })
    expect((await take(later, strangerProject)).status).toBe(200)
    expect(await stage.sql('CN', 'SELECT 1 FROM apps WHERE app_id = $1', [appId])).toEqual([])
    expect(await stage.sql('CN', 'SELECT 1 FROM versions WHERE app_id = $1', [appId])).toEqual([])
    owner = await stage.person({ team: owner.teamId, roles: ['leader'] })
  })
})

describe('deleting an app', () => {
  it('is refused when it was on shelf or a version is with the store', async () => {
    const { appId } = await create()
    const remove = () => owner.call(apps, 'deleteApp', { query: { appId } })
    await system().transact(ctx => recordOpenVersion(ctx, appId, { versionId: '5', state: 'IN_REVIEW' }))
    const busy = await remove()
    expect([busy.status, busy.body.ret.code, busy.body['reason']]).toEqual([
      422,
      204144747,
      'a version is with the store; withdraw it first',
    ])
    await system().transact(async ctx => {
      await recordOpenVersion(ctx, appId, null)
      const shelf = { versionId: '5', pkgId: null, versionCode: '1', versionName: '1', signers: [], at: 1 }
      await recordShelf(ctx, appId, shelf)
      await recordShelf(ctx, appId, null)
    })
    expect((await remove()).body['reason']).toContain('was on shelf')
    expect(await system().transact(ctx => appOf(ctx, appId))).toMatchObject({
      shelf: null,
      lastShelf: { versionId: '5' },
    })
  })

  it('takes it out of every list at once', async () => {
    const { appId } = await create({ name: 'Gone soon' })
    await owner.ok(apps, 'deleteApp', { query: { appId } })
    expect((await owner.call(apps, 'getApp', { query: { appId } })).status).toBe(404)
    expect((await owner.ok(apps, 'listApps', { query: { search: 'Gone soon' } })).total).toBe(0)
    expect((await owner.call(versions, 'getVersion', { query: { appId } })).status).toBe(404)
  })

  it('is for administrators', async () => {
    const developer = await stage.person({ team: owner.teamId, roles: ['developer'] })
    const { appId } = await create()
    expect((await developer.call(apps, 'deleteApp', { query: { appId } })).status).toBe(403)
    expect((await developer.ok(apps, 'getApp', { query: { appId } })).allowedActions).toEqual(['edit'])
  })
})

describe('changing an app', () => {
  it('needs the current revision', async () => {
    const { appId, revision } = await create()
    const body = { appId, kindMainTag: 10102, contact: { email: 'dev@example.com' }, revision }
    expect(await owner.ok(apps, 'updateApp', { body })).toMatchObject({ kindMainTag: 10102, revision: revision + 1 })
    const stale = await owner.call(apps, 'updateApp', { body })
    expect([stale.status, stale.body['revision']]).toEqual([409, revision + 1])
  })

  it('is refused while it is frozen, and the reason is told', async () => {
    const operator = await stage.person({ staff: ['storeOperator'] })
    const { appId } = await create()
    const reason = 'A complaint is looked into.'
    expect((await owner.call(appsDesk, 'freezeApp', { body: { appId, reason } })).status).toBe(403)
    await operator.ok(appsDesk, 'freezeApp', { body: { appId, reason } })
    const app = await owner.ok(apps, 'getApp', { query: { appId } })
    expect(app).toMatchObject({ lifecycle: 'FROZEN', frozenReason: reason, allowedActions: [] })
    const reply = await owner.call(apps, 'updateApp', { body: { appId, encrypted: true, revision: app.revision } })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 204160001])
    const [row] = await stage.sql<{ team_id: string }>(
      'CN',
      "SELECT team_id FROM outbox WHERE type = 'app.frozen' AND entity_id = $1",
      [appId],
    )
    expect(row?.team_id).toBe(owner.teamId)
    expect((await operator.ok(appsDesk, 'unfreezeApp', { body: { appId } })).lifecycle).toBe('ACTIVE')
  })
})

describe('lists', () => {
  it('search, filter, sort and page', async () => {
    const lister = await stage.person()
    const [one, two] = [await newProject(lister), await newProject(lister)]
    const made: string[] = []
    for (const [name, project, type] of [
      ['Beta', one, 'ANDROID'],
      ['alpha 100%', one, 'HARMONY'],
      ['Gamma', two, 'ANDROID'],
    ] as const) {
      made.push((await create({ name, projectId: project, packageType: type }, lister)).appId)
    }
    const shelf = { versionId: '5', pkgId: null, versionCode: '1', versionName: '1', signers: [], at: 1 }
    await system().transact(ctx => recordShelf(ctx, made[2]!, shelf))
    const list = async (query: object) => (await lister.ok(apps, 'listApps', { query })).list.map(app => app.name)
    expect(await list({ sort: 'name' })).toEqual(['alpha 100%', 'Beta', 'Gamma'])
    expect(await list({ sort: 'created', order: 'asc' })).toEqual(['Beta', 'alpha 100%', 'Gamma'])
    expect(await list({ search: 'A' })).toHaveLength(3)
    expect(await list({ search: '0%' })).toEqual(['alpha 100%'])
    expect(await list({ search: '%' })).toEqual(['alpha 100%'])
    expect(await list({ search: made[0] })).toEqual(['Beta'])
    expect(await list({ packageType: 'HARMONY' })).toEqual(['alpha 100%'])
    expect(await list({ projectId: two })).toEqual(['Gamma'])
    expect(await list({ shelfState: 'ON_SHELF' })).toEqual(['Gamma'])
    expect(await list({ shelfState: 'NEVER', sort: 'created' })).toEqual(['alpha 100%', 'Beta'])
    for (const sort of ['name', 'created', 'updated'] as const) {
      const seen: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await lister.ok(apps, 'listApps', { query: { sort, pageSize: 1, ...(cursor ? { cursor } : {}) } })
        expect(page.total).toBe(3)
        seen.push(...page.list.map(app => app.appId))
        cursor = page.nextCursor
      }
      expect([sort, [...seen].sort()]).toEqual([sort, [...made].sort()])
    }
    const byProject = await lister.ok(apps, 'listAppsByProject', { query: { projectId: one } })
    expect(byProject.list.map(app => app.name)).toEqual(['alpha 100%', 'Beta'])
    expect((await lister.ok(apps, 'listKinds', {})).list.length).toBeGreaterThan(80)
  })
})

describe('another team', () => {
  it('finds nothing under the id', async () => {
    const { appId, revision } = await create({ packageName: freshName() })
    const stranger = await stage.person()
    const replies = await Promise.all([
      stranger.call(apps, 'getApp', { query: { appId } }),
      stranger.call(apps, 'updateApp', { body: { appId, revision } }),
      stranger.call(apps, 'deleteApp', { query: { appId } }),
      stranger.call(apps, 'getPackageName', { query: { appId } }),
      stranger.call(apps, 'updatePackageName', { body: { appId, packageName: freshName(), revision } }),
      stranger.call(appPlaces, 'getDevelopStatus', { query: { appId } }),
      stranger.call(apps, 'listAppsByProject', { query: { projectId } }),
      stranger.call(apps, 'checkPackageName', { body: { packageType: 'ANDROID', packageName: 'a.b', appId } }),
    ])
    expect(replies.map(one => one.status)).toEqual(replies.map(() => 404))
    expect(await stranger.ok(apps, 'checkAppId', { body: { appId } })).toMatchObject({ isValid: false, name: null })
    expect(await owner.ok(apps, 'checkAppId', { body: { appId } })).toMatchObject({ isValid: true })
    expect(await owner.ok(apps, 'checkAppId', { body: { appId: 'x' } })).toMatchObject({ isValid: false })
  })
})

describe.skipIf(!hasPython)('an export of apps', () => {
  it.each(['csv', 'xlsx'] as const)(
    'is the list as another program reads it, with no formula in it: %s',
    async format => {
      const own = await stage.person()
      const mine = await newProject(own)
      const name = '=1+1'
      await create({ projectId: mine, name, packageName: freshName(), kindMainTag: 10103 }, own)
      await create({ projectId: mine, name: '手电筒', packageType: 'NO_PACKAGE' }, own)
      const reply = await own.call(apps, 'exportApps', { query: { format, language: 'en', sort: 'name' } })
      const [head, ...rows] = readSheet(format, reply.bytes)
      expect(head?.[1]).toBe('Name')
      expect(rows.map(row => row[1])).toEqual([format === 'csv' ? `\t${name}` : `"\t${name}"`, '手电筒'])
      expect(rows.map(row => row[3])).toEqual(['Android', 'Without package'])
      expect(JSON.stringify(rows[0])).toContain('Not published yet')
      const foreign = await own.call(apps, 'exportApps', { query: { format, projectId } })
      expect(foreign.status).toBe(404)
    },
  )
})
