import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { NoSuchBytes, type Range } from '../../../server/engines/bytes/port.ts'
import { signedDownload } from './addresses.ts'
import { receiveBytes } from './arrival.ts'
import { type FileRow, loadObject, loadObjects, noSuchObject } from './queries.ts'
import { type HeldFor, takeReferences } from './references.ts'
import { type BizTag, bizTagOf, type FileState, type PictureSize } from './rules.ts'
import { readVideo, type VideoFacts } from './tasks/video.ts'
import { type FormCheck, takeUpload } from './uploads/upload-body.ts'

export type { HeldFor } from './references.ts'

/** A stored file as other services see it: TEMP or NORMAL, so its bytes are in. */
export interface StoredObject {
  objectId: string
  teamId: string
  bizTag: BizTag
  fileName: string
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
  /** Sniffed from the bytes; `application/octet-stream` where they say nothing. */
  mime: string
  state: FileState
  /** Pixels, for PNG, JPEG and WEBP. */
  width: number | null
  height: number | null
}

/** The object, if it is of the caller's team, within his scope and in the zone of the call. Refuses 404. */
export async function objectOf(ctx: Context, objectId: string): Promise<StoredObject> {
  return toStored(await loadObject(ctx, objectId))
}

/** Those of the objects that the caller reaches in the zone of the call, by their ids; the others are left out. One query. */
export async function objectsOf(ctx: Context, objectIds: readonly string[]): Promise<Map<string, StoredObject>> {
  return new Map((await loadObjects(ctx, objectIds)).map(row => [row.objectId, toStored(row)]))
}

/** Says that an app refers to each object now: TEMP becomes NORMAL, so it neither expires nor can be deleted, and whoever reaches the app or its project reaches the object. One call a reference; an id given twice counts twice. Refuses 404 for one that the caller does not reach, and for an expired one. */
export async function holdObjects(ctx: Context, objectIds: readonly string[], heldFor: HeldFor): Promise<void> {
  const missing = await takeReferences(ctx, objectIds, heldFor)
  if (missing !== undefined) noSuchObject(missing)
}

/** Takes one reference from each object; the last one makes it TEMP again, to live 24 hours more. Unknown ids are passed over. */
export async function releaseObjects(ctx: Context, objectIds: readonly string[]): Promise<void> {
  await takeReferences(ctx, objectIds, null)
}

/** Stores bytes made by the server for an app, in the call's zone and for its team: NORMAL with one reference. Streams with no transaction open and commits its own row. Refuses 413 past `limitBytes`. */
export async function storeObject(
  ctx: Context,
  wanted: { stream: Readable; fileName: string; bizTag: BizTag; limitBytes: number; heldFor: HeldFor },
): Promise<StoredObject> {
  return toStored(await receiveBytes(ctx, { ...wanted, teamId: ctx.teamId, state: 'NORMAL' }))
}

/** Takes the one file of a form that somebody sends, for the context's team: TEMP, as what its extension says. `check` sees all fields before the bytes become an object, and may refuse. Refuses what any upload refuses, and 413 past `limitBytes`. */
export async function takeForm(
  ctx: Context,
  request: FastifyRequest,
  wanted: { extension: string; check: FormCheck; limitBytes?: number },
): Promise<StoredObject> {
  const tag = bizTagOf(`file.${wanted.extension}`)
  return toStored(await takeUpload(ctx, request, {}, tag, wanted.check, wanted.limitBytes))
}

/** An object's bytes as a file. Call `release` when done. */
export interface LocalObject {
  path: string
  release(): Promise<void>
  /**
   * What a film says of itself; null where the file is no container or has no video track. Throws when its headers
   * cannot be read within the limits.
   */
  film(signal?: AbortSignal): Promise<VideoFacts | null>
}

/** The object's bytes as a file, to be read at random. Refuses 404. */
export async function localObject(ctx: Context, objectId: string): Promise<LocalObject> {
  const { sha256, sizeBytes } = await objectOf(ctx, objectId)
  const file = await ctx.server.bytes(ctx.zone).localFile(sha256).catch(orNoSuchObject(objectId))
  return { path: file.path, release: () => file.release(), film: signal => readVideo(file.path, sizeBytes, signal) }
}

/** The object and its bytes, or a range of them (both ends inclusive). Refuses 404. */
export async function readObject(
  ctx: Context,
  objectId: string,
  range?: Range,
): Promise<{ object: StoredObject; stream: Readable }> {
  const object = await objectOf(ctx, objectId)
  const stream = await ctx.server.bytes(ctx.zone).read(object.sha256, range).catch(orNoSuchObject(objectId))
  return { object, stream }
}

/** An absolute address that anybody may read the object from, for an hour unless said; with `picture`, the picture in that width or `full`, without what the camera wrote into it: what the public gets. The caller has checked that it may be seen: this looks at no row, and an address of what is gone answers 404. */
export function downloadUrlOf(
  ctx: Context,
  objectId: string,
  options: { ttlSeconds?: number; fileName?: string; picture?: PictureSize } = {},
): string {
  return signedDownload(ctx, objectId, options)
}

/** Objects and bytes that the caller's team stores in a zone. */
export async function storageUsed(ctx: Context, zone: ZoneId): Promise<{ objects: number; bytes: number }> {
  const { rows } = await ctx.transaction(zone).query<{ objects: string; bytes: string }>({
    text: `SELECT count(*) AS objects, coalesce(sum(size_bytes), 0) AS bytes FROM file_objects
      WHERE team_id = $1 AND state IN ('TEMP', 'NORMAL')`,
    values: [ctx.teamId],
  })
  return { objects: Number(rows[0]?.objects ?? 0), bytes: Number(rows[0]?.bytes ?? 0) }
}

function orNoSuchObject(objectId: string) {
  return (error: unknown): never => {
    if (error instanceof NoSuchBytes) noSuchObject(objectId)
    throw error
  }
}

function toStored(row: FileRow): StoredObject {
  return { ...row, sha256: row.sha256 ?? '', mime: row.mime ?? 'application/octet-stream' }
}
