import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices } from '../../ground/notices/contract.ts'
import { androidSuite } from '../packages/apk/android-suite.testkit.ts'
import { buildApk } from '../packages/apk/build-apk.testkit.ts'
import { temporaryFolder } from '../packages/apk/temporary-folder.testkit.ts'
import { packages } from '../packages/contract.ts'
import { newApp, processed, realPackages } from '../packages/packages.testkit.ts'
import { versions } from '../versions/contract.ts'
import { appChecks } from './contract.ts'
import { detections, testTasks } from './detection/contract.ts'

const folder = temporaryFolder()
let stage: Stage
let owner: Person
let site: Server
let policy: string
const asked: string[] = []
beforeAll(async () => {
  site = createServer((request, reply) => {
    asked.push(request.url ?? '')
    reply.end(`<html><script>${'x'.repeat(500)}</script><p>${'What becomes of your data. '.repeat(20)}</p></html>`)
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  policy = `http://127.0.0.1:${port}/privacy`
  stage = await openStage({ outboundAllow: [`127.0.0.1:${port}`] })
  owner = await stage.person()
})
afterAll(async () => {
  await stage.close()
  site.close()
})

async function setPolicy(appId: string, url: string) {
  const { version } = await owner.ok(versions, 'getVersion', { query: { appId } })
  if (!version) await owner.ok(versions, 'createVersion', { body: { appId } })
  await stage.sql('CN', 'UPDATE versions SET privacy_policy_url = $2 WHERE app_id = $1', [appId, url])
}

async function realApp(file = realPackages.settings9) {
  const { appId } = await newApp(owner)
  const { pkgId } = await processed(stage, owner, { appId, file, usage: 'TEST_ONLY' })
  return { appId, pkgId }
}

async function checked(body: { appId: string; pkgId: string }, who = owner) {
  const { checkId } = await who.ok(appChecks, 'createCheck', { body })
  await stage.settle()
  return who.ok(appChecks, 'getCheck', { query: { checkId } })
}

type Check = Awaited<ReturnType<typeof checked>>
const resultsOf = (check: Check) => Object.fromEntries(check.items.map(item => [item.ruleId, item.result]))

describe('a check of what other people built', () => {
  it('finds what is known of it, and asks its privacy policy by the one way out', async () => {
    const { appId, pkgId } = await realApp()
    await setPolicy(appId, policy)
    const check = await checked({ appId, pkgId })
    expect(check).toMatchObject({ state: 'FAILED', status: 3, percent: 100, packageName: 'io.appium.settings' })
    expect(resultsOf(check)).toMatchObject({
      ...{ signature: 'BLOCK', signatureScheme: 'PASS', debuggable: 'BLOCK', exported: 'WARN', cleartext: 'PASS' },
      ...{ permissions: 'WARN', permissionsForTarget: 'WARN', privacyStatement: 'PASS', targetSdk: 'PASS' },
      ...{ icon: 'PASS', label: 'PASS', secrets: 'PASS', battery: 'NOT_RUN', crashes: 'NOT_RUN' },
    })
    expect(check.items[0]?.result).toBe('BLOCK')
    expect(check.items.find(item => item.ruleId === 'exported')?.evidence).toContain(
      'service io.appium.settings.LocationService',
    )
    expect(asked).toContain('/privacy')
    const { list } = await owner.ok(notices, 'listNotices', { query: { pageSize: 100 } })
    expect(list.find(one => one.entityId === check.checkId)?.href).toBe(`/checks/${check.checkId}`)
  })

  it('reaches no address inside this network, and does not tell what is there', async () => {
    const { appId, pkgId } = await realApp()
    for (const url of ['http://127.0.0.1:1/', 'http://169.254.169.254/latest/meta-data/', 'http://[::1]:5432/']) {
      await setPolicy(appId, url)
      const { items } = await checked({ appId, pkgId })
      const item = items.find(one => one.ruleId === 'privacyStatement')
      expect(item?.result).toBe('WARN')
      expect(JSON.stringify(item?.evidence)).not.toMatch(/ECONN|postgres|meta-data/)
    }
  })

  it('goes on when the package is deleted meanwhile', async () => {
    const { appId, pkgId } = await realApp()
    const { checkId } = await owner.ok(appChecks, 'createCheck', { body: { appId, pkgId } })
    await owner.ok(packages, 'deletePackage', { query: { pkgId } })
    await stage.settle()
    expect((await owner.ok(appChecks, 'getCheck', { query: { checkId } })).state).toBe('FAILED')
  })
})

describe('a check', () => {
  it('is one at a time an app, whoever begins it at once', async () => {
    const { appId, pkgId } = await realApp()
    const body = { appId, pkgId, kinds: ['UX' as const] }
    const replies = await Promise.all([1, 2, 3].map(() => owner.call(appChecks, 'createCheck', { body })))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409, 409])
    expect(replies.find(reply => reply.status === 409)?.body.ret.code).toBe(202120001)
    await stage.settle()
    const { list, total } = await owner.ok(appChecks, 'listChecks', { query: { appId } })
    expect([total, list[0]?.kinds, list[0]?.state]).toEqual([1, ['UX'], 'PASSED'])
  })

  it('has a report to keep, in three languages, that runs nothing of what strangers wrote', async () => {
    const { appId, pkgId } = await realApp()
    const { checkId } = await checked({ appId, pkgId })
    const evil = '<img src=x onerror=alert(1)>'
    await stage.sql(
      'CN',
      `UPDATE app_checks SET subject = jsonb_set(subject, '{packageName}', to_jsonb($2::text)) WHERE check_id = $1`,
      [checkId, evil],
    )
    const page = await owner.call(appChecks, 'getReport', { params: { checkId }, query: { language: 'ru' } })
    expect([page.status, page.headers['content-disposition']]).toEqual([
      200,
      `attachment; filename="check-${checkId}.html"`,
    ])
    expect(page.text).toContain('Отчёт о проверке')
    expect(page.text).not.toContain(evil)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const json = await owner.call(appChecks, 'getReport', { params: { checkId }, query: { format: 'json' } })
    expect(JSON.parse(json.text)).toMatchObject({ checkId, state: 'FAILED', counts: { NOT_RUN: 2 } })
  })

  it('is nobody else’s: another team’s is 404, and an analyst only reads', async () => {
    const { appId, pkgId } = await realApp()
    const { checkId } = await checked({ appId, pkgId })
    const stranger = await stage.person()
    const body = { appId, pkgId }
    expect((await stranger.call(appChecks, 'getCheck', { query: { checkId } })).status).toBe(404)
    expect((await stranger.call(appChecks, 'getReport', { params: { checkId } })).status).toBe(404)
    expect((await stranger.call(appChecks, 'deleteCheck', { params: { id: checkId } })).status).toBe(404)
    expect((await stranger.call(appChecks, 'createCheck', { body })).status).toBe(404)
    const own = await newApp(stranger)
    const foreign = await stranger.call(appChecks, 'createCheck', { body: { appId: own.appId, pkgId } })
    expect(foreign.status).toBe(404)
    const analyst = await stage.person({ team: owner.teamId, roles: ['analyst'] })
    expect((await analyst.call(appChecks, 'createCheck', { body })).status).toBe(403)
    expect((await analyst.ok(appChecks, 'getCheck', { query: { checkId } })).allowedActions).toEqual([])
    const other = await newApp(owner)
    const mixed = await owner.call(appChecks, 'createCheck', { body: { appId: other.appId, pkgId } })
    expect([mixed.status, mixed.body.ret.code]).toEqual([422, 202120003])
  })

  it('is deleted, also while it runs; in the China zone it is the same one', async () => {
    const { appId, pkgId } = await realApp()
    const { checkId } = await owner.ok(appChecks, 'createCheck', { body: { appId, pkgId }, zone: 'CN' })
    const early = await owner.call(appChecks, 'getReport', { params: { checkId }, zone: 'CN' })
    expect([200, 422]).toContain(early.status)
    await owner.ok(appChecks, 'deleteCheck', { params: { id: checkId }, zone: 'CN' })
    await stage.settle()
    expect((await owner.call(appChecks, 'getCheck', { query: { checkId } })).status).toBe(404)
    const rows = await stage.sql<{ held: number }>(
      'CN',
      'SELECT ref_count AS held FROM file_objects o JOIN packages p ON p.object_id = o.object_id WHERE p.pkg_id = $1',
      [pkgId],
    )
    expect(rows[0]?.held).toBe(1)
  })
})

