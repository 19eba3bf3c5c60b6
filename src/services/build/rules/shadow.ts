import type { Context } from '../../../server/context.ts'
import { compileSource } from './compile.ts'
import type { ShadowView } from './contract.ts'
import { decideWaiting } from './decisions.ts'
import { gatheredDecisions } from './memory.ts'
import { assertPublishable, type Where } from './publishing.ts'
import { limits } from './rules.ts'
import { scopeOf } from './simulating.ts'
import { requestOf } from './snapshot.ts'
import type { ruleDecisions } from './tables.ts'

type DecisionRecord = typeof ruleDecisions.$inferSelect
type Kept = Pick<DecisionRecord, 'decisionId' | 'at' | 'method' | 'path' | 'uid' | 'isAllowed' | 'weight' | 'snapshot'>

const dayMs = 86_400_000

/** Decides the kept requests of the last day by other rules, and tells what would be otherwise. */
export async function shadow(ctx: Context, where: Where, source: string): Promise<ShadowView> {
  await ctx.transact(inner => assertPublishable(inner, where, source))
  const { program } = compileSource(source, where.service)
  await ctx.server.gathered.write(gatheredDecisions)
  const since = ctx.now() - dayMs
  const kept = await ctx.transact(inner => keptSince(inner, where, since))
  const scope = scopeOf(ctx, where.projectId)
  const denied = new Shift()
  const allowed = new Shift()
  for (const one of kept) {
    const { request, state } = requestOf(one.snapshot)
    const outcome = await decideWaiting(ctx.server, scope, program, request, state)
    if (one.isAllowed && !outcome.allowed) denied.add(one)
    if (!one.isAllowed && outcome.allowed) allowed.add(one)
  }
  return { checked: kept.length, since, nowDenied: denied.view(), nowAllowed: allowed.view() }
}

async function keptSince(ctx: Context, { projectId, service }: Where, since: number): Promise<Kept[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<Kept>({
    name: 'rules shadow',
    text: `SELECT decision_id AS "decisionId", at::float8 AS at, method, path, uid, is_allowed AS "isAllowed", weight, snapshot
      FROM ((SELECT * FROM rules_decisions WHERE project_id = $1 AND service = $2 AND is_allowed AND at >= $3
          ORDER BY decision_id DESC LIMIT $4)
        UNION ALL (SELECT * FROM rules_decisions WHERE project_id = $1 AND service = $2 AND NOT is_allowed AND at >= $3
          ORDER BY decision_id DESC LIMIT $4)) kept
      ORDER BY decision_id DESC`,
    values: [projectId, service, since, limits.shadowRequests / 2],
  })
  return rows
}

/** Requests that would be decided otherwise, each for as many as it stands for. */
class Shift {
  #requests = 0
  readonly #list: ShadowView['nowDenied']['list'] = []

  add({ decisionId, at, method, path, uid, weight }: Kept): void {
    this.#requests += Math.round(weight)
    if (this.#list.length < limits.shadowShown) this.#list.push({ decisionId, at, method, path, uid })
  }

  view(): ShadowView['nowDenied'] {
    return { requests: this.#requests, list: this.#list }
  }
}
