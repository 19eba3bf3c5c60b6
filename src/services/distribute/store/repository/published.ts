import { eq } from 'drizzle-orm'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { storeIndexes } from '../tables.home.ts'
import { addressOf, type RepositoryZone } from './address.ts'
import { endIndexJob } from './asking.ts'
import { buildIndex } from './build.ts'

type IndexRow = typeof storeIndexes.$inferSelect

/**
 * What a repository serves now, the same on every process: it is read with each fetch, for an entry of one build must never
 * be followed by the index of another. The very first one is made by whoever asks for it.
 */
export async function indexOf(ctx: Context, repository: RepositoryZone): Promise<IndexRow> {
  const find = () => ctx.home.select().from(storeIndexes).where(eq(storeIndexes.repository, repository))
  const [row] = await find()
  if (row && row.made > 0) return row
  await buildIndex(systemContext(ctx.server, ctx.zone, { name: 'store index' }), repository)
  return (await find())[0] as IndexRow
}

export async function runIndexJob(ctx: Context, { input, progress }: JobRun): Promise<void> {
  const repository = String(input['repository']) as RepositoryZone
  await progress('build', 10)
  await buildIndex(ctx, repository)
  await ctx.transact(inner => endIndexJob(inner, repository))
}

/** The installation moved to another address: what clients were told is no longer true. */
export async function askForMovedIndexes(ctx: Context): Promise<void> {
  const rows = await ctx.home.select().from(storeIndexes)
  for (const { repository, address, made, asked } of rows) {
    const isMoved = made > 0 && address !== addressOf(ctx.server.config.publicUrl, repository as ZoneId | 'all')
    if (!isMoved || asked > made) continue
    await ctx.home
      .update(storeIndexes)
      .set({ asked: asked + 1 })
      .where(eq(storeIndexes.repository, repository))
  }
}
