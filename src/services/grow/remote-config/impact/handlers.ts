import { implement } from '../../../../server/implement.ts'
import { pageIn } from '../paging.ts'
import { samples } from '../rules.ts'
import { remoteConfigImpact } from './contract.ts'
import { impactOf } from './impact.ts'

export default implement(remoteConfigImpact, {
  previewDraft: async (ctx, { query }) => {
    const { contexts, list } = await impactOf(ctx, query)
    return { contexts, fewest: samples.fewest, ...pageIn(list, query, one => one.key) }
  },
})
