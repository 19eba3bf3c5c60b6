import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { rules as contract, type MatchedView, type RulesView, type VersionView } from './contract.ts'
import { keptOf, listKept, shownRequest } from './kept-decisions.ts'
import { monitor } from './monitor.ts'
import {
  assertBase,
  check,
  headOf,
  publish,
  remove,
  saveDraft,
  type VersionRow,
  versionOf,
  versions,
  type Where,
} from './publishing.ts'
import { starter } from './rules.ts'
import { shadow } from './shadow.ts'
import { simulate, simulateRequest, sourceOf } from './simulating.ts'
import { requestOf } from './snapshot.ts'

export default implement(contract, {
  getRules: async (ctx, { query }) => rulesView(ctx, await whereOf(ctx, query)),

  saveDraft: async (ctx, { body }) => {
    const where = await whereOf(ctx, body)
    await saveDraft(ctx, where, body)
    return rulesView(ctx, where)
  },

  checkRules: async (ctx, { body }) => check(ctx, await whereOf(ctx, body), body.source),

  simulateRules: async (ctx, { body }) => {
    await ctx.transact(inner => whereOf(inner, body))
    return simulate(ctx, body)
  },

  shadowRules: async (ctx, { body }) => {
    const where = await ctx.transact(inner => whereOf(inner, body))
    return shadow(ctx, where, body.source)
  },

  publishRules: async (ctx, { body }) => {
    const where = await ctx.transact(async inner => {
      const place = await whereOf(inner, body)
      assertBase(await headOf(inner, place), body.baseVersion)
      return place
    })
    if (!body.acceptDenials) {
      const { nowDenied } = await shadow(ctx, where, body.source)
      if (nowDenied.requests > 0) refuse(contract.errors.wouldDeny, { requests: nowDenied.requests })
    }
    return ctx.transact(async inner => {
      const row = await publish(inner, where, body)
      return versionView(row, row.version)
    })
  },

  listRulesVersions: async (ctx, { query }) => {
    const where = await whereOf(ctx, query)
    const head = await headOf(ctx, where)
    const rows = await versions(ctx, where)
    return { total: rows.length, list: rows.map(row => versionView(row, head?.published ?? 0)), nextCursor: null }
  },

  deleteRulesVersion: async (ctx, { params, query }) => {
    await remove(ctx, await whereOf(ctx, query), { version: Number(params.version) })
    return {}
  },

  turnRulesOff: async (ctx, { query }) => {
    const where = await whereOf(ctx, query)
    if (query.confirm !== where.service) {
      throw badField('/confirm', 'const', `must be ${where.service}, to say that it is meant`)
    }
    await remove(ctx, where, 'all')
    return {}
  },

  listDecisions: async (ctx, { query }) => listKept(ctx, await whereOf(ctx, query), query),

  getDecision: async (ctx, { params, query }) => {
    const row = await keptOf(ctx, await whereOf(ctx, query), params.decisionId)
    return { ...row, request: shownRequest(row.snapshot), matched: row.matched as MatchedView[] }
  },

  replayDecision: async (ctx, { params, body }) => {
    const { where, row, source } = await ctx.transact(async inner => {
      const place = await whereOf(inner, body)
      const kept = await keptOf(inner, place, params.decisionId)
      return { where: place, row: kept, source: await sourceOf(inner, place, body) }
    })
    const { request, state } = requestOf(row.snapshot)
    return simulateRequest(ctx, where, source, request, state)
  },

  getMonitor: async (ctx, { query }) => monitor(ctx, await whereOf(ctx, query), query),
})

/** The project must be the team's, and its data here. */
async function whereOf(ctx: Context, { projectId, service }: Where): Promise<Where> {
  const project = await projectOf(ctx, projectId)
  if (project.zone !== ctx.zone) refuse(contract.errors.zoneElsewhere, { zone: project.zone })
  return { projectId, service }
}

async function rulesView(ctx: Context, where: Where): Promise<RulesView> {
  const head = await headOf(ctx, where)
  const current = head && head.published > 0 ? await versionOf(ctx, where, head.published) : null
  return {
    ...where,
    published: head?.published ?? 0,
    source: current?.source ?? starter[where.service],
    draft: head?.draft ?? null,
    publishedAt: current?.publishedAt ?? null,
    keptVersions: (await versions(ctx, where)).length,
    revision: head?.revision ?? null,
  }
}

const versionView = (
  { version, source, note, publishedAt, publishedBy }: VersionRow,
  published: number,
): VersionView => ({
  version,
  source,
  isPublished: version === published,
  note,
  publishedAt,
  publishedBy,
})
