import { and, desc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { loadSeries } from '../queries.ts'
import { harmonyReach, isShownAlone } from '../reach.ts'
import { uncovered } from '../rules.ts'
import { seriesCutovers } from '../tables.ts'
import { cutovers } from './contract.ts'
import { type CutoverRecord, moveCutover, takeBack } from './moves.ts'
import { cutoverCycle, cutoverLimits } from './rules.ts'

const { errors } = cutovers

export default implement(cutovers, {
  queryCutovers: async (ctx, { body }) => {
    const { row } = await loadSeries(ctx, body.seriesId)
    const rows = await ctx.db
      .select()
      .from(seriesCutovers)
      .where(eq(seriesCutovers.seriesId, row.seriesId))
      .orderBy(desc(seriesCutovers.cutoverId))
      .limit(cutoverLimits.history)
    return { list: rows.map(one => toCutover(ctx, one)) }
  },

  planCutover: async (ctx, { body }) => {
    const { row, members } = await loadSeries(ctx, body.seriesId, 'update')
    const now = ctx.now()
    if (body.startAt <= now || body.startAt > now + cutoverLimits.aheadMs) refuse(errors.badStart)
    const countries = [...(body.countries ?? [])].sort()
    const harmony = await harmonyReach(ctx, members)
    if (!isShownAlone(harmony, countries)) {
      const missing = uncovered(harmony.countries, countries)
      refuse(errors.noHarmony, { where: missing.length > 0 ? `in ${missing.join(', ')}` : 'anywhere' })
    }
    const cutoverId = ctx.newId()
    const { seriesId, teamId } = row
    const made = await ctx.db
      .insert(seriesCutovers)
      .values({
        ...{ cutoverId, seriesId, teamId, startAt: body.startAt, countries, state: 'PLANNED' as const },
        ...{ createdBy: ctx.accountId, createdAt: now, updatedAt: now },
      })
      .returning()
      .then(rows => rows[0]!)
      .catch(error => {
        if (isDuplicate(error, 'app_series_cutovers_planned')) refuse(errors.alreadyPlanned)
        throw error
      })
    const after = { seriesId, startAt: body.startAt, countries }
    ctx.audit({ action: 'cutover.plan', entity: 'cutover', entityId: cutoverId, after })
    ctx.emit({ type: 'cutover.planned', entity: 'cutover', entityId: cutoverId, data: after })
    return toCutover(ctx, made)
  },

  cancelCutover: async (ctx, { body }) => {
    const row = await loadCutover(ctx, body.cutoverId)
    if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
    const moved = await moveCutover(ctx, row, 'cancel', { reason: 'BY_TEAM' })
    await takeBack(ctx, row)
    return toCutover(ctx, moved)
  },
})

/** Locked, with its series first; refuses 404 for another team's, and for one whose apps the caller does not all reach. */
async function loadCutover(ctx: Context, cutoverId: string): Promise<CutoverRecord> {
  const isIt = and(eq(seriesCutovers.cutoverId, cutoverId), eq(seriesCutovers.teamId, ctx.teamId))
  const [seen] = await ctx.db.select().from(seriesCutovers).where(isIt)
  if (!seen) refuse(commonErrors.notFound, { entity: 'cutover', id: cutoverId })
  if (inOpenState(seen)) await loadSeries(ctx, seen.seriesId, 'update')
  const [row] = await ctx.db.select().from(seriesCutovers).where(isIt).for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'cutover', id: cutoverId })
}

const inOpenState = ({ state }: CutoverRecord) => state !== 'CANCELED'

function toCutover(ctx: Context, { teamId: _, createdBy: __, before: ___, ...row }: CutoverRecord) {
  const allowed = allowedActions(cutoverCycle, row.state, permission => ctx.may(permission))
  return { ...row, allowedActions: allowed.filter(action => action === 'cancel') }
}
