import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Stage } from '../../../testkit/stage.ts'
import { askForIndexes } from './repository/asking.ts'
import { apkNameOf } from './rules.ts'
import type { Listing, MediaRef, PermissionUse } from './tables.home.ts'
import { checkLog } from './transparency/check.ts'

export interface ShelfWish {
  packageName: string
  versionCode: string
  bytes?: Buffer
  zone?: ZoneId
  teamId?: string
  appId?: string
  state?: 'on_shelf' | 'superseded' | 'off'
  isForcedOff?: boolean
  signers?: string[]
  minSdk?: number | null
  abis?: string[]
  countries?: string[]
  permissions?: PermissionUse[]
  listings?: Record<string, Listing>
  at?: number
}

export interface OnShelf {
  versionId: string
  appId: string
  teamId: string
  packageName: string
  apkName: string
  sha256: string
  bytes: Buffer
}

export const signer = 'a'.repeat(64)

/** A listing in words that tell it from others. */
export const listing = (name: string, more: Partial<Listing> = {}): Listing => ({
  name,
  brief: `${name} in brief`,
  description: `All about ${name} & more`,
  releaseNotes: `${name} is better`,
  icon: null,
  screenshots: [],
  ...more,
})

/** Writes a published version with its bytes, as the events of versions would. */
export async function putOnShelf(stage: Stage, wish: ShelfWish): Promise<OnShelf> {
  const { server } = stage.booted
  const zone = wish.zone ?? 'CN'
  const bytes = wish.bytes ?? randomBytes(5_000)
  const { sha256 } = await server.bytes(zone).put(Readable.from([bytes]), { limitBytes: 1 << 30 })
  const versionId = server.ids.next()
  const appId = wish.appId ?? server.ids.next()
  const teamId = wish.teamId ?? server.ids.next()
  const at = wish.at ?? stage.clock.now()
  await stage.sql(
    'home',
    `INSERT INTO store_records (version_id, app_id, team_id, zone, package_name, version_code, version_name, sha256, size_bytes,
      object_id, signers, min_sdk, target_sdk, abis, permissions, listings, default_locale, countries, state, is_forced_off,
      on_shelf_at, changed_at, left_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 34, $13, $14, $15, $16, $17, $18, $19, $20, $20, $21)`,
    [
      versionId,
      appId,
      teamId,
      zone,
      wish.packageName,
      wish.versionCode,
      `1.${wish.versionCode}`,
      sha256,
      bytes.length,
      `${zone.toLowerCase()}/2026010100/x.apk`,
      wish.signers ?? [signer],
      wish.minSdk ?? null,
      wish.abis ?? [],
      JSON.stringify(wish.permissions ?? []),
      JSON.stringify(wish.listings ?? { 'en-US': listing(wish.packageName) }),
      Object.keys(wish.listings ?? { 'en-US': 1 })[0],
      wish.countries ?? [],
      wish.state ?? 'on_shelf',
      wish.isForcedOff ?? false,
      at,
      wish.state === undefined || wish.state === 'on_shelf' ? null : at,
    ],
  )
  await tellStore(stage, wish.packageName)
  const apkName = apkNameOf(wish.packageName, wish.versionCode, sha256)
  return { versionId, appId, teamId, packageName: wish.packageName, apkName, sha256, bytes }
}

/** Changes a record as a later event would. */
export async function changeRecord(stage: Stage, one: OnShelf, set: string): Promise<void> {
  await stage.sql('home', `UPDATE store_records SET ${set}, changed_at = $2 WHERE version_id = $1`, [
    one.versionId,
    stage.clock.now(),
  ])
  await stage.sql(
    'home',
    "UPDATE store_records SET left_at = CASE state WHEN 'on_shelf' THEN NULL ELSE coalesce(left_at, changed_at) END WHERE version_id = $1",
    [one.versionId],
  )
  await tellStore(stage, one.packageName)
}

/** Puts a picture into a zone and names it as a listing does. */
export async function putPicture(stage: Stage, zone: ZoneId = 'CN'): Promise<MediaRef & { bytes: Buffer }> {
  const bytes = randomBytes(900)
  const { sha256, sizeBytes } = await stage.booted.server
    .bytes(zone)
    .put(Readable.from([bytes]), { limitBytes: 1 << 20 })
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.png`
  return { name, sha256, sizeBytes, mime: 'image/png', bytes }
}

/** What the copy of a version leaves behind besides its record: the index to be made, and the word to every process. */
async function tellStore(stage: Stage, packageName: string): Promise<void> {
  const { server } = stage.booted
  const [record] = await stage.sql<{ zone: ZoneId }>('home', 'SELECT zone FROM store_records WHERE package_name = $1', [
    packageName,
  ])
  await systemContext(server, 'CN', { name: 'test' }).transact(async ctx => {
    await askForIndexes(ctx, record?.zone ?? 'CN')
    await checkLog(ctx)
    ctx.signal('home', 'store', packageName)
  })
}

/** The row of an app, as the apps service keeps it in its zone. */
export async function putApp(stage: Stage, appId: string, teamId: string, zone: ZoneId = 'DE'): Promise<void> {
  await stage.sql(
    zone,
    `INSERT INTO apps (app_id, team_id, project_id, package_type, default_lang, name, is_game, kind_sub_tags, device_types,
      contact, state, created_at, updated_at)
     VALUES ($1, $2, 1, 'ANDROID', 'enUS', 'Notes', false, '{}', '{4}', '{}', 'ACTIVE', 0, 0)`,
    [appId, teamId],
  )
}
