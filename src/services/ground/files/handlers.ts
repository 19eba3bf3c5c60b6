import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { siteOfZone, type ZoneId, zoneOfCode, zoneOfSite, zones } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { checkGet, objectIdOf, signedDownload } from './addresses.ts'
import { files } from './contract.ts'
import { deleteObjects } from './deletion.ts'
import { answerDownload } from './download.ts'
import { listFiles } from './list.ts'
import { answerPicture, checkPicture } from './pictures.ts'
import { type FileRow, loadObject, loadObjects, noSuchObject } from './queries.ts'
import { closeTags, fileLimits, type PictureSize } from './rules.ts'
import { uploadedAnswer } from './uploaded.ts'
import { takeUpload } from './uploads/upload-body.ts'

const handlers: Handlers<typeof files> = {
  getRouteSite: async (ctx, { query }) => {
    const zone = wantedZone(ctx, query)
    const sites = ctx.server.config.zones.map(one => ({ zone: one, siteId: siteOfZone(one), url: baseOf(ctx, one) }))
    return { zone, siteId: siteOfZone(zone), url: baseOf(ctx, zone), sites }
  },

  uploadObject: async (ctx, { query, request }) => uploadedAnswer(ctx, await takeUpload(ctx, request, query)),

  download: async (ctx, { params, query }, { request }) => {
    const objectId = objectIdOf(params)
    checkGet(ctx, objectId, query)
    const { filesUrl } = ctx.server.config
    if (filesUrl !== undefined && request.headers.host !== new URL(filesUrl).host) {
      return { status: 302, headers: { location: filesUrl + request.originalUrl }, body: null }
    }
    const row = await ctx.transact(inner => loadObject(inner, objectId), 'all')
    if (query.picture) return answerPicture(ctx, row, query.picture, request)
    return answerDownload(ctx, row, query.name ?? row.fileName, request)
  },

  makeDownloadAddress: async (ctx, { body }) => {
    const row = await loadObject(ctx, body.objectId)
    const { objectId, ...options } = body
    if (options.picture) checkPicture(row)
    const { url, expireAt } = addressFor(ctx, row, options)
    return { url, expireAt, urlsInfo: [{ objectId, url, expireAt }] }
  },

  makeDownloadAddresses: async (ctx, { body }) => {
    const found = new Map((await loadObjects(ctx, body.objectIds)).map(row => [row.objectId, row]))
    const rows = body.objectIds.map(objectId => found.get(objectId) ?? noSuchObject(objectId))
    const options = body.picture ? { picture: body.picture } : {}
    if (body.picture) for (const row of rows) checkPicture(row)
    return { urlsInfo: rows.map(row => ({ objectId: row.objectId, ...addressFor(ctx, row, options) })) }
  },

  listObjects: (ctx, { query }) => listFiles(ctx, query),
  deleteObjects: (ctx, { body }) => deleteObjects(ctx, body.objectIds),
}

export default implement(files, handlers)

function addressFor(ctx: Context, row: FileRow, options: { fileName?: string; picture?: PictureSize } = {}) {
  const lifeMs = closeTags.includes(row.bizTag) ? fileLimits.closeAddressLifeMs : fileLimits.addressLifeMs
  const url = signedDownload(ctx, row.objectId, { ...options, ttlSeconds: lifeMs / 1000 })
  return { url, expireAt: ctx.now() + lifeMs }
}

function wantedZone(ctx: Context, wanted: { zone?: string; siteId?: number }): ZoneId {
  if (wanted.siteId !== undefined) return served(ctx, zoneOfSite(wanted.siteId))
  if (wanted.zone === undefined) return ctx.zone
  try {
    return served(ctx, zoneOfCode(wanted.zone))
  } catch {
    refuse(commonErrors.zoneInvalid)
  }
}

function served(ctx: Context, zone: ZoneId): ZoneId {
  return ctx.server.config.zones.includes(zone) ? zone : refuse(commonErrors.zoneInvalid)
}

function baseOf(ctx: Context, zone: ZoneId): string {
  return `${ctx.server.config.publicUrl}/${zones[zone].slug}${files.prefix}`
}
