import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { apps } from '../apps/contract.ts'
import { versions } from './contract.ts'
import { versionHistory } from './history/contract.ts'
import { versionListings } from './listing/contract.ts'
import { versionShelf } from './shelf/contract.ts'
import { current, fillDraft, newApp, png, putPackage, submitted, upload } from './versions.testkit.ts'

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
})
afterAll(() => stage.close())

const get = (appId: string, who = owner) => who.ok(versions, 'getVersion', { query: { appId } })
const firstDraft = async (appId: string) => (await get(appId)).version!

describe('the version being prepared', () => {
  it('is there as soon as the app is, with the name of the app', async () => {
    const app = await newApp(owner)
    const found = await get(app.appId)
    expect(found).toMatchObject({ releaseState: 7, open: { state: 'DRAFT', releaseState: 7 }, onShelf: null })
    expect(found.languages).toEqual(['enUS'])
    expect(found.version?.allowedActions).toEqual(['edit', 'delete', 'submit'])
    expect((await get(app.appId)).version?.versionId).toBe(found.version?.versionId)
    const { openVersionId, openVersionState } = await owner.ok(apps, 'getApp', { query: { appId: app.appId } })
    expect([openVersionId, openVersionState]).toEqual([found.version?.versionId, 'DRAFT'])
  })

  it('is made once when ten people look at the same time', async () => {
    const { appId } = await newApp(owner)
    const found = await Promise.all(Array.from({ length: 10 }, () => get(appId)))
    expect(new Set(found.map(one => one.version?.versionId)).size).toBe(1)
  })

  it('cannot be opened twice', async () => {
    const { appId } = await newApp(owner)
    const draft = await firstDraft(appId)
    const reply = await owner.call(versions, 'createVersion', { body: { appId } })
    expect([reply.status, reply.body.ret.code, reply.body['versionId']]).toEqual([409, 202030001, draft.versionId])
  })

  it('can be deleted, and a new one takes its place', async () => {
    const { appId } = await newApp(owner)
    const draft = await firstDraft(appId)
    await owner.ok(versions, 'deleteVersion', { query: { versionId: draft.versionId } })
    const again = await firstDraft(appId)
    expect(again.versionId).not.toBe(draft.versionId)
  })

  it('refuses a stale revision with 409, from the body and from If-Match', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const body = { versionId, privacyPolicyUrl: 'https://example.com/p', revision }
    expect((await owner.ok(versions, 'updateVersion', { body })).revision).toBe(revision + 1)
    const stale = await owner.call(versions, 'updateVersion', { body })
    expect([stale.status, stale.body.ret.code, stale.body['revision']]).toEqual([409, 204160002, revision + 1])
    const headers = { 'if-match': String(revision) }
    expect((await owner.call(versions, 'deleteVersion', { query: { versionId }, headers })).status).toBe(409)
  })

  it('keeps a test password that no answer shows', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const body = { versionId, loginRequired: true, testAccount: 'tester', testPassword: 'open sesame', revision }
    const reply = await owner.call(versions, 'updateVersion', { body })
    expect(reply.body).toMatchObject({ hasTestPassword: true, testAccount: 'tester' })
    expect(reply.text).not.toContain('sesame')
    const [row] = await stage.sql<{ sealed: string }>(
      'CN',
      'SELECT test_password_sealed AS sealed FROM versions WHERE version_id = $1',
      [versionId],
    )
    expect(row?.sealed).not.toContain('sesame')
  })

  it('takes packages of its own app for formal use only, and countries that exist', async () => {
    const [app, other] = [await newApp(owner), await newApp(owner)]
    const { versionId, revision } = await firstDraft(app.appId)
    const foreign = await putPackage(stage, owner, { appId: other.appId, versionCode: 1 })
    const testOnly = await putPackage(stage, owner, { appId: app.appId, versionCode: 1, usage: 'TEST_ONLY' })
    const update = (fields: object) =>
      owner.call(versions, 'updateVersion', { body: { versionId, revision, ...fields } })
    expect((await update({ pkgId: foreign })).body.ret.code).toBe(202030009)
    expect((await update({ pkgId: testOnly })).body.ret.code).toBe(202030010)
    expect((await update({ pkgId: '123456789' })).status).toBe(404)
    const wrong = await update({ countries: ['DE', 'XX'] })
    expect([wrong.status, wrong.body.fields?.[0]?.pointer]).toEqual([400, '/countries/1'])
  })

  it('holds its package until it lets it go', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const [one, two] = [
      await putPackage(stage, owner, { appId, versionCode: 1 }),
      await putPackage(stage, owner, { appId, versionCode: 2 }),
    ]
    const held = async () => {
      const rows = await stage.sql<{ pkg_id: string }>(
        'CN',
        'SELECT pkg_id FROM packages WHERE app_id = $1 AND hold_count = 1',
        [appId],
      )
      return rows.map(row => row.pkg_id)
    }
    const first = await owner.ok(versions, 'updateVersion', { body: { versionId, pkgId: one, revision } })
    expect(await held()).toEqual([one])
    expect([first.versionCode, first.versionName]).toEqual(['1', '1.1'])
    await owner.ok(versions, 'updateVersion', { body: { versionId, pkgId: two, revision: first.revision } })
    expect(await held()).toEqual([two])
    await owner.ok(versions, 'deleteVersion', { query: { versionId } })
    expect(await held()).toEqual([])
  })
})

