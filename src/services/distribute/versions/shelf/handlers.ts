import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { toVersion } from '../answer.ts'
import { pageOfVersions } from '../queries.ts'
import { versionShelf } from './contract.ts'
import { cancelShelfOff, forceOff, restore, shelfOff } from './shelf-off.ts'

export default implement(versionShelf, {
  shelfOffVersion: async (ctx, { body }) => toVersion(ctx, await shelfOff(ctx, body.versionId, body.reason)),

  cancelShelfOff: async (ctx, { body }) => toVersion(ctx, await cancelShelfOff(ctx, body.versionId)),

  listVersionsOfApp: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfVersions(ctx, query.appId, query)
    return { ...page, list: page.list.map(row => toVersion(ctx, row)) }
  },

  forceOffVersion: async (ctx, { body }) => toVersion(ctx, await forceOff(ctx, body)),

  restoreVersion: async (ctx, { body }) => toVersion(ctx, await restore(ctx, body)),
})
