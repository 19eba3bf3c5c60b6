import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { toListing, toVersion } from '../answer.ts'
import { lastShelfVersionOf, listingsOf, loadVersion, pageOfCodes, pageOfVersions } from '../queries.ts'
import { versionHistory } from './contract.ts'
import { timelinesOf } from './timeline.ts'

export default implement(versionHistory, {
  listVersionCodes: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return pageOfCodes(ctx, query.appId, query)
  },

  getLastOnShelf: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const version = await lastShelfVersionOf(ctx, query.appId)
    return { version: version ? toVersion(ctx, version) : null }
  },

  listHistoryVersions: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfVersions(ctx, query.appId, query, true)
    return { ...page, list: page.list.map(row => toVersion(ctx, row)) }
  },

  getHistoryVersion: async (ctx, { query }) => {
    const version = await loadVersion(ctx, query.versionId)
    const { defaultLang } = await appOf(ctx, version.appId)
    const timelines = await timelinesOf(ctx, [version.versionId])
    return {
      version: toVersion(ctx, version),
      listings: (await listingsOf(ctx, version.versionId)).map(row => toListing(row, defaultLang)),
      timeline: timelines.get(version.versionId) ?? [],
    }
  },
})
