import { and, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { changeState, eachByItself, removePackage } from '../changes.ts'
import { mine, type Scope, within } from '../queries.ts'
import { successStatusOf } from '../rules.ts'
import { packages } from '../tables.ts'
import { atomicMany, manyPackages as contract } from './contract.ts'

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
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

  changePackageStates: (ctx, { body }) =>
    eachByItself(ctx, body.pkgIds, (inner, pkgId) => changeState(inner, pkgId, body.state, scope)),

  deletePackages: (ctx, { body }) =>
    eachByItself(ctx, body.pkgIds, (inner, pkgId) => removePackage(inner, pkgId, scope)),
})

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicMany, handlersOf('ATOMIC_SERVICE'))
