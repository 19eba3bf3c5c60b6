import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person, Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { members } from '../../../ground/teams/members/contract.ts'
import { apps } from '../../apps/contract.ts'
import { versions } from '../../versions/contract.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { newApp, openScene, type Scene } from '../../versions/versions.testkit.ts'
import { appViews, appViewsV2 } from '../apps/contract.ts'
import { packageViews } from '../packages/contract.ts'
import { releaseViews } from '../releases/contract.ts'
import { serviceViews } from '../services/contract.ts'
import { versionViews } from '../versions/contract.ts'

/** What either face changes, the other shows at once: there is one row behind both. */
let scene: Scene
let stage: Stage
let owner: Person

beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
})
afterAll(() => stage.close())

const appHere = (appId: string) => owner.ok(apps, 'getApp', { query: { appId } })
const appThere = (appId: string) => owner.ok(appViews, 'getApp', { params: { appId } })

describe('an app', () => {
  it('made over /cds is that of /amis, and changed over /amis it is changed over /cds', async () => {
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Buoys' } })
    const made = await owner.ok(appViews, 'createApp', {
      body: {
        projectId,
        appName: 'Buoy',
        packageType: 'ANDROID',
        packageName: 'org.example.buoy',
        defaultLang: 'en-US',
        appAdapters: '4,5',
        grandChildType: 10101,
      },
    })
    const { appId } = made
    const here = await appHere(appId)
    expect(made.app).toEqual({ ...here, ret: undefined })
    expect(here).toMatchObject({ name: 'Buoy', defaultLang: 'enUS', deviceTypes: [4, 5], kindMainTag: 10101 })
    const changed = await owner.ok(apps, 'updateApp', {
      body: { appId, developerNameEn: 'Sea marks', deviceTypes: [4], revision: here.revision },
    })
    const there = await appThere(appId)
    expect(there.appInfo).toMatchObject({ developerNameEn: 'Sea marks', appAdapters: '4', releaseState: 7 })
    const stale = await owner.call(appViews, 'updateApp', {
      params: { appId },
      body: { developerNameEn: 'Late', revision: here.revision },
    })
    expect([stale.status, stale.body.ret.code]).toEqual([409, 204160002])
    await owner.ok(appViewsV2, 'updateApp', {
      params: { appId },
      body: { defaultLang: 'de-DE', appAdapters: '5', privacyPolicy: 'https://example.org/p', publishCountry: 'DE,FR' },
    })
    expect(await appHere(appId)).toMatchObject({ defaultLang: 'deDE', deviceTypes: [5], developerNameEn: 'Sea marks' })
    const { version } = await owner.ok(versions, 'getVersion', { query: { appId } })
    expect(version).toMatchObject({ privacyPolicyUrl: 'https://example.org/p', countries: ['DE', 'FR'] })
    expect(changed.revision).toBeGreaterThan(here.revision)
    await owner.ok(apps, 'deleteApp', { query: { appId } })
    expect((await owner.call(appViews, 'getApp', { params: { appId } })).status).toBe(404)
  })

  it('is changed with the audit row of its own service, in the name of who asked', async () => {
    const { appId } = await newApp(owner)
    await owner.ok(appViews, 'updateApp', { params: { appId }, body: { developerNameEn: 'Told' } })
    const rows = await stage.sql<{ action: string; actor: string }>(
      'CN',
      `SELECT action, actor FROM audit WHERE entity_id = $1 ORDER BY audit_id DESC LIMIT 1`,
      [appId],
    )
    expect(rows).toEqual([{ action: 'app.edit', actor: `user:${owner.accountId}` }])
  })

  it('that is asked for twice with one Idempotency-Key is made once, whichever face is asked', async () => {
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Once' } })
    const body = {
      projectId,
      appName: 'Once',
      packageType: 'WEB' as const,
      defaultLang: 'en-US',
      appAdapters: '4',
    }
    const headers = { 'idempotency-key': 'one-app-please' }
    const first = await owner.ok(appViews, 'createApp', { body, headers })
    const second = await owner.ok(appViewsV2, 'createApp', { body, headers })
    expect(second.appId).toBe(first.appId)
    const listed = await owner.ok(appViews, 'listAppInfo', { query: { projectId } })
    expect(listed.total).toBe(1)
  })

  it('has its listing in each language as the version has it', async () => {
    const { appId } = await newApp(owner, { name: 'Many tongues' })
    const texts = { appName: 'Viele Zungen', briefInfo: 'Kurz', appDesc: 'Lang', newFeatures: 'Neu' }
    const there = await owner.ok(appViews, 'updateLanguage', { params: { appId, language: 'de-DE' }, body: texts })
    const { versionId } = there.version
    const { list } = await owner.ok(versionListings, 'listListings', { query: { versionId, lang: 'deDE' } })
    expect(list).toEqual([there.listing])
    const { revision } = there.version
    const body = { versionId, lang: 'deDE', appName: 'Zungen', revision }
    await owner.ok(versionListings, 'updateListing', { body })
    const { languages } = await owner.ok(appViews, 'getApp', { params: { appId }, query: { lang: 'de-DE' } })
    expect(languages).toMatchObject([{ ...texts, lang: 'de-DE', appName: 'Zungen' }])
    const kept = await owner.call(appViews, 'deleteLanguage', { params: { appId, language: 'en-US' } })
    expect([kept.status, kept.body.ret.code]).toEqual([422, 204144651])
  })

  it('without a package is one of the type NO_PACKAGE, and no other is taken away as one', async () => {
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Pages' } })
    const body = { projectId, appName: 'A page', defaultLang: 'en-US', appAdapters: '4' }
    const { appId } = await owner.ok(packageViews, 'addNoApk', { body })
    expect((await appHere(appId)).packageType).toBe('NO_PACKAGE')
    const android = await newApp(owner)
    const wrong = await owner.call(packageViews, 'removeNoApk', { query: { appId: android.appId } })
    expect(wrong.status).toBe(404)
    expect((await appHere(android.appId)).lifecycle).toBe('ACTIVE')
  })
})

it('a member whose rights hold for one app finds the others over /cds no more than over /amis', async () => {
  const inside = await newApp(owner)
  const outside = await newApp(owner)
  const limited = await stage.person({ team: owner.teamId, roles: ['administrator'] })
  const body = { accountId: limited.accountId, roles: ['administrator'], scope: { apps: [inside.appId] }, revision: 1 }
  await owner.ok(members, 'setUserPermission', { body })
  const query = { appId: outside.appId }
  expect((await limited.call(appViews, 'getApp', { params: { appId: inside.appId } })).status).toBe(200)
  const replies = await Promise.all([
    limited.call(appViews, 'getApp', { params: query }),
    limited.call(appViews, 'updateApp', { params: query, body: { developerNameEn: 'Mine' } }),
    limited.call(appViews, 'deleteApp', { params: query }),
    limited.call(versionViews, 'listVersions', { query }),
    limited.call(releaseViews, 'submitAudit', { body: query }),
    limited.call(packageViews, 'listApks', { query }),
    limited.call(serviceViews, 'getAppServices', { query }),
  ])
  expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
  const { list } = await limited.ok(appViews, 'listAppInfo', {})
  expect(list.map(one => one.appId)).toEqual([inside.appId])
})
