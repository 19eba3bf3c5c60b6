import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { lockApp } from '../apps/public.ts'
import { toLine, toPackage } from './answer.ts'
import { addPackage, removePackage } from './changes.ts'
import { atomicPackages, packages as contract } from './contract.ts'
import { pageOfPackages } from './listing.ts'
import { appWithin, loadPackage, mine, relationsOf, type Scope } from './queries.ts'
import { blocking, relationFindings, relationRows } from './rules.ts'
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
})

/** Found while the package was processed, though not in its bytes: it holds until the package is processed again. */
const isOfProcessing = (code: number) => code === 1117 || code === 1120

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicPackages, handlersOf('ATOMIC_SERVICE'))
