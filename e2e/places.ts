import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rules } from '../src/services/build/rules/contract.ts'
import { buildApk, hasAndroidTools } from '../src/services/distribute/packages/apk/build-apk.testkit.ts'
import { hasBundleTools } from '../src/services/distribute/packages/bundle/build-aab.testkit.ts'
import { submissions } from '../src/services/distribute/review/contract.ts'
import { reviewDesk } from '../src/services/distribute/review/desk/contract.ts'
import { signing } from '../src/services/distribute/signing/contract.ts'
import { hasOpenssl, ownKey } from '../src/services/distribute/signing/signing.testkit.ts'
import { store } from '../src/services/distribute/store/contract.ts'
import { versionBulks } from '../src/services/distribute/versions/bulk/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { apiClients } from '../src/services/ground/api-clients/contract.ts'
import { clientKeyCalls } from '../src/services/ground/api-clients/keys/contract.ts'
import { developerSupport } from '../src/services/ground/developer-support/contract.ts'
import { files } from '../src/services/ground/files/contract.ts'
import { fileTasks } from '../src/services/ground/files/tasks/contract.ts'
import { announcements } from '../src/services/ground/menu/announcements/contract.ts'
import { billboard } from '../src/services/ground/menu/billboard/contract.ts'
import { menu } from '../src/services/ground/menu/contract.ts'
import { menuOperations } from '../src/services/ground/menu/operations/contract.ts'
import { dgsProjectApis } from '../src/services/ground/projects/api/contract.ts'
import { projectServices } from '../src/services/ground/projects/services/contract.ts'
import { projectSettings } from '../src/services/ground/projects/settings/contract.ts'
import { memberBulks } from '../src/services/ground/teams/bulk/contract.ts'
import { invitations } from '../src/services/ground/teams/invitations/contract.ts'
import { members } from '../src/services/ground/teams/members/contract.ts'
import { roles } from '../src/services/ground/teams/roles/contract.ts'
import { testUsers } from '../src/services/ground/teams/test-users/contract.ts'
import { webhooks } from '../src/services/ground/webhooks/contract.ts'
import { writeAgreements } from './agreements.ts'
import { openCloudDb } from './app-data.ts'
import { openAppUsers } from './app-users.ts'
import { lookBefore } from './checks.ts'
import { sayThings } from './comments.ts'
import { deployFunction } from './functions.ts'
import { fillGrowing } from './growing.ts'
import { type Loggia, until, Visitor } from './loggia.ts'
import { testPages } from './material.ts'
import { handInPapers } from './papers.ts'
import { showPictures } from './pictures.ts'
import { addPackage, draftRelease, rollOut, startTest, submitRelease } from './releases.ts'
import { rollForward } from './rolled-forward.ts'
import { storeFiles } from './stored-files.ts'
import { applyForSupport } from './support-applications.ts'
import { fillTesters } from './testers.ts'

const packageName = 'com.example.beacon'
const hasTools = hasAndroidTools()
const packageType = hasTools ? 'ANDROID' : 'NO_PACKAGE'

/** The pages of each face, with something on every one of them. */
export interface Places {
  visitor: string[]
  developer: string[]
  reviewer: string[]
}

