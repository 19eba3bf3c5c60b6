import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { harmonyReach, isShownAlone } from '../reach.ts'
import { uncovered } from '../rules.ts'
import { appSeries, seriesCutovers, seriesMembers } from '../tables.ts'
import { type CutoverAction, type CutoverEnd, cutoverCycle, type Shown, shownAfter } from './rules.ts'

export type CutoverRecord = typeof seriesCutovers.$inferSelect

const atOnce = 100

/** Moves a cutover and writes what comes with it; see `transition` for what is refused. */
export async function moveCutover(
  ctx: Context,
  row: CutoverRecord,
  action: CutoverAction,
  set: Partial<Pick<CutoverRecord, 'reason' | 'before'>>,
): Promise<CutoverRecord> {
  const { cutoverId, seriesId, teamId, state, revision, startAt, countries } = row
  const reason = set.reason ?? null
  await transition(ctx, {
    cycle: cutoverCycle,
    table: 'app_series_cutovers',
    idColumn: 'cutover_id',
    row: { id: cutoverId, state, revision },
    action,
    data: { seriesId, startAt, countries, reason },
    note: { seriesId, ...(reason && { reason }) },
    teamId,
    isConsequence: action !== 'cancel',
  })
  const [moved] = await ctx.db
    .update(seriesCutovers)
    .set(set)
    .where(eq(seriesCutovers.cutoverId, cutoverId))
    .returning()
  return moved!
}

/** Ends what is planned or in force for a series, as a consequence of something else. */
export async function dropCutovers(
  ctx: Context,
  seriesId: string,
  states: readonly ('PLANNED' | 'ACTIVE')[],
  reason: CutoverEnd,
): Promise<void> {
  const open = await ctx.db
    .select()
    .from(seriesCutovers)
    .where(and(eq(seriesCutovers.seriesId, seriesId), inArray(seriesCutovers.state, [...states])))
    .for('update')
  for (const row of open) await moveCutover(ctx, row, 'drop', { reason })
}

/** Puts what is due into force; where no edition for HarmonyOS is on shelf by then, it is canceled and says so. */
export async function startDue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select({ cutover: seriesCutovers, series: appSeries })
    .from(seriesCutovers)
    .innerJoin(appSeries, eq(appSeries.seriesId, seriesCutovers.seriesId))
    .where(and(eq(seriesCutovers.state, 'PLANNED'), lte(seriesCutovers.startAt, ctx.now())))
    .orderBy(seriesCutovers.startAt)
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const { cutover, series } of due) {
    const members = await ctx.db.select().from(seriesMembers).where(eq(seriesMembers.seriesId, series.seriesId))
    const harmony = await harmonyReach(ctx, members)
    if (!isShownAlone(harmony, cutover.countries)) {
      await moveCutover(ctx, cutover, 'drop', { reason: 'NO_HARMONY' })
      continue
    }
    const before: Shown = { mode: series.mode, singleIn: series.singleIn }
    await moveCutover(ctx, cutover, 'start', { before })
    await show(ctx, series, shownAfter(before, cutover.countries))
  }
}

/** Shows what was shown before a cutover that is in force, unless it was changed since. */
export async function takeBack(ctx: Context, { before, countries, seriesId }: CutoverRecord): Promise<void> {
  if (!before) return
  const [series] = await ctx.db.select().from(appSeries).where(eq(appSeries.seriesId, seriesId)).for('update')
  const made = shownAfter(before, countries)
  const isStill = series?.mode === made.mode && uncovered(series.singleIn, made.singleIn).length === 0
  if (series && isStill) await show(ctx, series, before)
}

async function show(ctx: Context, { seriesId, teamId }: typeof appSeries.$inferSelect, to: Shown): Promise<void> {
  const { mode, singleIn } = to
  const [row] = await ctx.db.select().from(appSeries).where(eq(appSeries.seriesId, seriesId))
  await ctx.db
    .update(appSeries)
    .set({ mode, singleIn: [...singleIn], updatedAt: ctx.now(), revision: (row?.revision ?? 0) + 1 })
    .where(eq(appSeries.seriesId, seriesId))
  ctx.audit({ action: 'series.mode', entity: 'series', entityId: seriesId, teamId, after: { mode, singleIn } })
  ctx.emit({
    ...{ type: 'series.changed', entity: 'series', entityId: seriesId, teamId },
    data: { action: 'mode', mode, singleIn },
  })
}