describe('a detection task', () => {
  it('checks several apps at once and tells how each stands', async () => {
    const [one, two] = [await realApp(), await realApp(realPackages.settings10)]
    const body = { apps: [one, two], kinds: ['UX' as const, 'COMPAT' as const] }
    const { taskId, list } = await owner.ok(detections, 'createDetection', { body })
    expect(list.map(row => [row.isJoined, row.status])).toEqual([
      [false, 0],
      [false, 0],
    ])
    const again = await owner.ok(detections, 'createDetection', { body })
    expect(again.list.map(row => row.checkId)).toEqual(list.map(row => row.checkId))
    await stage.settle()
    const result = await owner.ok(detections, 'listAppResults', { body: { taskId } })
    expect([result.isFinished, result.list.map(row => row.status)]).toEqual([true, [2, 2]])
    const newest = await owner.ok(detections, 'listAppResults', { body: { appIds: [two.appId] } })
    expect(newest.list.map(row => row.appId)).toEqual([two.appId])
    const stranger = await stage.person()
    expect((await stranger.call(detections, 'listAppResults', { body: { taskId } })).status).toBe(404)
    expect((await stranger.ok(detections, 'listAppResults', { body: { appIds: [one.appId] } })).list).toEqual([])
    expect((await owner.call(detections, 'listAppResults', { body: {} })).status).toBe(400)
  })

  it('says what can be run here, and what a device would be needed for', async () => {
    const { kinds } = await owner.ok(testTasks, 'getTestTaskConfig', {})
    expect(kinds.filter(one => !one.canRun).map(one => [one.kind, one.needs])).toEqual([
      ['POWER', 'device'],
      ['STABILITY', 'device'],
    ])
    expect(kinds.flatMap(one => one.rules).length).toBe(25)
  })
})

androidSuite('a package built for it', () => {
  it('is blocked for an open provider, a key inside and an unsaid component', async () => {
    const { appId } = await newApp(owner)
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(4)}\n-----END PRIVATE KEY-----`
    const file = await buildApk(folder.path('open.apk'), {
      package: 'org.example.open',
      permissions: ['android.permission.CAMERA'],
      applicationAttributes: 'android:usesCleartextTraffic="true"',
      applicationElements: `<provider android:name=".Open" android:authorities="a" android:exported="true"/>
        <receiver android:name=".Unsaid"><intent-filter><action android:name="x"/></intent-filter></receiver>`,
      files: { 'assets/key.pem': Buffer.from(key) },
    })
    const { pkgId } = await processed(stage, owner, { appId, file })
    const check = await checked({ appId, pkgId })
    expect(resultsOf(check)).toMatchObject({
      ...{ exported: 'BLOCK', exportedSaid: 'BLOCK', secrets: 'BLOCK', cleartext: 'WARN', privacyStatement: 'BLOCK' },
      ...{ signature: 'PASS', debuggable: 'PASS', permissions: 'INFO' },
    })
    expect(JSON.stringify(check)).not.toContain('MIIEvQ')
  })
})
