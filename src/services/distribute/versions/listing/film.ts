import { and, sql } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import { type CheckedFilm, videoHits } from '../../../../kernel/film.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { JobKind } from '../../../../server/work.ts'
import { localObject, objectOf } from '../../../ground/files/public.ts'
import { lockApp } from '../../apps/public.ts'
import { listings, versions } from '../tables.ts'
import { testVersions } from '../testing/tables.ts'
import { filmMaxBytes, filmMime } from './rules.ts'

const kind = 'versions.film'
const deadlineMs = 5 * 60_000

/** A film that was chosen just now; what it says of itself is read by a job. */
export async function newFilm(ctx: Context, appId: string, objectId: string): Promise<CheckedFilm> {
  const film = await chosenFilm(ctx, objectId)
  ctx.startJob({ kind, subject: objectId, input: { appId, objectId }, deadlineMs })
  return film
}

/** The same without the job. Refuses 404 and 400. */
export async function chosenFilm(ctx: Context, objectId: string): Promise<CheckedFilm> {
  const { mime, sizeBytes, bizTag } = await objectOf(ctx, objectId)
  if (bizTag !== 'app_video' || mime !== filmMime || sizeBytes > filmMaxBytes) {
    throw badField('/filmObjectId', 'kind', `A film is an MP4 that was sent as app_video; this is ${mime}, ${bizTag}.`)
  }
  return { objectId, mime, sizeBytes, width: null, height: null, durationMs: null, state: 'CHECKING', hits: [] }
}

export type FilmSight = Partial<CheckedFilm> & Pick<CheckedFilm, 'state' | 'hits'>

/** Reads a film and says wherever the app shows it what was found. */
export const filmJob: JobKind = {
  kind,
  run: async (ctx, job) => {
    const { appId, objectId } = job.input as { appId: string; objectId: string }
    await keep(ctx, appId, objectId, await lookAtFilm(ctx, objectId, job.signal))
  },
  giveUp: async (ctx, job) => {
    const { appId, objectId } = job.input as { appId: string; objectId: string }
    await keep(ctx, appId, objectId, { state: 'FAILED', hits: videoHits(null) })
  },
}

/** Reads what a film says of itself, for a job without a transaction of its own. */
export async function lookAtFilm(ctx: Context, objectId: string, signal: AbortSignal): Promise<FilmSight> {
  const file = await ctx.transact(inner => localObject(inner, objectId)).catch(orNull)
  const film = (await file?.film(signal).catch(() => null)) ?? null
  await file?.release()
  const hits = videoHits(film)
  const isBad = hits.some(hit => hit.level === 'BLOCK')
  const { width = null, height = null, durationMs = null } = film ?? {}
  return { width, height, durationMs, state: isBad ? 'FAILED' : 'PASSED', hits }
}

async function keep(ctx: Context, appId: string, objectId: string, seen: FilmSight): Promise<void> {
  await ctx.transact(async inner => {
    // A save that goes on meanwhile writes the whole row; the last to write has seen the other.
    if (!(await lockApp(inner, appId).catch(orNull))) return
    const ofApp = sql`(SELECT ${versions.versionId} FROM ${versions} WHERE ${versions.appId} = ${appId}::bigint
      UNION ALL SELECT ${testVersions.versionId} FROM ${testVersions} WHERE ${testVersions.appId} = ${appId}::bigint)`
    await inner.db
      .update(listings)
      .set({ film: sql`${listings.film} || ${JSON.stringify(seen)}::jsonb` })
      .where(and(sql`${listings.versionId} IN ${ofApp}`, sql`${listings.film} ->> 'objectId' = ${objectId}`))
  })
}

function orNull(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
