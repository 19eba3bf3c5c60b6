import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApk, hasAndroidTools } from '../src/services/distribute/packages/apk/build-apk.testkit.ts'
import { reviewDesk, submissions } from '../src/services/distribute/review/contract.ts'
import { store } from '../src/services/distribute/store/contract.ts'
import { versionBulks } from '../src/services/distribute/versions/bulk/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { announcements } from '../src/services/ground/menu/announcements/contract.ts'
import { billboard } from '../src/services/ground/menu/billboard/contract.ts'
import { menu } from '../src/services/ground/menu/contract.ts'
import { menuOperations } from '../src/services/ground/menu/operations/contract.ts'
import { dgsProjectApis } from '../src/services/ground/projects/api/contract.ts'
import { projectSettings } from '../src/services/ground/projects/settings/contract.ts'
import { memberBulks } from '../src/services/ground/teams/bulk/contract.ts'
import { invitations } from '../src/services/ground/teams/invitations/contract.ts'
import { members } from '../src/services/ground/teams/members/contract.ts'
import { roles } from '../src/services/ground/teams/roles/contract.ts'
import { testUsers } from '../src/services/ground/teams/test-users/contract.ts'
import { webhooks } from '../src/services/ground/webhooks/contract.ts'
import { type Face, hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, until, Visitor } from './loggia.ts'
import { addPackage, draftRelease, submitRelease } from './releases.ts'
import { type Language, untranslated } from './texts.ts'

const packageName = 'com.example.beacon'
const hasTools = hasAndroidTools()
const packageType = hasTools ? 'ANDROID' : 'NO_PACKAGE'
let loggia: Loggia
beforeAll(async () => {
  loggia = await Loggia.start({ LOGGIA_OUTBOUND_ALLOW: '127.0.0.1' })
})
afterAll(() => loggia.close())

it.each(['br', 'gzip'])('the console is sent as %s to whoever takes it', async encoding => {
  const ask = (place: string) => fetch(new URL(place, loggia.url), { headers: { 'accept-encoding': encoding } })
  const page = await ask('/en/')
  const script = /src="\.?\/?(?:\.\.\/)?([^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
  for (const reply of [page, await ask(`/${script}`)]) {
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-encoding')).toBe(encoding)
    expect(reply.headers.get('vary')).toContain('accept-encoding')
  }
})

/** The pages of each face, with something on every one of them. */
interface Places {
  visitor: string[]
  developer: string[]
  reviewer: string[]
}