/** An app on shelf with its next version as a draft, one in review, a member who has not signed in. */
export async function makePlaces(loggia: Loggia, folder: string): Promise<Places> {
  const owner = await loggia.signIn('administrator')
  const reviewer = await loggia.signIn('reviewer')
  const { member } = await owner.ok(members, 'addMember', {
    body: { loginName: 'mira', name: 'Mira Olsen', roles: ['developer'] },
  })
  const { bulkId: memberBulkId } = await owner.ok(memberBulks, 'changeMembers', {
    body: { action: 'roles', accountIds: [member.accountId], roles: ['developer', 'analyst'] },
  })
  const invitation = await fillTeam(owner)
  const purse = `/apps/${await handInPapers(owner, reviewer, hasTools ? folder : null)}`
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
  const phased = await rollOut(owner, reviewer)
  const forward = hasBundleTools() ? await rollForward(owner, reviewer, folder) : []
  if (hasTools) await download(loggia)
  if (hasTools) await sayThings(loggia, owner, { ...shelved, packageName })
  const signed = hasTools ? await letStoreSign(owner) : shelved.appId
  await startTest(owner, shelved.appId, hasTools ? { folder, packageName } : null)
  const testers = await fillTesters(owner, shelved.appId)
  await showPictures(owner, reviewer, shelved.appId, reviewed.appId)
  const tests = await testPages(owner, reviewer, shelved.appId, 'enUS')
  const { checkId } = await lookBefore(owner, reviewer, shelved.appId, pkgIds[0])
  const announcementId = await tellPeople(owner)
  await openFeatures(owner, shelved.projectId)
  await showRules(owner, shelved.projectId)
  await applyForSupport(owner)
  await owner.ok(developerSupport, 'verifyContact', { body: { address: 'help@example.com' } })
  const objectId = await checkFile(owner)
  const webhookId = await addWebhook(owner, loggia)
  const agreed = await writeAgreements(owner)
  const appUsers = await openAppUsers(owner, shelved.projectId, shelved.appId)
  const cloudDbPages = await openCloudDb(owner, shelved.projectId)
  const storagePages = await storeFiles(loggia, owner, shelved.projectId)
  const functionPages = await deployFunction(owner, shelved.projectId)
  const growingPages = await fillGrowing(owner, shelved.projectId)
  const { client } = await owner.ok(apiClients, 'createClient', {
    body: { name: 'Build server', permissions: ['projects.read', 'packages.upload'] },
  })
  const { clientId } = client
  await owner.ok(clientKeyCalls, 'createKeyPair', { body: { clientId, name: 'Build server' } })
  const app = `/apps/${shelved.appId}`
  const { projectId } = shelved
  return {
    visitor: [
      ...['/sign-in', '/forgotten', '/reset?token=none', '/sign-up', '/set-up?token=none', '/email?token=none'],
      '/store',
      '/store?q=none',
      '/transparency',
      invitation,
      ...testers.visitor,
      `/store/${hasTools ? packageName : 'com.example.none'}`,
    ],
    developer: [
      ...['/files', `/files?file=${encodeURIComponent(objectId)}`, '/files?kind=app_video'],
      ...['/home/developer', '/projects', `/projects/${projectId}`, '/apps', '/apps/new', app],
      ...['general', 'properties', 'people', 'region', 'files', 'keys', 'interfaces', 'elsewhere'].map(
        tab => `/projects/${projectId}/settings?tab=${tab}`,
      ),
      ...['editor', 'versions', 'requests', 'monitor'].map(tab => `/projects/${projectId}/rules/storage?tab=${tab}`),
      ...['services', 'applications', 'zones'].map(tab => `/projects/${projectId}/services?tab=${tab}`),
      ...[`${app}/packages`, ...pkgIds.slice(0, 1).map(id => `${app}/packages/${id}`)],
      ...[`${app}/packages/wrap`, '/phones', `${app}/signing`, `/apps/${signed}/signing`],
      ...[`${app}/material-tests`, `/apps/${phased.appId}/material-tests`, ...tests],
      ...[`${app}/immersive`, `/apps/${reviewed.appId}/immersive`, `/apps/${phased.appId}/immersive`],
      ...[
        `${purse}/qualifications`,
        `${app}/qualifications`,
        `${purse}/recordal`,
        `${app}/recordal`,
        '/moves',
        '/series',
      ],
      ...[`${app}/comments`, `${app}/comments?kind=test`, `/apps/${reviewed.appId}/comments`],
      ...['/claims', ...pkgIds.slice(0, 1).map(id => `${app}/packages/${id}/difference`)],
      ...[`${app}/version/${draftId}`, `${app}/version/${shelved.versionId}`],
      ...[`${app}/listing`, `${app}/submission`, `/apps/${reviewed.appId}/submission`],
      ...[`/apps/${together.appId}/submission`, `/apps/${together.appId}/version/${together.versionId}`],
      ...[`/apps/${phased.appId}/version/${phased.versionId}`, ...forward, ...testers.developer],
      ...[`${app}/tests`, `${app}/testers`, '/submissions', '/bulk', `/bulk/${bulkId}`, '/apps/elsewhere'],
      ...[`${app}/reach`, `${app}/field`, '/repositories', '/team', '/team/members', '/team/roles'],
      ...['/team/bulk', `/team/bulk/${memberBulkId}`],
      ...['/notices', '/notices/settings', '/webhooks', `/webhooks/${webhookId}`, '/mails'],
      ...['/team/invitations', '/team/providers', '/team/test-users'],
      ...['team', 'own', 'debug', 'grants', 'projectKeys'].map(tab => `/api-clients?tab=${tab}`),
      ...[`/api-clients/team/${clientId}`, '/api-clients/grant', `${app}/oauth`],
      ...['/services', '/services?category=distribute', '/announcements', `/announcements/${announcementId}`],
      ...['/security', '/real-name', '/manage/accounts', '/manage/sign-in-providers', '/manage/account-deletions'],
      ...['/operate/announcements', '/operate/billboard', '/api-reference', '/tag-sets', '/tag-sets?q=none'],
      ...['/features', '/features?name=newEditor', '/features?kind=group&name=early-access'],
      ...[
        '/operate/switches',
        '/operate/switches/newEditor',
        '/operate/switches/useAgcLoginSwitch',
        '/operate/switches/none',
        '/operate/new-switch',
      ],
      ...['/my-agreements', '/team/agreements', '/team/new-agreement', `/team/agreements/${agreed.agreementId}`],
      ...['/operate/agreements', '/operate/agreement-kinds', '/operate/developer-agreements'],
      ...agreed.documentIds.map(documentId => `/operate/agreements/${documentId}`),
      `/operate/developer-agreements/${agreed.agreementId}`,
      ...['/support', '/support?state=accepted', '/operate/support', '/operate/support?q=none'],
      ...['/operate/groups', '/operate/groups?zone=DE', '/operate/groups/early-access?zone=CN'],
      ...['/support/contacts', '/team/console-use', '/team/console-use?kind=action', '/team/console-use?zone=DE'],
      ...['/console-use', '/console-use?zone=DE', '/clue-reports', '/clue-reports?q=none'],
      ...['/operate/processes', '/operate/processes?state=active', '/operate/processes/home/getHomePageInfo'],
      ...['json', 'run', 'versions'].map(tab => `/operate/processes/comment/queryDevComment?tab=${tab}`),
      ...['/operate/processes/harmony-app/queryAppList'],
      ...['/named-apis', '/named-apis?zone=china', '/named-apis?q=none'],
      ...storagePages,
      ...functionPages,
      ...growingPages,
      ...cloudDbPages,
      ...appUsers,
      ...['/checks', ...(checkId ? [`/checks/${checkId}`] : []), '/listing-checks', `${app}/fit`],
      ...['/from-the-store', '/from-the-store?tab=demos', '/from-the-store?tab=copyright'],
      '/api-reference?service=ground%2Fmenu&call=POST+%2Fsfs%2Ftag-set',
    ],
    reviewer: [
      '/manage/real-names',
      ...['/operate/rules', '/operate/rules?q=csv', '/operate/rules?q=none-of-them', '/operate/rules?section=5'],
      ...['/desk/qualifications', '/desk/qualifications?status=2', '/desk/recordals', '/desk/comments'],
      '/desk/comments?state=HIDDEN',
      ...['/desk/claims', '/desk/phones', '/desk/trusted-roots', '/desk/storage', '/desk/storage?zone=CN&q=nobody'],
      '/desk',
      '/desk?view=decided',
      '/desk/apps',
      `/desk/apps/${shelved.appId}`,
      '/desk/sensitive',
      '/desk/pictures',
      '/desk/material-tests',
      ...[
        '/desk/statistics',
        '/desk/policies',
        '/desk/automatic',
        '/operate/words',
        '/operate/kept',
        '/operate/kept?kind=ALPHA',
      ],
      `/desk/${reviewed.taskId}`,
      `/desk/${shelved.taskId}`,
      `/desk/${reviewed.taskId}?part=manifest`,
    ],
  }
}

