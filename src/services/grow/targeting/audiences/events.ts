import type { Rule } from '../../../../kernel/targeting/rule.ts'
import type { Context } from '../../../../server/context.ts'
import { analyticsQuery } from '../../../../server/engines/analytics/ask.ts'
import { segmentsOf } from '../../../analyse/app-events/public.ts'
import { behaviourSql } from './behaviour-sql.ts'
import { type BehaviourLeaf, daysRead } from './rules.ts'

const pageUnits = 50_000
const deadlineSeconds = 300
const dayMs = 86_400_000

/** A unit with events, and what conditions on events are for it, by the attribute that stands for each. */
export interface DecidedUnit extends Record<string, unknown> {
  unit: string
}

/** Every unit with events in the days that decide a rule, in pages, with each condition decided. */
export async function* unitsDecided(
  ctx: Context,
  projectId: string,
  { rule, behaviours }: { rule: Rule; behaviours: readonly BehaviourLeaf[] },
  { now, signal }: { now: number; signal: AbortSignal },
): AsyncGenerator<DecidedUnit[]> {
  const days = daysRead({ rule, behaviours })
  const from = days === null ? 0 : now - days * dayMs
  const { files } = await segmentsOf(ctx, projectId, { from, to: Number.MAX_SAFE_INTEGER })
  let after = ''
  for (let isMore = files.length > 0; isMore; ) {
    const statement = behaviourSql(behaviours, { now, from, after, limit: pageUnits })
    const rows = await analyticsQuery(ctx.server, { ...statement, files, deadlineSeconds, signal })
    const page = rows as DecidedUnit[]
    if (page.length > 0) yield page
    after = page.at(-1)?.unit ?? after
    isMore = page.length === pageUnits
  }
}