describe('a listing', () => {
  const save = (versionId: string, revision: number, fields: object, who = owner) =>
    who.call(versionListings, 'updateListing', { body: { versionId, revision, lang: 'enUS', ...fields } })

  it('gives the app its name and icon while nothing was on shelf', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const icon = await upload(stage, owner, png(216, 216), 'icon.png', 'app_img')
    expect((await save(versionId, revision, { appName: 'Renamed', iconObjectId: icon })).status).toBe(200)
    const app = await owner.ok(apps, 'getApp', { query: { appId } })
    expect([app.name, app.iconObjectId]).toEqual(['Renamed', icon])
    const [file] = await stage.sql<{ state: string; ref_count: number }>(
      'CN',
      'SELECT state, ref_count FROM file_objects WHERE object_id = $1',
      [icon],
    )
    expect(file).toEqual({ state: 'NORMAL', ref_count: 1 })
  })

  it('refuses images that do not fit, with what is expected and what is there', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const wrong = await upload(stage, owner, png(512, 512), 'icon.png', 'app_img')
    const reply = await save(versionId, revision, { iconObjectId: wrong })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 204144754])
    expect(reply.body).toMatchObject({ expected: '216x216 or 1024x1024', actual: '512x512', objectId: wrong })
    const shots = { screenshots: [{ deviceType: 4, showType: 0, objectIds: [wrong] }] }
    expect((await save(versionId, revision, shots)).body['expected']).toBe('720x1280 or 1280x720')
  })

  it('refuses empty names, emoji and languages nobody knows, and keeps the default language', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    expect((await save(versionId, revision, { appName: '  ' })).body.ret.code).toBe(204144652)
    expect((await save(versionId, revision, { appName: 'Fun 🎉' })).body.ret.code).toBe(202030002)
    expect((await save(versionId, revision, { lang: 'xxXX' })).body.ret.code).toBe(204144650)
    expect((await save(versionId, revision, { appName: 'x'.repeat(65) })).status).toBe(400)
    const gone = await owner.call(versionListings, 'deleteListing', { query: { versionId, lang: 'enUS' } })
    expect(gone.body.ret.code).toBe(204144651)
  })

  it('gains and loses a language, and lets go of its images', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const icon = await upload(stage, owner, png(216, 216), 'icon.png', 'app_img')
    const reply = await save(versionId, revision, { lang: 'deDE', appName: 'Notizen', iconObjectId: icon })
    expect(reply.body.listing).toMatchObject({ lang: 'deDE', isDefault: false })
    expect((await get(appId)).languages).toEqual(['deDE', 'enUS'])
    await owner.ok(versionListings, 'deleteListing', { query: { versionId, lang: 'deDE' } })
    const { list } = await owner.ok(versionListings, 'listListings', { query: { versionId } })
    expect(list.map(one => one.lang)).toEqual(['enUS'])
    const [file] = await stage.sql<{ ref_count: number }>(
      'CN',
      'SELECT ref_count FROM file_objects WHERE object_id = $1',
      [icon],
    )
    expect(file?.ref_count).toBe(0)
  })
})

