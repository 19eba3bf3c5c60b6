import { eq } from 'drizzle-orm'
import type { Guards } from '../../../../kernel/ramp/guards.ts'
import type { RampStep } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { rcsRollouts as rows } from '../tables.ts'
import { assertAhead, assertFree, assertGuards, assertSteps, assertTarget, type Target } from './checks.ts'
import { type RolloutRow, stay } from './moves.ts'

/** What a draft is to be; what is left out stays. */
export interface DraftWish extends Partial<Target>, Partial<Guards> {
  name?: string
  unitAttr?: string
  steps?: RampStep[]
  startAt?: number | null
}

/** Changes a draft, and says in its history what of it. Refuses what a new one would be refused. */
export async function changeDraft(ctx: Context, row: RolloutRow, wish: DraftWish): Promise<RolloutRow> {
  // Of another parameter the value under a condition is another one.
  const isMoved = wish.parameter !== undefined && wish.parameter !== row.parameter
  const said = {
    ...(isMoved && { condition: null }),
    ...wish,
    ...(wish.name !== undefined && { name: wish.name.trim() }),
  }
  const isOther = (key: string, value: unknown) =>
    JSON.stringify(value) !== JSON.stringify(row[key as keyof RolloutRow])
  const fields = Object.entries(said).flatMap(([key, value]) => (isOther(key, value) ? [key] : []))
  const next = { ...row, ...said }
  const { row: moved } = await stay(ctx, row, 'edit', { data: { fields } })
  assertSteps(next.steps)
  if (fields.includes('startAt')) assertAhead(ctx, wish.startAt)
  await assertTarget(ctx, row, next)
  await assertFree(ctx, next)
  await assertGuards(ctx, row.projectId, next)
  const [written] = await ctx.db
    .update(rows)
    .set({ ...said, writtenBy: ctx.caller.accountId })
    .where(eq(rows.rolloutId, row.rolloutId))
    .returning()
  return (written ?? moved) as RolloutRow
}
