import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { apps } from '../apps/contract.ts'
import { androidSuite, suiteWhen } from '../packages/apk/android-suite.testkit.ts'
import { buildApk } from '../packages/apk/build-apk.testkit.ts'
import { packages } from '../packages/contract.ts'
import { realPackages, uploadBytes } from '../packages/packages.testkit.ts'
import { versions } from './contract.ts'
import { versionHistory } from './history/contract.ts'
import { current, fillDraft, newApp } from './versions.testkit.ts'

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
})
afterAll(() => stage.close())

/** Chooses the package for the version as soon as it is uploaded and submits without waiting for it. */
async function submitAtOnce(appId: string, file: string) {
  const { versionId, revision } = await fillDraft(stage, owner, appId, 1, { state: 'FAILED' })
  const objectId = await uploadBytes(stage, owner, await readFile(file))
  const { pkgId } = await owner.ok(packages, 'createPackage', { body: { appId, objectId } })
  await owner.ok(versions, 'updateVersion', { body: { versionId, pkgId, revision } })
  const sent = await owner.ok(versions, 'submitVersion', { body: { versionId, submitWhenReady: true } })
  expect(sent.isQueued || sent.isSubmitted).toBe(true)
  await stage.settle()
  return { pkgId, version: await current(owner, versionId) }
}

androidSuite('a package built for release', () => {
  it('is submitted while it is processed and goes to review by itself', async () => {
    const { appId } = await newApp(owner)
    const file = path.join(stage.dataDir, 'release.apk')
    await buildApk(file, { package: 'org.loggia.garden', versionCode: 225, versionName: '9.0.0' })
    const { pkgId, version } = await submitAtOnce(appId, file)
    expect(version).toMatchObject({ state: 'IN_REVIEW', versionCode: '225', versionName: '9.0.0', findings: [] })
    expect((await owner.ok(apps, 'getApp', { query: { appId } })).packageName).toBe('org.loggia.garden')
    const codes = await owner.ok(versionHistory, 'listVersionCodes', { query: { appId } })
    expect(codes.list).toMatchObject([
      { pkgId, versionCode: '225', versions: [{ versionId: version.versionId, state: 'IN_REVIEW' }] },
    ])
  })
})

suiteWhen(existsSync(realPackages.uiautomator9), 'npm install', 'a package signed with a public test key', () => {
  it('stops the submit that waited for it, and the version says why', async () => {
    const { appId } = await newApp(owner)
    const { version } = await submitAtOnce(appId, realPackages.uiautomator9)
    expect(version).toMatchObject({ state: 'DRAFT', isSubmitQueued: false })
    expect(version.findings.map(one => one.rule)).toContain('package.failed')
    expect(version.findings.find(one => one.rule === 'package.failed')?.message).toContain('public test key')
  })
})

describe('deleting the app', () => {
  it('and submitting its version at the same time: never both', async () => {
    for (let round = 0; round < 3; round++) {
      const { appId } = await newApp(owner)
      const { versionId } = await fillDraft(stage, owner, appId, 1)
      const [removed, sent] = await Promise.all([
        owner.call(apps, 'deleteApp', { query: { appId } }),
        owner.call(versions, 'submitVersion', { body: { versionId } }),
      ])
      expect([removed.status, sent.status].filter(status => status === 200)).toHaveLength(1)
      await stage.settle()
    }
  })
})