describe('submitting', () => {
  it('says the same in the dry run, in the answer of the version and in the refusal', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await firstDraft(appId)
    const dry = await owner.ok(versions, 'submitVersion', { query: { dryRun: '1' }, body: { versionId } })
    expect(dry.isSubmitted).toBe(false)
    const rules = dry.readiness.map(one => one.rule)
    expect(rules).toEqual([
      'package.missing',
      'listing.brief',
      'listing.description',
      'listing.icon',
      'listing.screenshots',
      'countries',
      'privacy.url',
    ])
    const shown = await owner.ok(versions, 'getVersion', { query: { appId, include: 'readiness' } })
    expect(shown.readiness).toEqual(dry.readiness)
    const refused = await owner.call(versions, 'submitVersion', { body: { versionId } })
    expect([refused.status, refused.body.ret.code]).toEqual([422, 204160003])
    expect(refused.body['readiness']).toEqual(dry.readiness)
    expect((await current(owner, versionId)).state).toBe('DRAFT')
  })

  it('runs the automatic checks and ends in review', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    const sent = await owner.ok(versions, 'submitVersion', { body: { versionId } })
    expect([sent.version.state, sent.isSubmitted]).toEqual(['PRECHECK', true])
    await stage.settle()
    const version = await current(owner, versionId)
    expect(version).toMatchObject({ state: 'IN_REVIEW', isFirst: true, versionCode: '10', findings: [] })
    expect(version.allowedActions).toEqual(['withdraw', 'changeTime'])
    expect((await get(appId)).releaseState).toBe(4)
  })

  it('is won by exactly one of two who race', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    const replies = await Promise.all(
      [1, 2, 3].map(() => owner.call(versions, 'submitVersion', { body: { versionId } })),
    )
    expect(replies.map(one => one.status).sort()).toEqual([200, 422, 422])
    const jobs = await stage.sql('CN', "SELECT 1 FROM jobs WHERE kind = 'versions.precheck' AND subject = $1", [
      versionId,
    ])
    expect(jobs).toHaveLength(1)
    await stage.settle()
  })

  it('locks the content, and the refusal says how to take it back', async () => {
    const { appId } = await newApp(owner)
    const draft = await fillDraft(stage, owner, appId, 10)
    const { versionId, revision } = await submitted(stage, owner, draft.versionId)
    const edits = [
      await owner.call(versions, 'updateVersion', { body: { versionId, revision } }),
      await owner.call(versionListings, 'updateListing', { body: { versionId, lang: 'enUS', revision } }),
      await owner.call(versionListings, 'deleteListing', { query: { versionId, lang: 'enUS' } }),
      await owner.call(versions, 'deleteVersion', { query: { versionId } }),
    ]
    for (const reply of edits) {
      expect([reply.status, reply.body.ret.code]).toEqual([422, 204144647])
      expect(reply.body['withdraw']).toMatchObject({
        method: 'PUT',
        path: '/amis/version-manage/v1/version/on-shelf/cancel',
        isAllowed: true,
      })
    }
  })

  it('fails the pre-check when the bytes are not what was checked', async () => {
    const { appId } = await newApp(owner)
    const { versionId, pkgId } = await fillDraft(stage, owner, appId, 10)
    await stage.sql('CN', 'UPDATE packages SET sha256 = $2 WHERE pkg_id = $1', [pkgId, '0'.repeat(64)])
    const version = await submitted(stage, owner, versionId)
    expect([version.state, version.findings.map(one => one.rule)]).toEqual(['PRECHECK_FAILED', ['package.bytes']])
    expect((await get(appId)).releaseState).toBe(13)
  })

  it('fails the pre-check when an image is gone', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    const { list } = await owner.ok(versionListings, 'listListings', { query: { versionId } })
    await stage.sql('CN', 'UPDATE file_objects SET width = 1 WHERE object_id = $1', [list[0]?.icon?.objectId])
    const version = await submitted(stage, owner, versionId)
    expect([version.state, version.findings.map(one => one.rule)]).toEqual(['PRECHECK_FAILED', ['listing.image']])
  })

  it('waits for a package that is being processed when asked to', async () => {
    const { appId } = await newApp(owner)
    const { versionId, pkgId } = await fillDraft(stage, owner, appId, 10, { state: 'PARSING' })
    const hasty = await owner.call(versions, 'submitVersion', { body: { versionId } })
    expect([hasty.status, hasty.body.ret.code]).toEqual([422, 204144727])
    const queued = await owner.ok(versions, 'submitVersion', { body: { versionId, submitWhenReady: true } })
    expect([queued.isQueued, queued.version.state, queued.version.isSubmitQueued]).toEqual([true, 'DRAFT', true])
    await stage.booted.worker.sweep()
    expect((await current(owner, versionId)).state).toBe('DRAFT')
    await stage.sql('CN', "UPDATE packages SET state = 'READY' WHERE pkg_id = $1", [pkgId])
    await stage.booted.worker.sweep()
    await stage.settle()
    expect(await current(owner, versionId)).toMatchObject({ state: 'IN_REVIEW', isSubmitQueued: false })
  })

  it('tells why a submit that waited did not go', async () => {
    const { appId } = await newApp(owner)
    const { versionId, pkgId } = await fillDraft(stage, owner, appId, 10, { state: 'PARSING' })
    await owner.ok(versions, 'submitVersion', { body: { versionId, submitWhenReady: true } })
    await stage.sql('CN', "UPDATE packages SET state = 'FAILED' WHERE pkg_id = $1", [pkgId])
    await stage.booted.worker.sweep()
    const version = await current(owner, versionId)
    expect(version).toMatchObject({ state: 'DRAFT', isSubmitQueued: false })
    expect(version.findings.map(one => one.rule)).toEqual(['package.failed'])
  })

  it('takes back a submit that waits', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10, { state: 'PARSING' })
    await owner.ok(versions, 'submitVersion', { body: { versionId, submitWhenReady: true } })
    const version = await owner.ok(versions, 'withdrawVersion', { body: { versionId } })
    expect([version.state, version.isSubmitQueued]).toEqual(['DRAFT', false])
  })
})

