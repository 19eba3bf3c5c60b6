import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { appsDesk } from '../apps/desk/contract.ts'
import { hasAndroidTools, sharedKey } from '../packages/apk/build-apk.testkit.ts'
import { versions } from '../versions/contract.ts'
import { versionShelf } from '../versions/shelf/contract.ts'
import { store } from './contract.ts'
import { newApp, release } from './release.testkit.ts'
import { checkJar } from './repository/jar-reading.testkit.ts'

let stage: Stage
let owner: Person
let folder: string

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person({ zone: 'DE' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'loggia-release-'))
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true, force: true })
})

async function ask(packageName: string, versionCode: string) {
  const packages = [{ packageName, versionCode, lang: 'ru-RU', country: 'DE', sdk: 34 }]
  return (await stage.anybody.ok(store, 'queryUpdates', { body: { deviceId: 'd', packages } })).packages[0]
}

const records = (packageName: string) =>
  stage.sql('home', 'SELECT listings, has_public_pictures FROM store_records WHERE package_name = $1', [packageName])

async function readIndex() {
  await stage.settle()
  const jar = await stage.app.inject('/fdroid/de/repo/index-v1.jar')
  return JSON.parse((await checkJar(jar.rawPayload, 'index-v1.json')).body.toString())
}

/** The certificate of the key that signs test packages. */
async function certificate(): Promise<X509Certificate> {
  const key = await sharedKey()
  const store = ['-keystore', key.path, '-storepass', key.password, '-alias', key.alias]
  return new X509Certificate(execFileSync('keytool', ['-exportcert', '-rfc', ...store]))
}

