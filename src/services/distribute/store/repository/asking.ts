import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { storeIndexes } from '../tables.home.ts'

/** A job that has not come to its end by then is thought dead. */
const patienceMs = 120_000
const deadlineMs = 1_800_000
export const indexJob = 'store.index'

/** Asks for new indexes after a change of a zone's records, in the transaction of the change. */
export async function askForIndexes(ctx: Context, zone: ZoneId): Promise<void> {
  // Always in this order, so that two changes do not wait for each other crosswise.
  for (const repository of ['all', zone]) {
    await ctx.home
      .insert(storeIndexes)
      .values({ repository, asked: 1 })
      .onConflictDoUpdate({ target: storeIndexes.repository, set: { asked: sql`${storeIndexes.asked} + 1` } })
  }
  await startIndexJobs(ctx, ['all', zone])
}

/** Starts a job for each repository that is asked for and has none; one at work looks again when it is done. */
export async function startIndexJobs(ctx: Context, only?: readonly string[]): Promise<void> {
  const now = ctx.now()
  const due = await ctx.home
    .update(storeIndexes)
    .set({ startedAt: now })
    .where(
      and(
        sql`${storeIndexes.asked} > ${storeIndexes.made}`,
        lt(storeIndexes.startedAt, now - patienceMs),
        ...(only ? [inArray(storeIndexes.repository, [...only])] : []),
      ),
    )
    .returning({ repository: storeIndexes.repository })
  for (const { repository } of due) {
    ctx.startJob({ kind: indexJob, subject: repository, input: { repository }, deadlineMs, teamId: null }, 'home')
  }
}

/** What a job does when it has made an index: says so, and starts the next one when more was asked for meanwhile. */
export async function endIndexJob(ctx: Context, repository: string): Promise<void> {
  await ctx.home.update(storeIndexes).set({ startedAt: 0 }).where(eq(storeIndexes.repository, repository))
  await startIndexJobs(ctx, [repository])
}