/** Rules in force, and a draft with a fault in it. */
async function showRules(owner: Visitor, projectId: string): Promise<void> {
  const service = 'agc.cloud.storage' as const
  const { published, source } = await owner.ok(rules, 'getRules', { query: { projectId, service } })
  const body = { projectId, service, source, baseVersion: published, note: 'Signed-in users only' }
  await owner.ok(rules, 'publishRules', { body })
  await owner.ok(rules, 'saveDraft', { body: { projectId, service, draft: source.replace('!=', '=') } })
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

/** A key of the store's that was rotated, and an upload certificate that waits. */
async function letStoreSign(owner: Visitor): Promise<string> {
  const { appId } = await draftRelease(owner, 'Lantern')
  for (const action of ['GENERATE', 'ROTATE'] as const) {
    await owner.ok(signing, 'putSigningKey', { body: { appId, action, algorithm: 'EC_P256' } })
  }
  for (const { certificate } of hasOpenssl ? [await ownKey(), await ownKey()] : []) {
    await owner.ok(signing, 'putUploadCertificate', { body: { appId, certPem: certificate } })
  }
  return appId
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

/** A switch, a group with the team in it, a tag set, an open interface, services that were applied for, a name elsewhere. */
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
  await owner.ok(projectServices, 'signAgreement', { body: { projectId, agreementId: 'service-terms', version: 1 } })
  const serviceIds = ['functions', 'experiments']
  await owner.ok(projectServices, 'applyForServices', { body: { projectId, serviceIds, purpose: 'Beacon' } })
  const add = [{ system: 'jira', externalId: 'BEACON' }]
  await owner.ok(projectSettings, 'changeMappings', { body: { projectId, add } })
}

/** One that refuses: its log has something to show. */
async function addWebhook(owner: Visitor, loggia: Loggia): Promise<string> {
  const body = { name: 'Build server', url: `http://127.0.0.1:${loggia.port}/health`, eventTypes: [] }
  const { endpoint } = await owner.ok(webhooks, 'createEndpoint', { body })
  await owner.ok(webhooks, 'testEndpoint', { params: { endpointId: endpoint.endpointId }, body: {} })
  return endpoint.endpointId
}

/** A picture that the checks have looked at. */
async function checkFile(owner: Visitor): Promise<string> {
  const { list } = await owner.ok(files, 'listObjects', { query: { bizTag: 'app_img', pageSize: 1 } })
  const objectId = list[0]?.objectId ?? ''
  await owner.ok(fileTasks, 'startCheck', { body: { objectIds: [objectId], waitSeconds: 20 } })
  return objectId
}

async function download(loggia: Loggia): Promise<void> {
  const device = new Visitor(loggia.url)
  const offered = await until('the store', async () => {
    const installed = { packageName, versionCode: '0' }
    const answer = await device.ok(store, 'queryUpdates', { body: { deviceId: 'a watch', packages: [installed] } })
    return answer.packages[0]?.url
  })
  await (await fetch(new URL(offered, loggia.url))).arrayBuffer()
}
