import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handoversOf } from '../../../../server/handover.ts'
import type { Person } from '../../../../testkit/stage.ts'
import { files } from '../../../ground/files/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { qualification } from '../../qualification/contract.ts'
import { qualificationDesk } from '../../qualification/desk/contract.ts'
import { signing } from '../../signing/contract.ts'
import { versions } from '../../versions/contract.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { current, fillDraft, newApp, png, upload } from '../../versions/versions.testkit.ts'
import { apps } from '../contract.ts'
import { recordOpenVersion } from '../public.ts'
import { appTransfer } from './contract.ts'
import { type Moves, openMoves } from './transfer.testkit.ts'

const day = 86_400_000
let m: Moves
beforeAll(async () => {
  m = await openMoves()
})
afterAll(() => m.stage.close())

describe('what keeps apps from going', () => {
  it('is said for each app, with the project where one is named', async () => {
    const free = await newApp(m.owner)
    const busy = await newApp(m.owner)
    await m.scene.system().transact(ctx => recordOpenVersion(ctx, busy.appId, { versionId: '5', state: 'IN_REVIEW' }))
    const target = await m.newProject(m.owner)
    const check = (toProjectId: string | undefined, appIds: string[]) =>
      m.owner.call(appTransfer, 'checkAppMove', { body: { appIds, ...(toProjectId && { toProjectId }) } })
    const both = await check(target, [free.appId, busy.appId])
    expect(both.body).toMatchObject({ canMove: false, list: [{ blocks: [] }, { blocks: ['SUBMITTED'] }] })
    expect((await check(undefined, [free.appId])).body.canMove).toBe(true)
    expect((await check(free.projectId, [free.appId])).body.list[0]?.blocks).toEqual(['SAME_PROJECT'])
    expect((await check(await m.newProject(m.taker), [free.appId])).body.list[0]?.blocks).toEqual(['NO_SUCH_PROJECT'])
    expect((await check(target, ['123456789'])).status).toBe(404)
    const held = await m.hold([busy.appId])
    expect([held.status, held.body.ret.code]).toEqual([422, 202010012])
  })

  it('is looked at again when the apps go: then all stay, with the reason', async () => {
    const { appId } = await newApp(m.owner)
    const { body } = await m.hold([appId])
    await m.stage.sql('CN', `UPDATE apps SET state = 'FROZEN', frozen_reason = 'looked at' WHERE app_id = $1`, [appId])
    const reply = await m.accept(body.moveId, body.revision, await m.newProject(m.taker))
    expect(reply.body.state).toBe('EXECUTING')
    await m.stage.settle()
    const failed = await m.read(body.moveId)
    expect([failed.state, failed.blocks[0]?.blocks]).toEqual(['FAILED', ['FROZEN']])
    await m.stage.sql('CN', `UPDATE apps SET state = 'ACTIVE', frozen_reason = NULL WHERE app_id = $1`, [appId])
    expect((await m.owner.ok(apps, 'getApp', { query: { appId } })).appId).toBe(appId)
  })
})