describe('withdrawing', () => {
  it('is for those who may; operations may submit only', async () => {
    const operations = await stage.person({ team: owner.teamId, roles: ['operations'] })
    const developer = await stage.person({ team: owner.teamId, roles: ['developer'] })
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    expect((await developer.call(versions, 'submitVersion', { body: { versionId } })).status).toBe(403)
    expect((await operations.ok(versions, 'submitVersion', { body: { versionId } })).isSubmitted).toBe(true)
    expect((await operations.call(versions, 'withdrawVersion', { body: { versionId } })).status).toBe(403)
    expect((await owner.ok(versions, 'withdrawVersion', { body: { versionId } })).state).toBe('WITHDRAWN')
    await stage.settle()
    expect((await current(owner, versionId)).state).toBe('WITHDRAWN')
  })

  it('clears the release time and unlocks the content', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    const onShelfTime = stage.clock.now() + 3_600_000
    await submitted(stage, owner, versionId, { releaseMode: 'TIMED', onShelfTime })
    const back = await owner.ok(versions, 'withdrawVersion', { body: { versionId } })
    expect([back.state, back.onShelfTime]).toEqual(['WITHDRAWN', null])
    const edited = await owner.ok(versions, 'updateVersion', {
      body: { versionId, remark: 'again', revision: back.revision },
    })
    expect(edited.state).toBe('DRAFT')
  })

  it('works ten times a day and an eleventh the day after', async () => {
    const { appId } = await newApp(owner)
    const { versionId } = await fillDraft(stage, owner, appId, 10)
    for (let times = 0; times < 10; times++) {
      await owner.ok(versions, 'submitVersion', { body: { versionId } })
      await owner.ok(versions, 'withdrawVersion', { body: { versionId } })
    }
    await owner.ok(versions, 'submitVersion', { body: { versionId } })
    const refused = await owner.call(versions, 'withdrawVersion', { body: { versionId } })
    expect([refused.status, refused.body.ret.code]).toEqual([422, 202030003])
    await stage.settle()
    stage.clock.turn(86_400_000)
    owner = await again(owner)
    expect((await owner.ok(versions, 'withdrawVersion', { body: { versionId } })).state).toBe('WITHDRAWN')
    await stage.settle()
  })
})

/** Another leader of the same team, for after the clock has run past the session. */
async function again(person: Person): Promise<Person> {
  return stage.person({ team: person.teamId, roles: ['leader'] })
}

describe('another team', () => {
  it('finds nothing under any id', async () => {
    const { appId } = await newApp(owner)
    const { versionId, revision } = await firstDraft(appId)
    const stranger = await stage.person()
    const body = { versionId, revision }
    const replies = await Promise.all([
      stranger.call(versions, 'getVersion', { query: { appId } }),
      stranger.call(versions, 'createVersion', { body: { appId } }),
      stranger.call(versions, 'updateVersion', { body }),
      stranger.call(versions, 'deleteVersion', { query: { versionId } }),
      stranger.call(versionListings, 'listListings', { query: { versionId } }),
      stranger.call(versionListings, 'updateListing', { body: { ...body, lang: 'enUS' } }),
      stranger.call(versionListings, 'deleteListing', { query: { versionId, lang: 'enUS' } }),
      stranger.call(versions, 'submitVersion', { body }),
      stranger.call(versions, 'submitVersion', { query: { dryRun: '1' }, body }),
      stranger.call(versions, 'withdrawVersion', { body }),
      stranger.call(versions, 'updateReleaseTime', { body: { ...body, changeType: 1 } }),
      stranger.call(versionShelf, 'shelfOffVersion', { body: { ...body, reason: 'not wanted here' } }),
      stranger.call(versionShelf, 'cancelShelfOff', { body }),
      stranger.call(versions, 'urgeReview', { body: { versionId, reason: 'we are waiting' } }),
      stranger.call(versions, 'listVersions', { query: { appId } }),
      stranger.call(versionHistory, 'listVersionCodes', { query: { appId } }),
      stranger.call(versionHistory, 'getLastOnShelf', { query: { appId } }),
      stranger.call(versionHistory, 'listHistoryVersions', { query: { appId } }),
      stranger.call(versionHistory, 'getHistoryVersion', { query: { versionId } }),
      stranger.call(versionListings, 'checkName', { body: { appId, appName: 'Name' } }),
    ])
    expect(replies.map(one => one.status)).toEqual(replies.map(() => 404))
  })
})
