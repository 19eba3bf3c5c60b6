import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../server/context.ts'
import { type Download, implement } from '../../../server/implement.ts'
import { fdroid } from './contract.ts'
import { deviceOf, noSuchFile, repositoryZone } from './handlers.ts'
import { memoryOf } from './memory.ts'
import { sendBytes, sendDocument } from './serve.ts'

export default implement(fdroid, {
  downloadRepositoryFile: async (ctx, { params }, { request }) => {
    const { shelf, tallies, repositories } = memoryOf(ctx.server)
    const zone = repositoryZone(params.zone)
    await shelf.catchUp()
    if (params.fileName === 'index-v1.jar') {
      const { jar, etag, timestamp } = await repositories.of(zone)
      return sendDocument(request, { bytes: jar, etag, changedAt: timestamp, mime: 'application/java-archive' })
    }
    const file = shelf.file(params.fileName)
    if (!file || (zone !== 'all' && file.zone !== zone)) noSuchFile(params.fileName)
    return sendBytes(ctx, request, file, () => tallies.addDownload(file.versionId, deviceOf(ctx), ctx.now()))
  },

  downloadRepositoryIcon: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
  downloadRepositoryLocalIcon: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
  downloadRepositoryScreenshot: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
})

async function sendPicture(
  ctx: Context,
  request: FastifyRequest,
  params: { zone: string; fileName: string; packageName?: string },
): Promise<Download> {
  const { shelf } = memoryOf(ctx.server)
  const zone = repositoryZone(params.zone)
  if (shelf.isBehind) await shelf.catchUp()
  const picture = shelf.media(params.fileName)
  const isHere = picture && (zone === 'all' || picture.zone === zone)
  if (!isHere || (params.packageName ?? picture.packageName) !== picture.packageName) noSuchFile(params.fileName)
  return sendBytes(ctx, request, picture)
}
