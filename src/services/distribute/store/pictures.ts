import { Readable } from 'node:stream'
import { eq, inArray } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { localObject, objectsOf, releaseObjects, storeObject } from '../../ground/files/public.ts'
import type { AppRow } from '../apps/public.ts'
import { type PassedPicture, passedPictureOf } from '../distribution-view/public.ts'
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

export function pictureIdsOf(listings: readonly VersionListing[], passed: PassedPicture | null): string[] {
  const ids = listings.flatMap(({ icon, screenshots }) => [
    ...(icon ? [icon.objectId] : []),
    ...screenshots.flatMap(device => device.images.map(image => image.objectId)),
  ])
  return [...new Set(passed ? [...ids, passed.objectId] : ids)]
}

/** Makes what is missing of a version's pictures; answers the version, null when it is gone or has nothing to publish. */
export async function makePictures(ctx: Context, job: JobRun): Promise<Published | null> {
  const versionId = String(job.input['versionId'])
  const published = await ctx.transact(inner => publishedOf(inner, versionId)).catch(orNull)
  if (!published?.package) return null
  const passed = await ctx.transact(inner => passedPictureOf(inner, published.app.appId))
  const objectIds = pictureIdsOf(published.listings, passed)
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
  const bare = await bareCopy(ctx, objectId)
  if (bare === null) ctx.log.warn({ objectId }, 'a picture of a listing cannot be published')
  const stored =
    bare &&
    (await storeObject(ctx, {
      ...bare,
      stream: Readable.from([bare.bytes]),
      bizTag: 'app_img',
      limitBytes,
      heldFor: { appId, projectId },
    }))
  await ctx.transact(async inner => {
    const { sha256 = null, sizeBytes = null, mime = null } = stored ?? {}
    const row = { objectId, teamId, appId, publicObjectId: stored?.objectId ?? null, sha256, sizeBytes, mime }
    const kept = await inner.db.insert(storePictures).values(row).onConflictDoNothing().returning()
    // Another process was faster.
    if (kept.length === 0 && stored) await releaseObjects(inner, [stored.objectId])
  })
}

/** The picture upright and in its own kind, without what the camera wrote into it: place, time, device, thumbnail. */
async function bareCopy(ctx: Context, objectId: string): Promise<{ bytes: Buffer; fileName: string } | null> {
  const object = await ctx.transact(async inner => (await objectsOf(inner, [objectId])).get(objectId))
  if (!object) return null
  const local = await ctx.transact(inner => localObject(inner, objectId)).catch(orNull)
  if (!local) return null
  try {
    const { default: sharp } = await import('sharp')
    const upright = sharp(local.path, { limitInputPixels: maxPixels }).autoOrient()
    if (object.mime === 'image/jpeg') upright.jpeg({ quality })
    else if (object.mime === 'image/webp') upright.webp({ quality })
    else if (object.mime === 'image/png') upright.png()
    else return null
    const bytes = await upright.toBuffer().catch(() => null)
    return bytes && { bytes, fileName: object.fileName }
  } finally {
    await local.release()
  }
}

function orNull(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
