import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import {
  checkRules,
  publishRules,
  removeRules,
  ruleStatistics,
  rulesVersions,
  simulateRules,
} from '../../rules/public.ts'
import { projectHere } from '../buckets/rows.ts'
import { storageSecurity } from './contract.ts'

const service = 'agc.cloud.storage' as const

async function where(ctx: Context, projectId: string) {
  await projectHere(ctx, projectId)
  return { projectId, service }
}

export default implement(storageSecurity, {
  setSecurityRule: async (ctx, { body: { projectId, source, baseVersion, note } }) => {
    const wish = { source, baseVersion, ...(note === undefined ? {} : { note }) }
    const { version } = await publishRules(ctx, await where(ctx, projectId), wish)
    return { version }
  },

  getSecurityRuleResource: async (ctx, { body: { projectId, version } }) => {
    const kept = await rulesVersions(ctx, await where(ctx, projectId))
    const shown = version === undefined ? kept.find(one => one.isPublished) : kept.find(one => one.version === version)
    if (version !== undefined && !shown) throw badField('/version', 'known', 'is not kept')
    return {
      source: shown?.source ?? '',
      version: shown?.version ?? 0,
      versions: kept.map(one => ({
        version: one.version,
        author: one.publishedBy,
        time: one.publishedAt,
        status: one.isPublished ? ('PUBLISHED' as const) : ('OLDER' as const),
        note: one.note,
      })),
    }
  },

  checkSecurityRule: async (ctx, { body: { projectId, source } }) =>
    checkRules(ctx, await where(ctx, projectId), source),

  simulatorRun: async (ctx, { body }) => {
    await ctx.transact(inner => projectHere(inner, body.projectId))
    return simulateRules(ctx, { ...body, service })
  },

  queryStat: async (ctx, { body: { projectId, from, to, step } }) =>
    ruleStatistics(ctx, await where(ctx, projectId), { from, to, ...(step === undefined ? {} : { step }) }),

  deleteSecurityRule: async (ctx, { body: { projectId, version, all } }) => {
    const rules = await where(ctx, projectId)
    if (version === undefined && !all) throw badField('/version', 'required', 'is missing')
    await removeRules(ctx, rules, version === undefined ? 'all' : { version })
    return {}
  },
})
