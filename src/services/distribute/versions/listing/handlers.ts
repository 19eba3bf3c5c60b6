import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { toListing, toVersion } from '../answer.ts'
import { openOrFirst } from '../drafts.ts'
import { listingsOf, loadVersion } from '../queries.ts'
import { versionListings } from './contract.ts'
import { nameVerdict } from './names.ts'
import { removeListing, saveListing } from './save.ts'

export default implement(versionListings, {
  listListings: async (ctx, { query }) => {
    const version = await loadVersion(ctx, query.versionId)
    const { defaultLang } = await appOf(ctx, version.appId)
    const rows = await listingsOf(ctx, query.versionId)
    return {
      versionId: query.versionId,
      defaultLang,
      list: rows
        .filter(row => query.lang === undefined || row.lang === query.lang)
        .map(row => toListing(row, defaultLang)),
      revision: version.revision,
    }
  },

  updateListing: async (ctx, { body }) => {
    const { revision: _, ...wish } = body
    const { app, version, listing } = await saveListing(ctx, wish)
    return { listing: toListing(listing, app.defaultLang), version: toVersion(ctx, version) }
  },

  deleteListing: async (ctx, { query }) => ({
    version: toVersion(ctx, await removeListing(ctx, query.versionId, query.lang)),
  }),

  checkName: async (ctx, { body }) => {
    const app = body.appId === undefined ? null : await appOf(ctx, body.appId)
    const open = app ? await openOrFirst(ctx, app.appId) : undefined
    const countries = body.countries ?? open?.countries ?? []
    return nameVerdict(ctx, app, body.appName, countries)
  },
})
