import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import { type ApkOptions, buildApk } from '../packages/apk/build-apk.testkit.ts'
import { processed, uploadBytes } from '../packages/packages.testkit.ts'
import { versions } from '../versions/contract.ts'
import { versionListings } from '../versions/listing/contract.ts'
import { decideVersion } from '../versions/public.ts'

const news = { enUS: 'Better', zhCN: '更好', ruRU: 'Лучше' }

/** An app whose first version is being prepared, in the zone of its developer. */
export async function newApp(stage: Stage, owner: Person, name: string, pictures: { shot?: Buffer } = {}) {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name } })
  const body = {
    projectId,
    name,
    packageType: 'ANDROID' as const,
    defaultLang: 'enUS',
    deviceTypes: [4],
    kindMainTag: 10101,
  }
  const { appId } = await owner.ok(apps, 'createApp', { body })
  const { version } = await owner.ok(versions, 'getVersion', { query: { appId } })
  if (!version) throw new Error('the app has no version')
  const send = async (width: number, height: number) =>
    uploadBytes(stage, owner, png(width, height), 'picture.png', 'app_img')
  const shot = pictures.shot ? await uploadBytes(stage, owner, pictures.shot, 'photo.jpg', 'app_img') : null
  const shots = [shot ?? (await send(720, 1280)), await send(720, 1280), await send(720, 1280)]
  const listing = {
    versionId: version.versionId,
    appName: name,
    briefInfo: 'In brief',
    appDesc: 'At length',
    iconObjectId: await send(216, 216),
    screenshots: [{ deviceType: 4, showType: 0, objectIds: shots }],
  }
  let { revision } = version
  for (const lang of Object.keys(news)) {
    const own = lang === 'enUS' ? listing : { ...listing, briefInfo: lang, iconObjectId: null, screenshots: [] }
    const answer = await owner.ok(versionListings, 'updateListing', { body: { ...own, lang, revision } })
    revision = answer.version.revision
  }
  return { appId }
}

/** Builds a package, chooses it for the version being prepared, and takes it through review onto the shelf. */
export async function release(
  stage: Stage,
  owner: Person,
  {
    appId,
    folder,
    zone,
    apk,
    bundle,
  }: {
    appId: string
    folder: string
    zone: ZoneId
    apk: ApkOptions /** Path of an AAB, in the place of the package. */
    bundle?: string
  },
): Promise<{ versionId: string; bytes: Buffer }> {
  const file = bundle ?? (await buildApk(path.join(folder, `${appId}-${apk.versionCode}.apk`), apk))
  const bytes = await readFile(file)
  const { pkgId } = await processed(stage, owner, { appId, file: bytes, fileName: path.basename(file) })
  const { version, onShelf } = await owner.ok(versions, 'getVersion', { query: { appId } })
  const draft =
    version && onShelf?.versionId !== version.versionId
      ? version
      : await owner.ok(versions, 'createVersion', { body: { appId } })
  const { versionId } = draft
  const settings = {
    pkgId,
    countries: ['DE', 'FR'],
    privacyPolicyUrl: 'https://example.org/privacy',
    inAppUpdatePriority: 3,
  }
  let { revision } = await owner.ok(versions, 'updateVersion', {
    body: { versionId, ...settings, revision: draft.revision },
  })
  for (const [lang, newFeatures] of Object.entries(news)) {
    const answer = await owner.ok(versionListings, 'updateListing', {
      body: { versionId, lang, newFeatures, revision },
    })
    revision = answer.version.revision
  }
  await owner.ok(versions, 'submitVersion', { body: { versionId } })
  await stage.settle()
  const system = systemContext(stage.booted.server, zone, { name: 'test', teamId: owner.teamId })
  await system.transact(ctx => decideVersion(ctx, { versionId, verdict: 'approve' }))
  await stage.settle()
  return { versionId, bytes }
}

/** A grey PNG; two of one size differ in nothing. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc((width + 1) * height))
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(body.length, 0)
  around.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)])
}
