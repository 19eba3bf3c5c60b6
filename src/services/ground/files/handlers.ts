import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { uploadChunkBytes } from '../../../kernel/wire.ts'
import { siteOfZone, type ZoneId, zoneOfCode, zoneOfSite, zones } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { checkGet, objectPath, signedDownload, signedPut } from './addresses.ts'
import { checkSize, receiveBytes } from './arrival.ts'
import { files, filesCms, filesV2, uploads } from './contract.ts'
import { deleteObjects } from './deletion.ts'
import { answerDownload } from './download.ts'
import { listFiles } from './list.ts'
import { answerPicture, checkPicture } from './pictures.ts'
import { announceObjects, type FileRow, folderOf, loadObject, loadObjects, noSuchObject } from './queries.ts'
import {
  type BizTag,
  bizTagOf,
  bizTagRules,
  closeTags,
  extensionOf,
  fileLimits,
  type PictureSize,
  safeFileName,
} from './rules.ts'
import { putObject } from './signed-put.ts'
import { type Announced, openUpload } from './upload-body.ts'
import { abortUpload, beginUpload, compose, listParts, makePartAddresses, putPart } from './upload-in-parts.ts'
import { uploadedAnswer } from './uploaded.ts'

const handlers: Handlers<typeof files> = {
  getRouteSite: async (ctx, { query }) => {
    const zone = wantedZone(ctx, query)
    const sites = ctx.server.config.zones.map(one => ({ zone: one, siteId: siteOfZone(one), url: baseOf(ctx, one) }))
    return { zone, siteId: siteOfZone(zone), url: baseOf(ctx, zone), sites }
  },

  uploadObject: async (ctx, { query, request }) => uploadedAnswer(ctx, await take(ctx, request, query)),

  makeAddress: async (ctx, { body }) => {
    const [made] = await makeAddresses(ctx, [body])
    if (!made) throw new Error('no address was made')
    return { urlInfo: made.address, urlsInfo: [made.address], othersInfo: made.others }
  },

  makeAddresses: async (ctx, { body }) => {
    const made = await makeAddresses(ctx, body.objects)
    return { urlsInfo: made.map(one => one.address), othersInfo: made.map(one => one.others) }
  },

  putObject: async (ctx, { params, query, stream, request }) =>
    uploadedAnswer(ctx, await putObject(ctx, objectIdOf(params), query, stream, request.headers)),

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
    return { urlsInfo: rows.map(row => ({ objectId: row.objectId, ...addressFor(ctx, row) })) }
  },

  listObjects: (ctx, { query }) => listFiles(ctx, query),
  deleteObjects: (ctx, { body }) => deleteObjects(ctx, body.objectIds),
  beginUpload: (ctx, { body }) => beginUpload(ctx, body),
  listParts: (ctx, { query }) => listParts(ctx, query),
  makePartAddresses: async (ctx, { body }) => ({ parts: await makePartAddresses(ctx, body, body.partNumbers) }),

  putPart: async (ctx, { params, query, stream, request }, { reply }) => {
    const part = await putPart(ctx, { objectId: objectIdOf(params), ...params, ...query }, stream, request.headers)
    reply.header('etag', `"${part.etag}"`)
    return part
  },

  compose: async (ctx, { query, body }) => uploadedAnswer(ctx, await compose(ctx, query, body)),

  abortUpload: async (ctx, { body }) => {
    await abortUpload(ctx, body)
    return {}
  },
}

export default implement(files, handlers)
export const secondGeneration = implement(filesV2, { makeAddress: handlers.makeAddress })
export const ofContentPages = implement(filesCms, {
  makeAddress: handlers.makeAddress,
  getUploadParam: async (_ctx, { body }) => {
    const bizTag = body.bizTag ?? bizTagOf(body.fileName ?? '')
    const { limitBytes, mimes } = bizTagRules[bizTag]
    return {
      bizTag,
      limitBytes,
      mimes: mimes && [...mimes],
      chunkBytes: uploadChunkBytes,
      partSize: fileLimits.usualPartBytes,
      minPartSize: fileLimits.minPartBytes,
      maxPartSize: fileLimits.maxPartBytes,
      maxParts: fileLimits.maxParts,
      addressLifeSeconds: fileLimits.addressLifeMs / 1000,
      tempLifeSeconds: fileLimits.tempLifeMs / 1000,
      uploadLifeSeconds: fileLimits.uploadLifeMs / 1000,
    }
  },
})

type Sent = { query: Announced; request: FastifyRequest }
const withTag =
  (tag: BizTag) =>
  async (ctx: Context, { query, request }: Sent) => {
    const answer = uploadedAnswer(ctx, await take(ctx, request, query, tag))
    const fileInfoList = answer.urlsInfo.map(({ url, size, objectId }) => ({
      fileDestUlr: url,
      fileDestUrl: url,
      size,
      objectId,
    }))
    return { ...answer, result: { UploadFileRsp: { ifSuccess: 1, fileInfoList } } }
  }

export const ofConsole = implement(uploads, {
  uploadApk: withTag('app_pkg'),
  uploadImg: withTag('app_img'),
  uploadVideo: withTag('app_video'),
  uploadZip: withTag('tmp'),
})

async function take(ctx: Context, request: FastifyRequest, announced: Announced, tag?: BizTag): Promise<FileRow> {
  const body = await openUpload(request, announced, tag)
  return receiveBytes(ctx, { ...body, teamId: ctx.teamId })
}

async function makeAddresses(
  ctx: Context,
  wanted: readonly { fileName: string; size: number; bizTag?: BizTag; sha256?: string }[],
) {
  const expireAt = ctx.now() + fileLimits.addressLifeMs
  const folder = folderOf(ctx)
  const objects = wanted.map(({ size, sha256 = null, ...one }, index) => {
    const fileName = safeFileName(one.fileName)
    const bizTag = one.bizTag ?? bizTagOf(fileName)
    checkSize(bizTag, size, wanted.length === 1 ? '/size' : `/objects/${index}/size`, 'body')
    const objectId = `${folder}/${randomUUID()}.${extensionOf(fileName)}`
    return { objectId, bizTag, fileName, sizeBytes: size, sha256 }
  })
  await announceObjects(ctx, objects, expireAt)
  return objects.map(({ objectId, sha256, sizeBytes, bizTag }) => {
    const path = objectPath(objectId)
    const put = signedPut(ctx, zones[ctx.zone].slug, { path, sha256, sizeBytes, lifeMs: fileLimits.addressLifeMs })
    return { address: { objectId, ...put }, others: { bizTag, expireAt } }
  })
}

function addressFor(ctx: Context, row: FileRow, options: { fileName?: string; picture?: PictureSize } = {}) {
  const lifeMs = closeTags.includes(row.bizTag) ? fileLimits.closeAddressLifeMs : fileLimits.addressLifeMs
  const url = signedDownload(ctx, row.objectId, { ...options, ttlSeconds: lifeMs / 1000 })
  return { url, expireAt: ctx.now() + lifeMs }
}

function objectIdOf({ zone, hour, name }: { zone: string; hour: string; name: string }): string {
  return `${zone}/${hour}/${name}`
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
