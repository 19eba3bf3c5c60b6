import type { Context } from '../../../../server/context.ts'
import { analyticsQuery } from '../../../../server/engines/analytics/ask.ts'
import { segmentsOf } from '../../../analyse/app-events/public.ts'
import { behaviourSql } from './behaviour-sql.ts'
import type { BehaviourLeaf } from './rules.ts'

const pageUnits = 50_000
const deadlineSeconds = 300

/** A unit with events, and what conditions on events are for it, by the attribute that stands for each. */
export interface DecidedUnit extends Record<string, unknown> {
  unit: string
}

/** Every unit that has events in a project, in pages, with each condition decided. */
export async function* unitsDecided(
  ctx: Context,
  projectId: string,
  behaviours: readonly BehaviourLeaf[],
  { now, signal }: { now: number; signal: AbortSignal },
): AsyncGenerator<DecidedUnit[]> {
  // Everything that is kept: who did nothing lately is somebody too.
  const { files } = await segmentsOf(ctx, projectId, { from: 0, to: Number.MAX_SAFE_INTEGER })
  let after = ''
  for (let isMore = files.length > 0; isMore; ) {
    const statement = behaviourSql(behaviours, { now, after, limit: pageUnits })
    const rows = await analyticsQuery(ctx.server, { ...statement, files, deadlineSeconds, signal })
    const page = rows as DecidedUnit[]
    if (page.length > 0) yield page
    after = page.at(-1)?.unit ?? after
    isMore = page.length === pageUnits
  }
}
