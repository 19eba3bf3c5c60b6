import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import { implement } from '../../../server/implement.ts'
import { transition } from '../../../server/life-cycle.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { appOf } from '../apps/public.ts'
import { toCheck, toSummaries } from './answer.ts'
import { appChecks as contract } from './contract.ts'
import { loadCheck, mine, pageOfChecks } from './queries.ts'
import { reportOf } from './report.ts'
import { checkCycle } from './rules.ts'
import { startCheck } from './starting.ts'
import { checks } from './tables.ts'

export default implement(contract, {
  createCheck: async (ctx, { body }) => toCheck(ctx, (await startCheck(ctx, body)).row),

  getCheck: async (ctx, { query }) => toCheck(ctx, await loadCheck(ctx, query.checkId)),

  listChecks: async (ctx, { query }) => {
    if (query.appId !== undefined) await appOf(ctx, query.appId)
    const page = await pageOfChecks(ctx, query)
    return { ...page, list: await toSummaries(ctx, page.list) }
  },

  getReport: async (ctx, { params, query }) => {
    const row = await ctx.transact(inner => loadCheck(inner, params.checkId))
    if (row.finishedAt === null) refuse(contract.errors.notFinished, { state: row.state })
    return reportOf(row, query.format ?? 'html', query.language ?? ctx.place.language)
  },

  deleteCheck: async (ctx, { params }) => {
    const row = await loadCheck(ctx, params.id, 'update')
    const { checkId, appId, state, revision, finishedAt, objectId } = row
    await transition(ctx, {
      cycle: checkCycle,
      table: 'app_checks',
      idColumn: 'check_id',
      row: { id: checkId, state, revision },
      action: 'delete',
      data: { appId },
    })
    if (finishedAt === null) await releaseObjects(ctx, [objectId])
    await ctx.db.delete(checks).where(and(eq(checks.checkId, checkId), mine(ctx)))
    return {}
  },
})
