import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { Row } from '../running.ts'
import type { Snapshot } from '../tables.ts'
import { snapshotRows } from '../tables.ts'
import { splitIn } from './judging.ts'

/** The last analysis of an experiment, or null before the first. */
export async function snapshotOfRow(
  ctx: Context,
  { snapshotId }: Pick<Row, 'snapshotId'>,
): Promise<{ content: Snapshot; at: number; completeThrough: number; snapshotId: string } | null> {
  if (snapshotId === null) return null
  const [row] = await ctx.db.select().from(snapshotRows).where(eq(snapshotRows.snapshotId, snapshotId))
  return row ?? null
}

/** Whether the split of an experiment is as its weights say; without numbers nothing speaks against it. */
export async function trustOf(ctx: Context, row: Row): Promise<{ isTrusted: boolean; p: number }> {
  const found = await snapshotOfRow(ctx, row)
  if (!found) return { isTrusted: true, p: 1 }
  const { isHealthy, p } = splitIn(found.content.days, found.content.design)
  return { isTrusted: isHealthy, p }
}
