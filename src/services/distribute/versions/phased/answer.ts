import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { countsOf, gateMetrics, readingOf } from '../gates/rules.ts'
import type { Phased } from './contract.ts'
import { allowedOf } from './move.ts'
import type { PhasedRecord } from './queries.ts'
import { pausedMs, percentOf, phasedLimits } from './rules.ts'

/** A phased release as the wire has it, with what the caller may do with it now. */
export function toPhased(ctx: Context, row: PhasedRecord): Static<typeof Phased> {
  return {
    ...row,
    percent: percentOf(row.percentBp),
    readAt: row.health?.at ?? null,
    readings: gateMetrics.map(metric => {
      const { value, devices } = readingOf(metric, countsOf(row.health?.own))
      const base = readingOf(metric, countsOf(row.health?.base))
      return { metric, value, devices, baseline: base.value, baselineDevices: base.devices }
    }),
    pauseLeftMs: Math.max(0, phasedLimits.pauseMs - pausedMs(row, ctx.now())),
    allowedActions: allowedOf(ctx, row),
  }
}
