import { implement } from '../../../../server/implement.ts'
import { visitors as contract } from './contract.ts'
import { visitorPlace } from './place.ts'

export default implement(contract, {
  getVisitorProject: ctx =>
    ctx.transact(async inner => {
      const place = await visitorPlace(inner)
      return { productId: place?.projectIds[0] ?? null, teamId: place?.teamId ?? null }
    }, 'all'),
})
