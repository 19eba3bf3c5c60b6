import type { Person, Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import { solidPng } from '../packages/apk/png.testkit.ts'
import { uploadBytes } from '../packages/packages.testkit.ts'
import { versions } from '../versions/contract.ts'
import { versionListings } from '../versions/listing/contract.ts'
import { reviewDesk } from './desk/contract.ts'

let made = 0

/** An app with a version that has everything but a package; a page of the store only, unless it is to have one. */
export async function draftVersion(
  stage: Stage,
  owner: Person,
  name: string,
  packageType: 'NO_PACKAGE' | 'ANDROID' = 'NO_PACKAGE',
): Promise<{ appId: string; versionId: string }> {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: `${name} ${++made}` } })
  const { appId } = await owner.ok(apps, 'createApp', {
    body: { projectId, name, packageType, defaultLang: 'enUS', deviceTypes: [8], kindMainTag },
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
  const icon = await uploadBytes(stage, owner, solidPng(216), 'icon.png', 'app_img')
  const screen = await Promise.all([1, 2, 3, 4].map(() => uploadBytes(stage, owner, solidPng(840), 's.png', 'app_img')))
  await owner.ok(versionListings, 'updateListing', {
    body: {
      versionId,
      lang: 'enUS',
      appName: name,
      briefInfo: 'Shows a thing',
      appDesc: 'Shows a thing, and says what it is.',
      newFeatures: 'A thing',
      iconObjectId: icon,
      screenshots: [{ deviceType: 8, showType: 0, objectIds: screen }],
      revision,
    },
  })
  return { appId, versionId }
}

const kindMainTag = 10101

/** Hands a version in and waits until the desk has it. */
export async function handIn(stage: Stage, owner: Person, versionId: string): Promise<void> {
  await owner.ok(versions, 'submitVersion', { body: { versionId } })
  await stage.settle()
}

/** A version that waits on the desk, and its task. */
export async function waitingTask(stage: Stage, owner: Person, reviewer: Person, name: string) {
  const draft = await draftVersion(stage, owner, name)
  await handIn(stage, owner, draft.versionId)
  const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: draft.appId, state: 'QUEUED' } })
  const taskId = list[0]?.taskId
  if (taskId === undefined) throw new Error('the desk has no task')
  return { ...draft, taskId }
}

/** Claims a task and gives a verdict; a rejection names a rule. */
export async function decideTask(
  reviewer: Person,
  taskId: string,
  verdict: 'APPROVE' | 'REJECT',
  policyId = '2.1',
): Promise<void> {
  await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
  const issues = [{ policyId, severity: 'MUST_FIX' as const, text: 'The icon shows another app.' }]
  await reviewer.ok(reviewDesk, 'submitTask', { body: { taskId, verdict, ...(verdict === 'REJECT' && { issues }) } })
}
