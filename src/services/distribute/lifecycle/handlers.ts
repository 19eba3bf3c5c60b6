import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { objectsOf } from '../../ground/files/public.ts'
import { appOf } from '../apps/public.ts'
import { packagesOf } from '../packages/public.ts'
import { versionsOf } from '../versions/public.ts'
import { lifecycle as contract } from './contract.ts'
import { beginDetection, keepResult } from './detecting.ts'
import { deviceTypes, misfitsOf } from './fit/rules.ts'
import { type KeptRecord, keptOf, loadDetection, newestFit, pageOf, pageOfDetections } from './queries.ts'
import { rate, ratingOf } from './ratings.ts'
import { activityState } from './rules.ts'
import { hitsIn } from './texts/context.ts'
import { wordsNow } from './texts/words.ts'

export default implement(contract, {
  detectContext: async (ctx, { body }) => {
    const appId = await ownApp(ctx, body.appId)
    const words = await wordsNow(ctx)
    const hits = body.texts.flatMap((text, index) => hitsIn(text, words).map(hit => ({ ...hit, index })))
    const subjects = body.texts.map(({ field, language }) => [field ?? 'other', language].filter(Boolean).join(' '))
    return keepResult(ctx, { kind: 'CONTEXT', appId, subjects }, hits)
  },

  detectPictures: async (ctx, { body }) => {
    const appId = await ownApp(ctx, body.appId)
    await mustReach(ctx, body.objectIds)
    return beginDetection(ctx, { kind: 'PICTURES', appId, subjects: body.objectIds }, 'lifecycle.pictures')
  },

  detectVideo: async (ctx, { body }) => {
    const appId = await ownApp(ctx, body.appId)
    await mustReach(ctx, [body.objectId])
    return beginDetection(ctx, { kind: 'VIDEO', appId, subjects: [body.objectId] }, 'lifecycle.video')
  },

  getDetection: (ctx, { query }) => loadDetection(ctx, query.taskId),

  listDetections: async (ctx, { query }) => {
    await ownApp(ctx, query.appId)
    return pageOfDetections(ctx, query)
  },

  detectFit: async (ctx, { params }) => {
    const app = await appOf(ctx, params.appId)
    const ids = [app.openVersionId, app.shelf?.versionId ?? null].filter(id => id !== null)
    const found = await versionsOf(ctx, ids)
    const version = ids.map(id => found.find(one => one.versionId === id)).find(one => one?.pkgId)
    const [pkg] = await packagesOf(ctx, version?.pkgId ? [version.pkgId] : [])
    if (!pkg) refuse(contract.errors.noVersion)
    const hits = deviceTypes.flatMap((device, index) =>
      misfitsOf(pkg, device).map(reason => ({ ...reason, index, at: null })),
    )
    return keepResult(ctx, { kind: 'FIT', appId: app.appId, subjects: deviceTypes.map(String) }, hits)
  },

  getFit: async (ctx, { params }) => {
    await appOf(ctx, params.appId)
    return { detection: await newestFit(ctx, params.appId) }
  },

  listDemos: async (ctx, { query }) => pageOf(await keptOf(ctx, 'DEMO'), query),

  queryCopyrightRules: async (ctx, { body }) => {
    const { countries = [], kindMainTag } = body
    const rows = await keptOf(ctx, 'COPYRIGHT')
    const isAsked = ({ countries: of, kindTags }: KeptRecord) =>
      (countries.length === 0 || of.length === 0 || of.some(code => countries.includes(code))) &&
      (kindMainTag === undefined || kindTags.length === 0 || kindTags.includes(kindMainTag))
    return { list: rows.filter(isAsked) }
  },

  listActivities: async (ctx, { query }) => {
    const rows = (await keptOf(ctx, 'VANTEST')).map(row => withState(ctx, row))
    return pageOf(
      rows.filter(row => query.state === undefined || row.state === query.state),
      query,
    )
  },

  getActivity: async (ctx, { params }) => {
    const found = (await keptOf(ctx, 'VANTEST')).find(row => row.rowId === params.activityId)
    return found ? withState(ctx, found) : refuse(commonErrors.notFound, { entity: 'activity', id: params.activityId })
  },

  getAlphaRating: (ctx, { query }) => ratingOf(ctx, query.appId),

  rateAlpha: (ctx, { body }) => rate(ctx, body),
})

const withState = (ctx: Context, row: KeptRecord) => ({ ...row, state: activityState(row, ctx.now()) })

/** The app, if it is the caller's; null where none is named. Refuses 404. */
async function ownApp(ctx: Context, appId: string | undefined): Promise<string | null> {
  return appId === undefined ? null : (await appOf(ctx, appId)).appId
}

async function mustReach(ctx: Context, objectIds: readonly string[]): Promise<void> {
  const found = await objectsOf(ctx, objectIds)
  const missing = objectIds.find(id => !found.has(id))
  if (missing !== undefined) refuse(commonErrors.notFound, { entity: 'object', id: missing })
}
