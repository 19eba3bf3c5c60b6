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
import { openDatabase } from '../catalogue.ts'
import { cloudDbSecurity as contract } from './contract.ts'

const service = 'agc.cloud.db' as const

export default implement(contract, {
  verifySecurityRules: async (ctx, { body }) => {
    const { projectId } = await openDatabase(ctx, body.projectId)
    return checkRules(ctx, { projectId, service }, body.source)
  },

  getSecurityRules: async (ctx, { query }) => {
    const { projectId } = await openDatabase(ctx, query.projectId)
    const versions = await rulesVersions(ctx, { projectId, service })
    const inForce = versions.find(one => one.isPublished)
    return {
      version: inForce?.version ?? 0,
      source: inForce?.source ?? null,
      versions: versions.map(({ version, isPublished, note, publishedAt, publishedBy }) => ({
        version,
        isPublished,
        note,
        publishedAt,
        publishedBy,
      })),
    }
  },

  putSecurityRules: async (ctx, { body }) => {
    const { projectId } = await openDatabase(ctx, body.projectId)
    const { source, baseVersion, note } = body
    const wish = { source, baseVersion, ...(note !== undefined && { note }) }
    const { version, publishedAt } = await publishRules(ctx, { projectId, service }, wish)
    return { version, publishedAt }
  },

  deleteSecurityRules: async (ctx, { query }) => {
    const { projectId } = await openDatabase(ctx, query.projectId)
    if ((query.version === undefined) === (query.all !== true)) {
      throw badField('/version', 'one', 'name one version, or all', 'query')
    }
    await removeRules(ctx, { projectId, service }, query.version === undefined ? 'all' : { version: query.version })
    return { version: query.version ?? null }
  },

  debugSecurityRules: async (ctx, { body }) => {
    await ctx.transact(inner => openDatabase(inner, body.projectId))
    return simulateRules(ctx, { ...body, service })
  },

  monitorSecurityRules: async (ctx, { query }) => {
    const { projectId } = await openDatabase(ctx, query.projectId)
    const { from, to, step } = query
    return ruleStatistics(ctx, { projectId, service }, { from, to, ...(step !== undefined && { step }) })
  },
})
