import { and, eq, sql } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import { videoHits } from '../../../../kernel/film.ts'
import type { Context } from '../../../../server/context.ts'
import type { Event, JobRun, Listener } from '../../../../server/work.ts'
import { localObject } from '../../../ground/files/public.ts'
import { publishedOf } from '../../versions/public.ts'
import { endDetection, openDetection } from '../detecting.ts'
import type { Hit } from '../rules.ts'
import { pictureHashes } from '../tables.ts'
import { lookAt, nearBits, type PictureFacts, pictureHits } from './look.ts'

/** Looks at each picture; one that looks like a picture on another app's listing is told, not whose it is. */
export async function runPictures(ctx: Context, job: JobRun): Promise<void> {
  const row = await ctx.transact(inner => openDetection(inner, job))
  if (!row) return
  const hits: Hit[] = []
  const seen = new Map<string, number>()
  for (const [index, objectId] of row.subjects.entries()) {
    job.signal.throwIfAborted()
    await job.progress('pictures', Math.round((index * 100) / row.subjects.length))
    const facts = await factsOf(ctx, objectId)
    hits.push(...pictureHits(facts).map(hit => ({ ...hit, index, at: null })))
    const { hash = null } = facts ?? {}
    if (hash === null) continue
    const twin = [...seen].find(([other]) => bitsApart(other, hash) <= nearBits)
    if (twin) hits.push({ rule: 'picture.twice', level: 'WARN', index, at: null, seen: String(twin[1] + 1) })
    seen.set(hash, index)
    if (await isOnOtherListing(ctx, hash, row.appId)) {
      hits.push({ rule: 'picture.duplicate', level: 'BLOCK', index, at: null, seen: '' })
    }
  }
  await ctx.transact(inner => endDetection(inner, job, hits))
}

export async function runVideo(ctx: Context, job: JobRun): Promise<void> {
  const row = await ctx.transact(inner => openDetection(inner, job))
  const [objectId] = row?.subjects ?? []
  if (objectId === undefined) return
  const file = await ctx.transact(inner => localObject(inner, objectId)).catch(orNull)
  const film = await file?.film(job.signal).catch(() => null)
  await file?.release()
  const hits = videoHits(film ?? null).map(hit => ({ ...hit, index: 0, at: null }))
  await ctx.transact(inner => endDetection(inner, job, hits))
}

async function factsOf(ctx: Context, objectId: string): Promise<PictureFacts | null> {
  const file = await ctx.transact(inner => localObject(inner, objectId)).catch(orNull)
  if (!file) return null
  try {
    return await lookAt(file.path)
  } finally {
    await file.release()
  }
}

/** Asked over all teams; only that there is one leaves this function. */
async function isOnOtherListing(ctx: Context, hash: string, appId: string | null): Promise<boolean> {
  return ctx.transact(async inner => {
    const [found] = await inner.db
      .select({ appId: pictureHashes.appId })
      .from(pictureHashes)
      .where(
        and(
          sql`bit_count(int8send(${pictureHashes.hash} # ${hash}::bigint)) <= ${nearBits}`,
          appId === null ? undefined : sql`${pictureHashes.appId} <> ${appId}::bigint`,
        ),
      )
      .limit(1)
    return found !== undefined
  }, 'all')
}

export function bitsApart(one: string, other: string): number {
  let bits = 0
  for (let rest = BigInt.asUintN(64, BigInt(one) ^ BigInt(other)); rest > 0n; rest &= rest - 1n) bits++
  return bits
}

export const shelfKind = 'lifecycle.shelfPictures'

/** What goes on shelf is known by its looks from then on; what leaves it, no more. */
export const shelfPictures: Listener = {
  name: 'lifecycle.shelf',
  on: ['version.on_shelf', 'version.off_shelf', 'app.deleted'],
  run: async (ctx, event: Event) => {
    if (event.type === 'version.on_shelf') {
      const input = { versionId: event.entityId }
      ctx.startJob({ kind: shelfKind, subject: event.entityId, input, deadlineMs: 10 * 60_000, teamId: event.teamId })
      return
    }
    const appId = event.type === 'app.deleted' ? event.entityId : String(event.data['appId'])
    await ctx.db.delete(pictureHashes).where(eq(pictureHashes.appId, appId))
  },
}

export async function runShelfPictures(ctx: Context, job: JobRun): Promise<void> {
  const versionId = String(job.input['versionId'])
  const published = await ctx.transact(inner => publishedOf(inner, versionId)).catch(orNull)
  if (published?.app.shelf?.versionId !== versionId) return
  const { appId, teamId } = published.app
  const images = published.listings.flatMap(({ icon, screenshots }) => [
    ...(icon ? [icon] : []),
    ...screenshots.flatMap(one => one.images),
  ])
  const ids = [...new Set(images.map(image => image.objectId))]
  const rows: (typeof pictureHashes.$inferInsert)[] = []
  for (const objectId of ids) {
    job.signal.throwIfAborted()
    const hash = (await factsOf(ctx, objectId))?.hash ?? null
    if (hash !== null) rows.push({ appId, objectId, teamId, versionId, hash, at: ctx.now() })
  }
  await ctx.transact(async inner => {
    await inner.db.delete(pictureHashes).where(eq(pictureHashes.appId, appId))
    if (rows.length > 0) await inner.db.insert(pictureHashes).values(rows)
  })
}

function orNull(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
