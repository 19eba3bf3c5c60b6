import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import type { Phased } from './contract.ts'
import { allowedOf } from './move.ts'
import type { PhasedRecord } from './queries.ts'
import { pausedMs, percentOf, phasedLimits } from './rules.ts'

/** A phased release as the wire has it, with what the caller may do with it now. */
export function toPhased(ctx: Context, row: PhasedRecord): Static<typeof Phased> {
  return {
    ...row,
    percent: percentOf(row.percentBp),
    pauseLeftMs: Math.max(0, phasedLimits.pauseMs - pausedMs(row, ctx.now())),
    allowedActions: allowedOf(ctx, row),
  }
}
