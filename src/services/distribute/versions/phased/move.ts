import { eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import type { Trip } from '../gates/rules.ts'
import { phasedChanges, phasedReleases } from '../tables.ts'
import { versionPhased } from './contract.ts'
import { type PhasedRecord, phasedOf } from './queries.ts'
import { type PhasedAction, percentOf, phasedFactsOf, phasedLifeCycle, phasedLimits } from './rules.ts'

export interface PhasedMove {
  set?: Partial<PhasedRecord>
  /** Said by a person, or the system's word for why. */
  reason?: string
  isConsequence?: boolean
  /** The gate that acted. */
  trip?: Trip
}

/** Moves a phased release, writes it down, and tells. The app must be locked. Returns the row as it is now. */
export async function movePhased(
  ctx: Context,
  row: PhasedRecord,
  action: PhasedAction,
  { set = {}, reason = '', isConsequence = false, trip }: PhasedMove = {},
): Promise<PhasedRecord> {
  const { versionId, appId, teamId } = row
  if (!moveFor(phasedLifeCycle, row.state, action, () => true)) {
    refuse(versionPhased.errors.notRunning, { state: row.state, action, allowedActions: allowedOf(ctx, row) })
  }
  const changeId = ctx.newId()
  const percentBp = set.percentBp ?? row.percentBp
  const day = set.day === undefined ? row.day : set.day
  const { state } = await transition(ctx, {
    cycle: phasedLifeCycle,
    table: 'phased_releases',
    idColumn: 'version_id',
    row: { id: versionId, state: row.state, revision: row.revision },
    action,
    facts: phasedFactsOf(row, ctx.now()),
    unmet: () =>
      refuse(versionPhased.errors.pauseBudgetUsed, {
        days: phasedLimits.pauseDays,
        state: row.state,
        allowedActions: allowedOf(ctx, row),
      }),
    data: { appId, versionId, changeId, percent: percentOf(percentBp), ...(day === null ? {} : { day }), reason },
    note: { percent: percentOf(percentBp), ...(reason ? { reason } : {}), ...(trip ? { gate: trip } : {}) },
    teamId,
    isConsequence,
  })
  if (Object.keys(set).length > 0) {
    await ctx.db.update(phasedReleases).set(set).where(eq(phasedReleases.versionId, versionId))
  }
  await ctx.db.insert(phasedChanges).values({
    changeId,
    teamId,
    versionId,
    appId,
    action,
    state: state ?? row.state,
    percentBp,
    day,
    // Who decides for the store is not for the developer to know.
    actorId: ctx.caller.kind === 'user' && ctx.place.teamId === teamId ? ctx.caller.accountId : null,
    reason,
    trip: trip ?? null,
    at: ctx.now(),
  })
  return (await phasedOf(ctx, versionId)) ?? row
}

export function allowedOf(ctx: Context, row: PhasedRecord): PhasedAction[] {
  return allowedActions(phasedLifeCycle, row.state, permission => ctx.may(permission), phasedFactsOf(row, ctx.now()))
}
