import { apps } from '../src/services/distribute/apps/contract.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { packages } from '../src/services/distribute/packages/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import type { Visitor } from './loggia.ts'

/** An app for watches, whose pictures are square, with a version that lacks only its package, if it is to have one. */
export async function draftRelease(
  owner: Visitor,
  name: string,
  packageType: 'ANDROID' | 'NO_PACKAGE' = 'ANDROID',
): Promise<{ appId: string; versionId: string }> {
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
  await owner.ok(versions, 'updateListing', {
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
  return { appId, versionId }
}

/** Uploads a package and starts its pipeline; does not wait for it. */
export async function startPackage(
  owner: Visitor,
  appId: string,
  bytes: Buffer,
): Promise<{ pkgId: string; taskId: string }> {
  const objectId = await owner.upload(bytes, 'app.apk', 'app_pkg')
  const { pkgId, taskId } = await owner.ok(packages, 'createPackage', { body: { appId, objectId } })
  return { pkgId, taskId }
}
