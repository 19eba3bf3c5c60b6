import { implement } from '../../../../server/implement.ts'
import { reviewPolicies as contract } from './contract.ts'
import { named, policiesNow, publish, versionsOfPolicy } from './policies.ts'

export default implement(contract, {
  listPolicies: async (ctx, { query }) => {
    const all = await policiesNow(ctx)
    return { list: await named(ctx, query.includeRetired ? all : all.filter(one => !one.isRetired)) }
  },

  listPolicyVersions: async (ctx, { query }) => ({
    list: await named(ctx, await versionsOfPolicy(ctx, query.policyId)),
  }),

  publishPolicy: async (ctx, { body }) => {
    const [published] = await named(ctx, [await publish(ctx, body)])
    return published!
  },
})
