import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { eq, inArray } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import {
  type HeldFor,
  localObject,
  objectsOf,
  releaseObjects,
  type StoredObject,
  storeObject,
} from '../../ground/files/public.ts'
import type { AppRow } from '../apps/public.ts'
import { type PassedPicture, passedPictureOf } from '../distribution-view/public.ts'
import { type ServedTest, testsToServe } from '../material/public.ts'
import { type Published, publishedOf, type VersionListing } from '../versions/public.ts'
import { storePictures } from './tables.ts'

export type PictureRecord = typeof storePictures.$inferSelect

export const pictureJob = 'store.pictures'
const deadlineMs = 10 * 60_000
const limitBytes = 64 << 20
const maxPixels = 100_000_000
const quality = 90

/** The pictures of a version that the public may get are made while the store looks at it. */
export function startPictures(ctx: Context, version: { versionId: string; teamId: string | null }): void {
  const { versionId, teamId } = version
  ctx.startJob({ kind: pictureJob, subject: versionId, input: { versionId }, deadlineMs, teamId })
}

/** What the developer sent, by its id, as the public gets it; without what is still to be made. */
export async function picturesOf(ctx: Context, objectIds: readonly string[]): Promise<Map<string, PictureRecord>> {
  if (objectIds.length === 0) return new Map()
  const rows = await ctx.db
    .select()
    .from(storePictures)
    .where(inArray(storePictures.objectId, [...new Set(objectIds)]))
  return new Map(rows.map(row => [row.objectId, row]))
}

export function pictureIdsOf(
  listings: readonly VersionListing[],
  passed: PassedPicture | null,
  tests: readonly ServedTest[],
): string[] {
  const ids = listings.flatMap(({ icon, screenshots, film, filmCover }) => [
    ...[icon, film, filmCover].flatMap(one => one?.objectId ?? []),
    ...screenshots.flatMap(device => device.images.map(image => image.objectId)),
  ])
  return [...new Set([...ids, ...(passed ? [passed.objectId] : []), ...testPictureIds(tests)])]
}

/** What the variants of tests show, of the elements that are tested. */
export function testPictureIds(tests: readonly ServedTest[]): string[] {
  return tests.flatMap(({ elements, variants }) =>
    variants.flatMap(({ materials }) =>
      materials.flatMap(({ icon, screenshots, film }) => [
        ...(icon && elements.includes('icon') ? [icon.objectId] : []),
        ...(film && elements.includes('video') ? [film.objectId] : []),
        ...(screenshots && elements.includes('screenshots')
          ? screenshots.flatMap(device => device.images.map(image => image.objectId))
          : []),
      ]),
    ),
  )
}

/** Makes what is missing of a version's pictures; answers the version, null when it is gone or has nothing to publish. */
export async function makePictures(ctx: Context, job: JobRun): Promise<Published | null> {
  const versionId = String(job.input['versionId'])
  const published = await ctx.transact(inner => publishedOf(inner, versionId)).catch(orNull)
  if (!published?.package) return null
  const passed = await ctx.transact(inner => passedPictureOf(inner, published.app.appId))
  const tests = await ctx.transact(inner => testsToServe(inner, published.app.appId))
  const objectIds = pictureIdsOf(published.listings, passed, tests)
  const made = await ctx.transact(inner => picturesOf(inner, objectIds))
  const missing = objectIds.filter(objectId => !made.has(objectId))
  for (const [index, objectId] of missing.entries()) {
    job.signal.throwIfAborted()
    await job.progress(`${index + 1}/${missing.length}`, Math.floor((index * 100) / missing.length))
    await makeOne(ctx, published.app, objectId)
  }
  return published
}

/** Lets go of all that was made for an app. */
export async function dropPictures(ctx: Context, appId: string): Promise<void> {
  const gone = await ctx.db.delete(storePictures).where(eq(storePictures.appId, appId)).returning()
  await releaseObjects(
    ctx,
    gone.flatMap(row => row.publicObjectId ?? []),
  )
}

async function makeOne(ctx: Context, app: AppRow, objectId: string): Promise<void> {
  const { appId, teamId, projectId } = app
  const stored = await publicCopy(ctx, objectId, { appId, projectId })
  if (stored === null) ctx.log.warn({ objectId }, 'a picture or film of a listing cannot be published')
  await ctx.transact(async inner => {
    const { sha256 = null, sizeBytes = null, mime = null } = stored ?? {}
    const row = { objectId, teamId, appId, publicObjectId: stored?.objectId ?? null, sha256, sizeBytes, mime }
    const kept = await inner.db.insert(storePictures).values(row).onConflictDoNothing().returning()
    // Another process was faster.
    if (kept.length === 0 && stored) await releaseObjects(inner, [stored.objectId])
  })
}

/** What the public gets of a picture or film; null where it is gone or neither. */
async function publicCopy(ctx: Context, objectId: string, heldFor: HeldFor): Promise<StoredObject | null> {
  const object = await ctx.transact(async inner => (await objectsOf(inner, [objectId])).get(objectId))
  if (!object) return null
  const local = await ctx.transact(inner => localObject(inner, objectId)).catch(orNull)
  if (!local) return null
  const { fileName, mime, sizeBytes } = object
  try {
    if (mime === 'video/mp4') {
      const film = { bizTag: 'app_video' as const, limitBytes: sizeBytes }
      return await storeObject(ctx, { ...film, stream: createReadStream(local.path), fileName, heldFor })
    }
    const bytes = await bareCopy(local.path, mime)
    if (bytes === null) return null
    const picture = { bizTag: 'app_img' as const, limitBytes }
    return await storeObject(ctx, { ...picture, stream: Readable.from([bytes]), fileName, heldFor })
  } finally {
    await local.release()
  }
}

/** The picture upright and in its own kind, without what the camera wrote into it: place, time, device, thumbnail. */
async function bareCopy(path: string, mime: string): Promise<Buffer | null> {
  const { default: sharp } = await import('sharp')
  const upright = sharp(path, { limitInputPixels: maxPixels }).autoOrient()
  if (mime === 'image/jpeg') upright.jpeg({ quality })
  else if (mime === 'image/webp') upright.webp({ quality })
  else if (mime === 'image/png') upright.png()
  else return null
  return upright.toBuffer().catch(() => null)
}

function orNull(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
