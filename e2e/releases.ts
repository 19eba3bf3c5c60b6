import { readFileSync } from 'node:fs'
import path from 'node:path'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { betaGroups } from '../src/services/distribute/beta-test/contract.ts'
import { betaPeople } from '../src/services/distribute/beta-test/people/contract.ts'
import { buildApk } from '../src/services/distribute/packages/apk/build-apk.testkit.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { packages } from '../src/services/distribute/packages/contract.ts'
import { reviewDesk } from '../src/services/distribute/review/desk/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { versionListings } from '../src/services/distribute/versions/listing/contract.ts'
import { versionPhased } from '../src/services/distribute/versions/phased/contract.ts'
import { versionTests } from '../src/services/distribute/versions/testing/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { until, type Visitor } from './loggia.ts'

/** An app for watches, whose pictures are square, with a version that lacks only its package, if it is to have one. */
export async function draftRelease(
  owner: Visitor,
  name: string,
  packageType: 'ANDROID' | 'NO_PACKAGE' = 'ANDROID',
): Promise<{ projectId: string; appId: string; versionId: string }> {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name } })
  const { appId } = await owner.ok(apps, 'createApp', {
    body: { projectId, name, packageType, defaultLang: 'enUS', deviceTypes: [8], kindMainTag: 10101 },
  })
  const { version } = await owner.ok(versions, 'getVersion', { query: { appId } })
  if (!version) throw new Error('the app has no version')
  const { versionId } = version
  const { revision } = await owner.ok(versions, 'updateVersion', {
    body: {
      versionId,
      countries: ['CN', 'DE'],
      privacyPolicyUrl: 'https://example.org/privacy',
      revision: version.revision,
    },
  })
  const iconObjectId = await owner.upload(solidPng(216), 'icon.png', 'app_img')
  const objectIds: string[] = []
  for (let shot = 1; shot <= 4; shot++) objectIds.push(await owner.upload(solidPng(840), `${shot}.png`, 'app_img'))
  await owner.ok(versionListings, 'updateListing', {
    body: {
      versionId,
      lang: 'enUS',
      appName: name,
      briefInfo: 'Shows a thing',
      appDesc: 'Shows a thing, and says what it is.',
      newFeatures: 'A thing',
      iconObjectId,
      screenshots: [{ deviceType: 8, showType: 0, objectIds }],
      revision,
    },
  })
  return { projectId, appId, versionId }
}

/** Uploads a package and starts its pipeline; does not wait for it. */
export async function startPackage(
  owner: Visitor,
  appId: string,
  bytes: Buffer,
  fileName = 'app.apk',
): Promise<{ pkgId: string; taskId: string }> {
  const objectId = await owner.upload(bytes, fileName, 'app_pkg')
  const { pkgId, taskId } = await owner.ok(packages, 'createPackage', { body: { appId, objectId } })
  return { pkgId, taskId }
}

/** Uploads a package, waits until it may be released, and puts it into the version. */
export async function addPackage(
  owner: Visitor,
  appId: string,
  versionId: string,
  bytes: Buffer,
  fileName?: string,
): Promise<string> {
  const { pkgId } = await startPackage(owner, appId, bytes, fileName)
  await untilReady(owner, pkgId)
  const { version } = await owner.ok(versions, 'getVersion', { query: { appId, versionId } })
  await owner.ok(versions, 'updateVersion', { body: { versionId, pkgId, revision: version?.revision ?? 1 } })
  return pkgId
}

/** Submits a version and waits for the task on the desk. */
export async function submitRelease(
  owner: Visitor,
  reviewer: Visitor,
  { appId, versionId, releasePhase = 0 }: { appId: string; versionId: string; releasePhase?: 0 | 3 },
): Promise<string> {
  await owner.ok(versions, 'submitVersion', { body: { versionId, releasePhase } })
  return until('a task on the desk', async () => {
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId } })
    return list.find(task => task.versionId === versionId && task.state !== 'CANCELED')?.taskId
  })
}

/** Submits a version and passes it on the desk. */
export async function approve(
  owner: Visitor,
  reviewer: Visitor,
  release: { appId: string; versionId: string; releasePhase?: 0 | 3 },
): Promise<void> {
  const taskId = await submitRelease(owner, reviewer, release)
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict: 'APPROVE' } })
}

/** A second version that some devices get first, at its second day. */
export async function rollOut(owner: Visitor, reviewer: Visitor) {
  const { appId, versionId } = await draftRelease(owner, 'Ferry', 'NO_PACKAGE')
  await approve(owner, reviewer, { appId, versionId })
  const next = await owner.ok(versions, 'createVersion', { body: { appId } })
  const { revision } = next
  const news = { versionId: next.versionId, lang: 'enUS', newFeatures: 'A thing more', revision }
  await owner.ok(versionListings, 'updateListing', { body: news })
  await approve(owner, reviewer, { appId, versionId: next.versionId, releasePhase: 3 })
  const change = (wish: object) =>
    owner.ok(versionPhased, 'updatePhasedRelease', { body: { versionId: next.versionId, ...wish } })
  await change({ gates: [{ metric: 'crashRate', op: '>', value: 2, minUsers: 100, action: 'PAUSE' }] })
  await change({ phaseDay: 2 })
  return { appId, versionId: next.versionId }
}

/** A test group, and where packages can be built a test that runs for it. */
export async function startTest(
  owner: Visitor,
  appId: string,
  made: { folder: string; packageName: string } | null,
): Promise<void> {
  const { groupId } = await owner.ok(betaGroups, 'createGroup', { body: { appId, name: 'Crew', kind: 'INTERNAL' } })
  const users = [{ account: 'crew@example.com' }]
  await owner.ok(betaPeople, 'addGroupUsers', { params: { groupId }, body: { users } })
  if (!made) return
  const apk = path.join(made.folder, 'test.apk')
  await buildApk(apk, { package: made.packageName, versionCode: 900, versionName: '9.0-test' })
  const { pkgId } = await startPackage(owner, appId, readFileSync(apk))
  await untilReady(owner, pkgId)
  const { versionId } = await owner.ok(versionTests, 'createTestVersion', {
    body: { appId, pkgId, testDesc: 'The new map' },
  })
  const body = { versionId, groupIds: [groupId], endAt: Date.now() + 1_209_600_000 }
  await owner.ok(versionTests, 'releaseTest', { body })
}

/** Waits until a package can be used. */
export async function untilReady(owner: Visitor, pkgId: string): Promise<void> {
  await until('the package to be ready', async () => {
    const { state } = await owner.ok(packages, 'getPackage', { query: { pkgId } })
    return state === 'READY'
  })
}