describe('an app that goes to another team', () => {
  it('is theirs with all it has, and nothing of it can be m.read by the old team', async () => {
    const { appId } = await newApp(m.owner)
    await m.scene.onShelf(appId)
    const { versionId } = await fillDraft(m.stage, m.owner, appId, 20)
    const draft = await current(m.owner, versionId)
    const { list: listings } = await m.owner.ok(versionListings, 'listListings', { query: { versionId } })
    const icon = listings[0]?.icon?.objectId ?? ''
    const counted = await rowsOf(appId)
    const toProjectId = await m.newProject(m.taker)
    const done = await m.handedOver([appId], toProjectId)
    expect([done.state, done.side, done.toProjectId]).toEqual(['DONE', 'TO', toProjectId])

    const app = await m.taker.ok(apps, 'getApp', { query: { appId } })
    expect([app.projectId, app.shelf?.versionCode]).toEqual([toProjectId, '10'])
    expect((await current(m.taker, versionId)).pkgId).toBe(draft.pkgId)
    const address = (who: Person) => who.call(files, 'makeDownloadAddress', { body: { objectId: icon } })
    expect([(await address(m.taker)).status, (await address(m.owner)).status]).toEqual([200, 404])
    for (const reply of [
      await m.owner.call(apps, 'getApp', { query: { appId } }),
      await m.owner.call(versions, 'getVersion', { query: { appId } }),
      await m.owner.call(versionListings, 'listListings', { query: { versionId } }),
      await m.owner.call(signing, 'getSigningKey', { query: { appId } }),
      await m.owner.call(qualification, 'listTasks', { query: { appId } }),
      await m.owner.call(appTransfer, 'checkAppMove', { body: { appIds: [appId] } }),
    ])
      expect(reply.status).toBe(404)
    expect(await rowsOf(appId)).toEqual({ old: 0, of: counted.of })
    const [name] = await m.stage.sql('home', 'SELECT team_id FROM store_records WHERE app_id = $1', [appId])
    if (name) expect(String(name['team_id'])).toBe(m.taker.teamId)
    const icons = await m.stage.sql<{ team_id: string }>(
      'CN',
      'SELECT team_id FROM file_objects WHERE object_id = $1',
      [icon],
    )
    expect(icons.map(row => row.team_id)).toEqual([m.taker.teamId])
    const moved = await m.taker.ok(versions, 'submitVersion', { query: { dryRun: '1' }, body: { versionId } })
    expect(moved.readiness.filter(one => one.severity === 'BLOCK')).toEqual([])
  })

  /** Every row of the app in tables of the zone that know app and team: how many, and how many are still the old team's. */
  async function rowsOf(appId: string) {
    const tables = await m.stage.sql<{ table_name: string }>(
      'CN',
      `SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'app_id'
        INTERSECT SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'team_id'`,
    )
    const sum = { old: 0, of: 0 }
    for (const { table_name: table } of tables) {
      if (table === 'file_objects') continue
      const [row] = await m.stage.sql<{ all: number; old: number }>(
        'CN',
        `SELECT count(*)::int AS all, count(*) FILTER (WHERE team_id = $2)::int AS old FROM ${table} WHERE app_id = $1`,
        [appId, m.owner.teamId],
      )
      sum.of += row?.all ?? 0
      sum.old += row?.old ?? 0
    }
    return sum
  }

  it('every table that knows a team either goes along or is named as staying, with the reason', async () => {
    const handovers = handoversOf(m.stage.booted.server)
    const stays = new Set(handovers.flatMap(one => Object.keys(one.stays ?? {})))
    for (const [database, going] of [
      ['CN', handovers.flatMap(one => one.rows ?? [])],
      ['home', handovers.flatMap(one => one.homeRows ?? [])],
    ] as const) {
      const tables = await m.stage.sql<{ table_name: string }>(
        database,
        `SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'team_id'`,
      )
      const unnamed = tables
        .map(row => row.table_name)
        .filter(table => !stays.has(table) && !going.some(rows => rows.table === table))
        .filter(table => !ofNoApp.has(table))
      expect(unnamed.sort()).toEqual([])
    }
  })

  it('its key is the same under a fresh seal', async () => {
    const { appId } = await newApp(m.owner)
    const made = await m.owner.ok(signing, 'putSigningKey', {
      body: { appId, action: 'GENERATE', algorithm: 'EC_P256' },
    })
    const sealed = async () => {
      const text = 'SELECT sealed_key, team_id FROM app_signing_keys WHERE app_id = $1'
      return (await m.stage.sql<{ sealed_key: string; team_id: string }>('CN', text, [appId]))[0]!
    }
    const before = await sealed()
    await m.handedOver([appId])
    const after = await sealed()
    expect(after.team_id).toBe(m.taker.teamId)
    expect(after.sealed_key).not.toBe(before.sealed_key)
    const key = await m.taker.ok(signing, 'getSigningKey', { query: { appId } })
    expect(key.appKey?.certificate.certSha256).toBe(made.appKey?.certificate.certSha256)
    const { masterKey } = m.stage.booted.server
    const [one, other] = [before, after].map(row => masterKey.open('packages.appKey', appId, row.sealed_key))
    expect(one).toBe(other)
  })

  it('papers of the old company stay behind, and what was approved counts no more', async () => {
    const { appId, revision } = await newApp(m.owner)
    await m.owner.ok(apps, 'updateApp', { body: { appId, kindMainTag: 10602, revision } })
    const scan = await upload(m.stage, m.owner, png(30, 30), 'licence.png', 'app_qual')
    const now = m.stage.clock.now()
    const info = { qualificationCode: 'PAYMENT_LICENCE', files: [{ objectId: scan }], validityType: 0 }
    const tags = [{ tagId: 10602, qualificationInfos: [{ ...info, startTime: now - day, expireTime: now + 99 * day }] }]
    const { list } = await m.owner.ok(qualification, 'createTasks', { body: { appId, tags, submit: true } })
    const { taskId, revision: sent } = list[0]!
    const waits = await m.hold([appId])
    expect(waits.body.ret.code).toBe(202010012)
    const reviewer = await m.stage.person({ staff: ['reviewer'] })
    await reviewer.ok(qualificationDesk, 'decideDeskTask', { body: { taskId, verdict: 'pass', revision: sent } })
    await m.handedOver([appId])
    const task = await m.taker.ok(qualification, 'getTask', { query: { taskId } })
    expect([task.state, task.qualificationInfos]).toEqual(['VOID', []])
    expect(task.graceUntil).not.toBeNull()
    const [file] = await m.stage.sql('CN', 'SELECT team_id, app_id FROM file_objects WHERE object_id = $1', [scan])
    expect(file).toEqual({ team_id: m.owner.teamId, app_id: null })
  })

  it('a picture that another app shows too is copied, and each team has its own', async () => {
    const [going, staying] = [await newApp(m.owner), await newApp(m.owner)]
    const icon = await upload(m.stage, m.owner, png(216, 216), 'shared.png', 'app_img')
    for (const { appId } of [going, staying]) {
      const { versionId, revision } = await m.owner.ok(versions, 'createVersion', { body: { appId } })
      await m.owner.ok(versionListings, 'updateListing', {
        body: { versionId, lang: 'enUS', iconObjectId: icon, revision },
      })
    }
    await m.handedOver([going.appId])
    const iconOf = async (who: Person, appId: string) => {
      const { version } = await who.ok(versions, 'getVersion', { query: { appId } })
      const { list: listings } = await who.ok(versionListings, 'listListings', {
        query: { versionId: version!.versionId },
      })
      return listings[0]?.icon?.objectId ?? ''
    }
    const [theirs, ours] = [await iconOf(m.taker, going.appId), await iconOf(m.owner, staying.appId)]
    expect(ours).toBe(icon)
    expect(theirs).not.toBe(icon)
    const rows = await m.stage.sql(
      'CN',
      'SELECT team_id, state, ref_count FROM file_objects WHERE object_id = ANY($1) ORDER BY created_at',
      [[icon, theirs]],
    )
    expect(rows).toEqual([
      { team_id: m.owner.teamId, state: 'NORMAL', ref_count: expect.any(Number) },
      { team_id: m.taker.teamId, state: 'NORMAL', ref_count: expect.any(Number) },
    ])
    expect(rows.every(row => Number(row['ref_count']) > 0)).toBe(true)
  })

  it('members who reached that app alone reach nothing of it any more', async () => {
    const { appId } = await newApp(m.owner)
    const { appId: other } = await newApp(m.owner)
    const member = await m.stage.person({ team: m.owner.teamId, roles: ['developer'] })
    await m.stage.sql('home', `UPDATE members SET scope = $2 WHERE account_id = $1`, [
      member.accountId,
      JSON.stringify({ projects: [], apps: [appId, other] }),
    ])
    await m.handedOver([appId])
    const [row] = await m.stage.sql('home', 'SELECT scope FROM members WHERE account_id = $1', [member.accountId])
    expect(row?.['scope']).toEqual({ projects: [], apps: [other] })
    expect((await member.call(apps, 'getApp', { query: { appId } })).status).toBe(404)
  })
})

