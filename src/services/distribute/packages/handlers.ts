import { and, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { jobWhenOver } from '../../../server/job-row.ts'
import { transition } from '../../../server/life-cycle.ts'
import { lockApp } from '../apps/public.ts'
import { toLine, toPackage } from './answer.ts'
import { addPackage, changeState, eachByItself, removePackage, startProcessing } from './changes.ts'
import { atomicPackages, packages as contract } from './contract.ts'
import { pageOfPackages } from './listing.ts'
import { processingKind } from './processing.ts'
import { differenceOf } from './public.ts'
import { appWithin, loadPackage, mine, relationsOf, type Scope, within } from './queries.ts'
import { blocking, packageCycle, relationFindings, relationRows, successStatusOf } from './rules.ts'
import { packages } from './tables.ts'

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
  createPackage: async (ctx, { body }) => toPackage(ctx, await addPackage(ctx, body, scope)),

  getPackage: async (ctx, { query }) => toPackage(ctx, await loadPackage(ctx, query.pkgId, { scope })),

  listPackages: async (ctx, { query }) => {
    if (query.appId !== undefined) await appWithin(ctx, query.appId, scope)
    const page = await pageOfPackages(ctx, query, scope)
    return { ...page, list: page.list.map(row => toLine(ctx, row)) }
  },

  updatePackage: async (ctx, { body }) => {
    const known = await loadPackage(ctx, body.pkgId, { scope })
    const app = await lockApp(ctx, known.appId)
    const before = await loadPackage(ctx, body.pkgId, { lock: 'update' })
    const usage = body.usage ?? before.usage
    if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
    if (before.state === 'READY' && usage !== before.usage) {
      const own = before.findings.filter(one => !(one.code in relationRows) || isOfProcessing(one.code))
      const reasons = blocking([...own, ...relationFindings(await relationsOf(ctx, app, before))], usage)
      if (reasons.length > 0) {
        const sentences = reasons.map(one => one.detail).join(' ')
        refuse(contract.errors.usageBlocked, { reasons: sentences, findings: reasons })
      }
    }
    const remark = body.remark ?? before.remark
    const [row] = await ctx.db
      .update(packages)
      .set({ usage, remark, updatedAt: ctx.now(), revision: sql`${packages.revision} + 1` })
      .where(and(eq(packages.pkgId, body.pkgId), mine(ctx)))
      .returning()
    ctx.audit({
      action: 'package.update',
      entity: 'package',
      entityId: body.pkgId,
      before: { usage: before.usage, remark: before.remark },
      after: { usage, remark },
    })
    return toPackage(ctx, row!)
  },

  deletePackage: async (ctx, { query }) => {
    await removePackage(ctx, query.pkgId, scope)
    return {}
  },

  deletePackages: (ctx, { body }) =>
    eachByItself(ctx, body.pkgIds, (inner, pkgId) => removePackage(inner, pkgId, scope)),

  changePackageStates: (ctx, { body }) =>
    eachByItself(ctx, body.pkgIds, (inner, pkgId) => changeState(inner, pkgId, body.state, scope)),

  getPackageTask: async (ctx, { query }) => {
    const job = await jobWhenOver(ctx, processingKind, query.taskId, query.wait ?? 0)
    const [row] = await ctx.transact(inner =>
      inner.db
        .select({ state: packages.state })
        .from(packages)
        .where(and(eq(packages.pkgId, job.subject), mine(inner), within(scope))),
    )
    if (!row && scope !== null) refuse(commonErrors.notFound, { entity: 'task', id: query.taskId })
    const error = job.state === 'failed' ? 'Processing stopped before it was done; process the package again.' : null
    return { ...job, taskId: job.jobId, pkgId: job.subject, error, processState: row?.state ?? null }
  },

  processPackageAgain: async (ctx, { body }) => {
    const row = await loadPackage(ctx, body.pkgId, { lock: 'update', scope })
    const { pkgId, state, revision } = row
    await transition(ctx, {
      cycle: packageCycle,
      table: 'packages',
      idColumn: 'pkg_id',
      row: { id: pkgId, state, revision },
      action: 'processAgain',
      data: { appId: row.appId },
    })
    const [again] = await ctx.db
      .update(packages)
      .set({ taskId: startProcessing(ctx, pkgId), findings: [] })
      .where(and(eq(packages.pkgId, pkgId), mine(ctx)))
      .returning()
    return toPackage(ctx, again!)
  },

  getPackageStates: async (ctx, { query }) => {
    const pkgIds = [...new Set(query.pkgIds.split(','))]
    const rows = await ctx.db
      .select({ pkgId: packages.pkgId, state: packages.state, findings: packages.findings })
      .from(packages)
      .where(and(inArray(packages.pkgId, pkgIds), mine(ctx), within(scope)))
    const byId = new Map(rows.map(row => [row.pkgId, row]))
    return {
      pkgStateList: pkgIds.map(pkgId => {
        const { state, findings } = byId.get(pkgId) ?? refuse(commonErrors.notFound, { entity: 'package', id: pkgId })
        return { pkgId, successStatus: successStatusOf(state), processState: state, findings }
      }),
    }
  },

  comparePackages: async (ctx, { query }) => {
    await loadPackage(ctx, query.pkgId, { scope })
    return differenceOf(ctx, query.pkgId, query.otherPkgId)
  },
})

/** Found while the package was processed, though not in its bytes: it holds until the package is processed again. */
const isOfProcessing = (code: number) => code === 1117 || code === 1120

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicPackages, handlersOf('ATOMIC_SERVICE'))
