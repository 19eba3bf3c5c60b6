import { service } from '../../../../kernel/contract.ts'
import { Id, nullable, shape } from '../../../../kernel/shape.ts'

/** What somebody without a session needs to look around in the demo project. */
export const visitors = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    getVisitorProject: {
      method: 'GET',
      path: '/visitor-project',
      who: 'anonymous',
      may: 'none',
      summary:
        'The demo project that visitors may read: sent as the header productid of calls without a session, it stands for one; null where the operator has none',
      answer: shape({ productId: nullable(Id), teamId: nullable(Id) }),
    },
  },
})
