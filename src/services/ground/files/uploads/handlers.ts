import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { uploadChunkBytes } from '../../../../kernel/wire.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { objectIdOf, objectPath, signedPut } from '../addresses.ts'
import { checkSize } from '../arrival.ts'
import { announceObjects, folderOf } from '../queries.ts'
import { type BizTag, bizTagOf, bizTagRules, extensionOf, fileLimits, safeFileName } from '../rules.ts'
import { uploadedAnswer } from '../uploaded.ts'
import { filesCms, filesV2, objectUploads, uploads } from './contract.ts'
import { putObject } from './signed-put.ts'
import { type Announced, takeUpload } from './upload-body.ts'

const handlers: Handlers<typeof objectUploads> = {
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
}

export default implement(objectUploads, handlers)
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
    const answer = uploadedAnswer(ctx, await takeUpload(ctx, request, query, tag))
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