/** Of the frame, of accounts, of people in the console, of the catalogue: nothing in them belongs to an app. */
const ofNoApp = new Set([
  ...['outbox', 'event_receipts', 'audit', 'jobs', 'usage', 'idempotency'],
  ...['collect_events', 'collect_names', 'clue_behaviors', 'support_contacts', 'support_applications'],
  ...[
    'config_usage',
    'user_groups',
    'user_group_teams',
    'tag_sets',
    'menu_service_usage',
    'developer_agreements',
    'agreement_team_signs',
    'menu_favorites',
  ],
])

describe('within a team', () => {
  it('apps go to another project at once, and its number of apps with them', async () => {
    const { appId, projectId } = await newApp(m.owner)
    const toProjectId = await m.newProject(m.owner)
    const body = { appIds: [appId], toProjectId }
    expect((await m.owner.ok(appTransfer, 'moveToProject', { body })).side).toBe('BOTH')
    await m.stage.settle()
    expect((await m.owner.ok(apps, 'getApp', { query: { appId } })).projectId).toBe(toProjectId)
    const count = async (id: string) => m.owner.ok(projects, 'getProject', { query: { projectId: id } })
    expect([(await count(projectId)).appCount, (await count(toProjectId)).appCount]).toEqual([0, 1])
    const again = await m.owner.call(appTransfer, 'moveToProject', { body })
    expect([again.status, again.body.ret.code]).toEqual([422, 202010012])
    const foreign = await m.owner.call(appTransfer, 'moveToProject', {
      body: { appIds: [appId], toProjectId: await m.newProject(m.taker) },
    })
    expect(foreign.status).toBe(404)
  })
})
