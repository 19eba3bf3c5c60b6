import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { jobWhenOver } from '../../../../server/job-row.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { toPackage } from '../answer.ts'
import { startProcessing } from '../changes.ts'
import { processingKind } from '../processing.ts'
import { loadPackage, mine, type Scope, within } from '../queries.ts'
import { packageCycle } from '../rules.ts'
import { packages } from '../tables.ts'
import { atomicTasks, packageTasks as contract } from './contract.ts'

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
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
})

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicTasks, handlersOf('ATOMIC_SERVICE'))