describe.skipIf(!hasBrowser)(hasBrowser ? 'every page' : 'every page (skipped: apt-get install chromium)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-pages-'))
  let places: Places
  beforeAll(async () => {
    places = await makePlaces()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** An app on shelf with its next version as a draft, one in review, a member who has not signed in. */
  async function makePlaces(): Promise<Places> {
    const owner = await loggia.signIn('administrator')
    const reviewer = await loggia.signIn('reviewer')
    const { member } = await owner.ok(members, 'addMember', {
      body: { loginName: 'mira', name: 'Mira Olsen', roles: ['developer'] },
    })
    const { bulkId: memberBulkId } = await owner.ok(memberBulks, 'changeMembers', {
      body: { action: 'roles', accountIds: [member.accountId], roles: ['developer', 'analyst'] },
    })
    const invitation = await fillTeam(owner)
    const pkgIds: string[] = []
    const handIn = async (name: string, packageId: string) => {
      const release = await draftRelease(owner, name, packageType)
      if (hasTools) {
        const apk = path.join(folder, `${packageId}.apk`)
        await buildApk(apk, { package: packageId, permissions: ['android.permission.CAMERA'] })
        pkgIds.push(await addPackage(owner, release.appId, release.versionId, readFileSync(apk)))
      }
      return { ...release, taskId: await submitRelease(owner, reviewer, release) }
    }
    const shelved = await handIn('Beacon', packageName)
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId: shelved.taskId } })
    await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId: shelved.taskId, verdict: 'APPROVE' } })
    await until('the shelf', async () => {
      const { onShelf } = await owner.ok(versions, 'getVersion', { query: { appId: shelved.appId } })
      return onShelf
    })
    const { versionId: draftId } = await owner.ok(versions, 'createVersion', { body: { appId: shelved.appId } })
    const reviewed = await handIn('Compass', 'com.example.compass')
    const { bulkId } = await owner.ok(versionBulks, 'submitVersions', { body: { versionIds: [reviewed.versionId] } })
    await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId: reviewed.taskId } })
    const together = await handInTogether(owner, reviewer)
    if (hasTools) await download()
    const announcementId = await tellPeople(owner)
    await openFeatures(owner, shelved.projectId)
    const webhookId = await addWebhook(owner)
    const app = `/apps/${shelved.appId}`
    const { projectId } = shelved
    return {
      visitor: [
        ...['/sign-in', '/forgotten', '/reset?token=none', '/sign-up', '/set-up?token=none', '/email?token=none'],
        '/store',
        '/store?q=none',
        '/transparency',
        invitation,
        `/store/${hasTools ? packageName : 'com.example.none'}`,
      ],
      developer: [
        ...['/home/developer', '/projects', `/projects/${projectId}`, '/apps', '/apps/new', app],
        ...['general', 'properties', 'people', 'region', 'files', 'keys', 'interfaces', 'elsewhere'].map(
          tab => `/projects/${projectId}/settings?tab=${tab}`,
        ),
        `/projects/${projectId}/services`,
        ...[`${app}/packages`, ...pkgIds.slice(0, 1).map(id => `${app}/packages/${id}`)],
        ...[`${app}/packages/wrap`, '/phones'],
        ...['/claims', ...pkgIds.slice(0, 1).map(id => `${app}/packages/${id}/difference`)],
        ...[`${app}/version/${draftId}`, `${app}/version/${shelved.versionId}`],
        ...[`${app}/listing`, `${app}/submission`, `/apps/${reviewed.appId}/submission`],
        ...[`/apps/${together.appId}/submission`, `/apps/${together.appId}/version/${together.versionId}`],
        ...['/submissions', '/bulk', `/bulk/${bulkId}`, '/apps/elsewhere'],
        ...[`${app}/reach`, `${app}/field`, '/repositories', '/team', '/team/members', '/team/roles'],
        ...['/team/bulk', `/team/bulk/${memberBulkId}`],
        ...['/notices', '/notices/settings', '/webhooks', `/webhooks/${webhookId}`, '/mails'],
        ...['/team/invitations', '/team/providers', '/team/test-users'],
        ...['/services', '/services?category=distribute', '/announcements', `/announcements/${announcementId}`],
        ...['/security', '/real-name', '/manage/accounts', '/manage/sign-in-providers', '/manage/account-deletions'],
        ...['/operate/announcements', '/operate/billboard', '/api-reference', '/tag-sets', '/tag-sets?q=none'],
        ...['/features', '/features?name=newEditor', '/features?kind=group&name=early-access'],
        ...['/operate/switches', '/operate/switches/newEditor', '/operate/switches/none', '/operate/new-switch'],
        ...['/operate/groups', '/operate/groups?zone=DE', '/operate/groups/early-access?zone=CN'],
        '/api-reference?service=ground%2Fmenu&call=POST+%2Fsfs%2Ftag-set',
      ],
      reviewer: [
        '/manage/real-names',
        ...['/desk/claims', '/desk/phones', '/desk/trusted-roots'],
        '/desk',
        '/desk?view=decided',
        '/desk/apps',
        `/desk/apps/${shelved.appId}`,
        '/desk/sensitive',
        `/desk/${reviewed.taskId}`,
        `/desk/${shelved.taskId}`,
      ],
    }
  }

  /** Two versions that go on shelf together: the one is accepted, and the other, which was rejected, holds it back. */
  async function handInTogether(owner: Visitor, reviewer: Visitor) {
    const drafts = []
    for (const name of ['Sail', 'Rudder']) drafts.push(await draftRelease(owner, name, 'NO_PACKAGE'))
    const [held, rejected] = drafts as [(typeof drafts)[0], (typeof drafts)[0]]
    await owner.ok(submissions, 'createSubmission', {
      body: { versionIds: drafts.map(draft => draft.versionId), title: 'Boat', release: 'TOGETHER' },
    })
    const issues = [{ policyId: '2.1', severity: 'MUST_FIX' as const, text: 'The icon shows another app.' }]
    for (const [{ appId }, verdict] of [
      [held, { verdict: 'APPROVE' as const }],
      [rejected, { verdict: 'REJECT' as const, issues }],
    ] as const) {
      const taskId = await until('the task', async () => {
        const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, state: 'QUEUED' } })
        return list[0]?.taskId
      })
      await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
      await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, ...verdict } })
    }
    return held
  }

  /** A role of the team's own, a test user and two invitations; the address that the second one opens. */
  async function fillTeam(owner: Visitor): Promise<string> {
    const permissions = ['teams.read', 'apps.read', 'versions.read']
    await owner.ok(roles, 'createRole', { body: { name: 'Press', basedOn: 'analyst', permissions } })
    await owner.ok(testUsers, 'createTestUser', { body: { name: 'Tess Tester', address: 'tess@example.com' } })
    await owner.ok(invitations, 'createInvitation', { body: { address: 'guest@example.com', roles: ['analyst'] } })
    const body = { address: '+4915112345678', roles: ['developer'] }
    const { link } = await owner.ok(invitations, 'createInvitation', { body })
    return (link ?? '').replace(/^.*#/, '')
  }

  /** An announcement, a slot of the billboard and favourites: what the menu's pages show. */
  async function tellPeople(owner: Visitor): Promise<string> {
    const words = (zh: string, en: string, ru: string) => ({ zh, en, ru })
    const times = { zones: [], startAt: null, endAt: null }
    const { announcementId } = await owner.ok(announcements, 'writeAnnouncement', {
      body: {
        kind: 'maintenance',
        title: words('周日凌晨维护', 'Maintenance on Sunday night', 'Обслуживание в ночь на воскресенье'),
        text: words('期间上传会变慢。', 'Uploads are slower meanwhile.', 'Загрузка будет медленнее.'),
        href: '#/services',
        isBanner: false,
        ...times,
      },
    })
    const action = { params: { announcementId }, body: { action: 'publish' as const, revision: 1 } }
    await owner.ok(announcements, 'actOnAnnouncement', action)
    await owner.ok(billboard, 'createSlot', {
      body: {
        title: words('试用每个调用', 'Try every call', 'Попробуйте любой вызов'),
        text: words('在 API 参考中', 'In the reference', 'В справочнике'),
        ...{ href: '#/api-reference', tone: 'blue', weight: 10, isOn: true },
        ...times,
      },
    })
    for (const serviceId of ['apps', 'members']) await owner.ok(menu, 'addFavorite', { body: { serviceId } })
    return announcementId
  }

  /** A switch, a group with the team in it, a tag set, an open interface and a name elsewhere. */
  async function openFeatures(owner: Visitor, projectId: string): Promise<void> {
    const group = { groupCode: 'early-access', name: 'Early access' }
    const { list } = await owner.ok(menuOperations, 'listTeams')
    const join = list.map(team => team.teamId)
    await owner.ok(menuOperations, 'changeGroup', { body: { ...group, join, leave: [] } })
    const groups = [group.groupCode]
    await owner.ok(menuOperations, 'setSwitch', {
      body: { feature: 'newEditor', isOn: true, percent: 12.5, zones: ['CN'], groups, note: '', revision: 0 },
    })
    const tags = [
      { name: 'Beta', colour: 'amber' as const },
      { name: 'Public', colour: 'green' as const },
    ]
    await owner.ok(menu, 'createTagSet', { body: { name: 'Channels', tags } })
    await owner.ok(dgsProjectApis, 'openProjectApis', { body: { projectId, apiIds: ['publishing', 'functions'] } })
    const add = [{ system: 'jira', externalId: 'BEACON' }]
    await owner.ok(projectSettings, 'changeMappings', { body: { projectId, add } })
  }

  /** One that refuses: its log has something to show. */
  async function addWebhook(owner: Visitor): Promise<string> {
    const body = { name: 'Build server', url: `http://127.0.0.1:${loggia.port}/health`, eventTypes: [] }
    const { endpoint } = await owner.ok(webhooks, 'createEndpoint', { body })
    await owner.ok(webhooks, 'testEndpoint', { params: { endpointId: endpoint.endpointId }, body: {} })
    return endpoint.endpointId
  }

  async function download(): Promise<void> {
    const device = new Visitor(loggia.url)
    const offered = await until('the store', async () => {
      const installed = { packageName, versionCode: '0' }
      const answer = await device.ok(store, 'queryUpdates', { body: { deviceId: 'a watch', packages: [installed] } })
      return answer.packages[0]?.url
    })
    await (await fetch(new URL(offered, loggia.url))).arrayBuffer()
  }

  /**
   * Goes on within the loaded console, as people do. Where the next page may keep the heading of the one before, or
   * nothing is loaded yet, it is a new document: the number in the search makes it one.
   */
  let visits = 0
  async function visit({ page }: Look, place: string, before: string | undefined, quiet: () => Promise<unknown>) {
    visits += 1
    if (before === undefined || kindOf(place) === kindOf(before)) {
      await page.goto(`${loggia.url}/?visit=${visits}#${place}`)
    } else {
      await page.evaluate(`document.querySelector('h1')?.setAttribute('data-left', '')`)
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    }
    await page.locator('#page h1:not([data-left]), .sign-in h1:not([data-left])').first().waitFor()
    await quiet()
    await page.locator('.lg-pending').waitFor({ state: 'detached' })
  }

  /** Pages of one kind differ by ids and by what comes after the question mark only. */
  const kindOf = (place: string) => place.split('?')[0]?.replace(/\d{6,}/g, 'id')

  /** One load of the page, looked at in each face: what is open on a screen may be turned and darkened at any time. */
  async function inspect(
    look: Look,
    [place, before]: [string, string | undefined],
    walk: Walk,
    quiet: () => Promise<unknown>,
  ): Promise<string[]> {
    const { language } = walk
    const faults: string[] = []
    await look.wear(walk.faces[0])
    await visit(look, place, before, quiet)
    for (const face of walk.faces) {
      const name = `${face.width}-${language}-${face.isDark ? 'dark' : 'light'}`
      const note = (error: unknown) => faults.push(`${name} ${place}: ${(error as Error).message}`)
      await look.wear(face)
      await quiet()
      await look.checkClean().catch(note)
      if (face.isAccessChecked) await look.checkAccess().catch(note)
      for (const line of await untranslated(look.page, language)) faults.push(`${name} ${place}: ${line}`)
      if (process.env['LOGGIA_SHOTS']) await look.shot(`${name}${place.replace(/\W+/g, '-')}`)
    }
    return faults
  }

  async function inspectAll(look: Look, wanted: Walk): Promise<string[]> {
    const faults: string[] = []
    const quiet = quietOf(look.page)
    const walk = async (list: string[]) => {
      for (const [at, place] of list.entries()) {
        faults.push(...(await inspect(look, [place, list[at - 1]], wanted, quiet)))
      }
    }
    await walk(places.visitor)
    await signIn(look, 'administrator')
    await walk(places.developer)
    await signIn(look, 'reviewer')
    await walk(places.reviewer)
    return faults
  }

  async function signIn(look: Look, who: 'administrator' | 'reviewer'): Promise<void> {
    const { loginName, password } = loggia.signIns()[who] ?? { loginName: who, password: '' }
    await look.context.clearCookies()
    await look.signInAs(loginName, password)
  }

  interface Walk {
    language: Language
    faces: [Inspected, Inspected]
  }
  type Inspected = Face & { isAccessChecked?: true }

  const wide = { width: 1440, height: 900 }
  const narrow = { width: 390, height: 844 }
  const walks: [string, Walk][] = [
    [
      'in English, wide and narrow by day',
      {
        language: 'en',
        faces: [
          { ...wide, isDark: false, isAccessChecked: true },
          { ...narrow, isDark: false },
        ],
      },
    ],
    [
      'in Russian, wide and narrow by night',
      {
        language: 'ru',
        faces: [
          { ...wide, isDark: true, isAccessChecked: true },
          { ...narrow, isDark: true },
        ],
      },
    ],
    [
      'in Chinese, wide by night and narrow by day',
      {
        language: 'zh',
        faces: [
          { ...wide, isDark: true },
          { ...narrow, isDark: false, isAccessChecked: true },
        ],
      },
    ],
  ]

  it.concurrent.each(walks)('is whole, quiet and in one language %s', { timeout: 600_000 }, async (_name, walk) => {
    const { language, faces } = walk
    const look = await startLook({ origin: loggia.url, language, ...faces[0] })
    const faults = await inspectAll(look, walk).finally(() => look.close())
    expect(faults).toEqual([])
  })
})

/** Resolves when nothing was asked of the server for a moment; `networkidle` would wait half a second on every page. */
function quietOf(page: Page): () => Promise<unknown> {
  const open = new Set<Request>()
  let changedAt = 0
  const begin = (request: Request) => {
    open.add(request)
    changedAt = performance.now()
  }
  const end = (request: Request) => {
    open.delete(request)
    changedAt = performance.now()
  }
  page.on('request', begin)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return () => until('a quiet page', async () => open.size === 0 && performance.now() - changedAt > 150)
}
