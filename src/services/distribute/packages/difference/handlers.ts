import { type Handlers, implement } from '../../../../server/implement.ts'
import { differenceOf } from '../public.ts'
import { loadPackage, type Scope } from '../queries.ts'
import { atomicDifferences, differences as contract } from './contract.ts'

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
  comparePackages: async (ctx, { query }) => {
    await loadPackage(ctx, query.pkgId, { scope })
    return differenceOf(ctx, query.pkgId, query.otherPkgId)
  },
})

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicDifferences, handlersOf('ATOMIC_SERVICE'))