describe.skipIf(!hasAndroidTools())(
  'a release (needs aapt zipalign apksigner android-framework-res openjdk-17-jdk-headless)',
  () => {
    it('reaches devices when it goes on shelf, and the next one takes its place', async () => {
      const packageName = 'org.example.released'
      const { appId } = await newApp(stage, owner, 'Released app')
      expect(await ask(packageName, '1')).toMatchObject({ result: 'NOT_FOUND' })

      const one = await release(stage, owner, {
        appId,
        folder,
        zone: 'DE',
        apk: { package: packageName, versionCode: 10 },
      })
      const offered = await ask(packageName, '9')
      expect(offered).toMatchObject({
        result: 'UPDATE',
        versionId: one.versionId,
        versionCode: '10',
        releaseNotes: 'Лучше',
        priority: 3,
      })
      const [record] = await stage.sql<Record<string, unknown>>(
        'home',
        'SELECT * FROM store_records WHERE app_id = $1',
        [appId],
      )
      const { raw } = await certificate()
      expect(record).toMatchObject({
        zone: 'DE',
        team_id: owner.teamId,
        package_name: packageName,
        min_sdk: 24,
        signers: [createHash('sha256').update(raw).digest('hex')],
        legacy_signature: createHash('md5').update(raw.toString('hex')).digest('hex'),
        countries: ['DE', 'FR'],
        default_locale: 'en-US',
      })

      const two = await release(stage, owner, {
        appId,
        folder,
        zone: 'DE',
        apk: { package: packageName, versionCode: 11 },
      })
      expect(await ask(packageName, '10')).toMatchObject({
        result: 'UPDATE',
        versionId: two.versionId,
        versionCode: '11',
      })
      const url = (await ask(packageName, '10'))?.url?.replace('http://localhost:8080', '') ?? ''
      const reply = await stage.app.inject(url)
      expect(reply.rawPayload.equals(two.bytes)).toBe(true)
      const index = await readIndex()
      expect(index.packages[packageName].map((entry: { versionCode: number }) => entry.versionCode)).toEqual([11])
      const [app] = index.apps
      const icon = await stage.app.inject(`/fdroid/de/repo/${packageName}/en-US/${app.localized['en-US'].icon}`)
      expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/png'])

      const page = await stage.anybody.ok(store, 'getApp', { params: { packageName }, query: { lang: 'zhCN' } })
      expect(page).toMatchObject({
        lang: 'zh-CN',
        releaseNotes: '更好',
        languages: expect.arrayContaining(['en-US', 'zh-CN', 'ru-RU']),
      })

      const { onShelf } = await owner.ok(versions, 'getVersion', { query: { appId } })
      const body = { versionId: onShelf?.versionId ?? '', reason: 'It will be replaced by another app.' }
      await owner.ok(versionShelf, 'shelfOffVersion', { body })
      await stage.settle()
      expect(await ask(packageName, '10')).toMatchObject({ result: 'OFF_SHELF' })
      expect((await readIndex()).apps).toEqual([])
      expect((await stage.app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
    }, 120_000)

    it('is hidden while the store has frozen the app or taken the version off, and comes back', async () => {
      const packageName = 'org.example.frozen'
      const { appId } = await newApp(stage, owner, 'Frozen app')
      const apk = { package: packageName, versionCode: 5 }
      const { versionId } = await release(stage, owner, { appId, folder, zone: 'DE', apk })
      const url = (await ask(packageName, '1'))?.url?.replace('http://localhost:8080', '') ?? ''
      const doors = async () => {
        await stage.settle()
        return [(await ask(packageName, '1'))?.result, (await stage.app.inject({ method: 'HEAD', url })).statusCode]
      }
      const senior = await stage.person({ staff: ['storeOperator', 'seniorReviewer'] })
      expect(await doors()).toEqual(['UPDATE', 200])
      const reason = 'A court has asked the store for it.'
      await senior.ok(appsDesk, 'freezeApp', { zone: 'DE', body: { appId, reason } })
      expect(await doors()).toEqual(['NOT_FOUND', 404])
      await senior.ok(appsDesk, 'unfreezeApp', { zone: 'DE', body: { appId } })
      expect(await doors()).toEqual(['UPDATE', 200])
      const notice = { versionId, reasonCode: 'LEGAL', notice: reason }
      await senior.ok(versionShelf, 'forceOffVersion', { zone: 'DE', body: notice })
      expect(await doors()).toEqual(['OFF_SHELF', 404])
      await senior.ok(versionShelf, 'restoreVersion', { zone: 'DE', body: { versionId, notice: reason } })
      expect(await doors()).toEqual(['UPDATE', 200])
    }, 120_000)

    it('is told once however often and in whatever order its events come', async () => {
      const packageName = 'org.example.repeated'
      const { appId } = await newApp(stage, owner, 'Repeated app')
      const one = await release(stage, owner, {
        appId,
        folder,
        zone: 'DE',
        apk: { package: packageName, versionCode: 1 },
      })
      await release(stage, owner, { appId, folder, zone: 'DE', apk: { package: packageName, versionCode: 2 } })
      const again = systemContext(stage.booted.server, 'DE', { name: 'test', teamId: owner.teamId })
      await again.transact(async ctx => {
        for (const type of ['version.superseded', 'version.on_shelf']) {
          ctx.emit({ type, entity: 'version', entityId: one.versionId, data: { appId } })
        }
      })
      await stage.settle()
      expect(await ask(packageName, '1')).toMatchObject({ result: 'UPDATE', versionCode: '2' })
      const states = await stage.sql(
        'home',
        'SELECT version_code, state FROM store_records WHERE app_id = $1 ORDER BY 1',
        [appId],
      )
      expect(states).toEqual([
        { version_code: '1', state: 'superseded' },
        { version_code: '2', state: 'on_shelf' },
      ])
    }, 120_000)

    it('shows the public no more of a picture than the picture: no place, no device, upright', async () => {
      const photo = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#a53' } })
        .withExif({ IFD0: { Model: 'Somebody’s phone' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer()
      expect((await sharp(photo).metadata()).exif?.includes('phone')).toBe(true)
      const packageName = 'org.example.pictured'
      const { appId } = await newApp(stage, owner, 'Pictured app', { shot: photo })
      await release(stage, owner, { appId, folder, zone: 'DE', apk: { package: packageName, versionCode: 1 } })
      const page = await stage.anybody.ok(store, 'getApp', { params: { packageName }, query: { lang: 'enUS' } })
      expect(page.screenshotUrls).toHaveLength(3)
      const urls = [page.iconUrl ?? '', ...page.screenshotUrls].map(url => url.replace('http://localhost:8080', ''))
      const seen = await Promise.all(
        urls.map(async url => {
          const { width, height, exif, xmp, iptc, orientation } = await sharp(
            (await stage.app.inject(url)).rawPayload,
          ).metadata()
          return [width, height, exif, xmp, iptc, orientation]
        }),
      )
      const bare = [undefined, undefined, undefined, undefined]
      const tall = [720, 1280, ...bare]
      expect(seen).toEqual([[216, 216, ...bare], tall, tall, tall])
      const index = await readIndex()
      const { localized } = index.apps.find((one: { packageName: string }) => one.packageName === packageName)
      const name = localized['en-US'].phoneScreenshots[0]
      const inIndex = await stage.app.inject(`/fdroid/de/repo/${packageName}/en-US/phoneScreenshots/${name}`)
      expect([inIndex.statusCode, (await sharp(inIndex.rawPayload).metadata()).exif]).toEqual([200, undefined])
      expect(inIndex.rawPayload.includes('phone')).toBe(false)
    })

    it('that was published before gets its pictures made anew by the sweep', async () => {
      const packageName = 'org.example.pictured'
      const [before] = await records(packageName)
      await stage.sql(
        'home',
        `UPDATE store_records SET has_public_pictures = false, listings = jsonb_set(listings, '{en-US,screenshots}', '[]')
          WHERE package_name = $1`,
        [packageName],
      )
      await stage.booted.worker.sweep()
      await stage.settle()
      expect(await records(packageName)).toEqual([before])
    })
  },
)
