import { type CompiledRule, compile, explain } from '../../../kernel/targeting/evaluate.ts'
import { audiencesOf } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { audienceLookup } from './public.ts'
import type { KeptRule } from './tables.ts'

interface ReadyRule {
  kept: KeptRule
  priority: number
  compiled: CompiledRule
}

interface ReadySet {
  rules: ReadyRule[]
  audienceIds: string[]
}

/** Sets that were asked, by id and version: a version never changes. */
const ready = new Map<string, ReadySet>()
const mostReady = 500

function readySet(ruleSetId: string, version: number, rules: readonly KeptRule[]): ReadySet {
  const key = `${ruleSetId}.${version}`
  const known = ready.get(key)
  if (known) return known
  const on = rules.map((kept, at) => ({ kept, priority: at + 1 })).filter(one => one.kept.isOn)
  const made = {
    rules: on.map(one => ({ ...one, compiled: compile(one.kept.rule) })),
    audienceIds: [...new Set(on.flatMap(one => audiencesOf(one.kept.rule)))],
  }
  if (ready.size >= mostReady) ready.clear()
  ready.set(key, made)
  return made
}

interface Asked {
  ruleSetId: string
  projectId: string
  publishedVersion: number
  published: readonly KeptRule[]
}

/** The rules of a published set that match, by priority. One query, and none where no rule asks for an audience. */
export async function matchSet(ctx: Context, set: Asked, attributes: Record<string, unknown>, isExplained: boolean) {
  const { rules, audienceIds } = readySet(set.ruleSetId, set.publishedVersion, set.published)
  const now = ctx.now()
  const isInAudience = await audienceLookup(ctx, set.projectId, { audienceIds, attributes, now })
  const context = { attributes, now, isInAudience }
  const matched = rules
    .filter(one => one.compiled.matches(context))
    .map(({ kept, priority }) => ({ ruleId: kept.ruleId, priority, payload: kept.payload }))
  const explained = rules.map(({ kept, priority }) => {
    if (!isExplained) return null
    const why = explain(kept.rule, context)
    return { ruleId: kept.ruleId, priority, outcome: why.outcome, why }
  })
  return {
    version: set.publishedVersion,
    matched,
    first: matched[0] ?? null,
    ...(isExplained ? { explained: explained.filter(one => one !== null) } : {}),
  }
}
