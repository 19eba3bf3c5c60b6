import { refuse } from '../../../../kernel/errors.ts'
import { type CompiledRule, compile } from '../../../../kernel/targeting/evaluate.ts'
import type { Rule } from '../../../../kernel/targeting/rule.ts'
import type { Context } from '../../../../server/context.ts'
import { AnalyticsFailure } from '../../../../server/engines/analytics/process.ts'
import { appUserAttributes, appUserTotal } from '../../../build/app-auth/public.ts'
import { limits, shareBounds } from '../rules.ts'
import { audiences as contract } from './contract.ts'
import { unitsDecided } from './events.ts'
import { type AudienceRule, lowered, withoutEvents } from './rules.ts'

const { errors } = contract
const pageUsers = 2000
const newest = '9223372036854775807'

interface Asked {
  projectId: string
  lowered: ReturnType<typeof lowered>
  compiled: CompiledRule
  now: number
}

/**
 * How many a rule would match, outside of a transaction: users from the newest of the project, and where it asks for events
 * every unit that had some in the days that decide it. Refuses where that takes longer; `gone` ends it sooner.
 */
export async function preview(
  ctx: Context,
  projectId: string,
  rule: AudienceRule,
  { gone, seconds }: { gone: AbortSignal; seconds: number },
) {
  const parts = lowered(rule)
  const asked: Asked = { projectId, lowered: parts, compiled: compile(parts.rule), now: ctx.now() }
  const late = AbortSignal.timeout(seconds * 1000)
  const users = await ctx.transact(inner => amongUsers(inner, asked))
  if (parts.behaviours.length === 0) return { ...users, sampleLimit: limits.previewUsers }
  try {
    const units = await amongUnits(ctx, asked, AbortSignal.any([gone, late]))
    // Users with events were asked twice; what counts is what they are with them.
    const put = (count: number) => Math.max(0, count - units.usersWithout) + units.matched
    return {
      ...{ isExact: users.isExact, sampleLimit: limits.previewUsers },
      total: users.total + units.others,
      sampled: users.sampled + units.others,
      matched: put(users.matched),
      ...{ estimate: put(users.estimate), low: put(users.low), high: put(users.high) },
    }
  } catch (error) {
    if (late.aborted) refuse(errors.tooSlow, { seconds })
    if (error instanceof AnalyticsFailure) refuse(errors.notCounted, { reason: error.message })
    throw error
  }
}

/** How many users a rule without conditions on events would match, from the newest of the project, in a transaction. */
export function previewUsers(ctx: Context, projectId: string, rule: Rule) {
  return amongUsers(ctx, { projectId, lowered: { rule, behaviours: [] }, compiled: compile(rule), now: ctx.now() })
}

/** Of users as though none had events. */
async function amongUsers(ctx: Context, { projectId, lowered, compiled, now }: Asked) {
  const total = await appUserTotal(ctx, projectId)
  const users = await appUserAttributes(ctx, projectId, { before: newest, limit: limits.previewUsers })
  const decided = withoutEvents(lowered.behaviours)
  const matched = users.filter(user => compiled.matches({ attributes: { ...user, ...decided }, now })).length
  const sampled = users.length
  const isExact = sampled >= total
  const { low, high } = isExact ? { low: 0, high: 0 } : shareBounds(matched, sampled)
  return {
    ...{ total, sampled, matched, isExact },
    estimate: isExact ? matched : Math.round((matched / Math.max(1, sampled)) * total),
    low: isExact ? matched : Math.floor(low * total),
    high: isExact ? matched : Math.ceil(high * total),
  }
}

/** Of units with events: how many match, how many are no users, and how many users would match without their events. */
async function amongUnits(ctx: Context, { projectId, lowered, compiled, now }: Asked, signal: AbortSignal) {
  const found = { matched: 0, others: 0, usersWithout: 0 }
  const decided0 = withoutEvents(lowered.behaviours)
  for await (const page of unitsDecided(ctx, projectId, lowered, { now, signal })) {
    for (let at = 0; at < page.length; at += pageUsers) {
      signal.throwIfAborted()
      const some = page.slice(at, at + pageUsers)
      const uids = some.map(one => one.unit)
      const users = await ctx.transact(inner => appUserAttributes(inner, projectId, { uids }))
      const known = new Map(users.map(user => [user.userId, user]))
      for (const { unit, ...decided } of some) {
        const user = known.get(unit)
        const matches = (of: object) =>
          compiled.matches({ attributes: { ...(user ?? { userId: unit }), ...of }, now }) ? 1 : 0
        found.matched += matches(decided)
        if (user) found.usersWithout += matches(decided0)
        else found.others++
      }
    }
  }
  return found
}
