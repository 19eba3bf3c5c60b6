import { eq } from 'drizzle-orm'
import { videoHits } from '../../../../kernel/film.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobKind, JobRun } from '../../../../server/work.ts'
import { type FilmSight, type Materials, readFilm } from '../../versions/listing/public.ts'
import { materialVariants } from '../tables.ts'

const kind = 'material.film'
const deadlineMs = 5 * 60_000

/** What new films say of themselves is read by a job. */
export function lookAtFilms(ctx: Context, variantId: string, materials: readonly Materials[]): void {
  const waiting = materials.flatMap(one => (one.film?.state === 'CHECKING' ? [one.film.objectId] : []))
  for (const objectId of new Set(waiting)) {
    ctx.startJob({ kind, subject: `${variantId} ${objectId}`, input: { variantId, objectId }, deadlineMs })
  }
}

export const filmJob: JobKind = {
  kind,
  run: async (ctx, job) => keep(ctx, job, await readFilm(ctx, String(job.input['objectId']), job.signal)),
  giveUp: (ctx, job) => keep(ctx, job, { state: 'FAILED', hits: videoHits(null) }),
}

async function keep(ctx: Context, { input }: Pick<JobRun, 'input'>, seen: FilmSight): Promise<void> {
  const { variantId, objectId } = input as { variantId: string; objectId: string }
  await ctx.transact(async inner => {
    const [row] = await inner.db
      .select()
      .from(materialVariants)
      .where(eq(materialVariants.variantId, variantId))
      .for('update')
    if (!row) return
    const materials = row.materials.map(one =>
      one.film?.objectId === objectId ? { ...one, film: { ...one.film, ...seen } } : one,
    )
    await inner.db.update(materialVariants).set({ materials }).where(eq(materialVariants.variantId, variantId))
  })
}
