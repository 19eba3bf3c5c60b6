import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../../server/context.ts'
import { type Download, implement } from '../../../../../server/implement.ts'
import { deviceOf, noSuchFile } from '../../asked.ts'
import { memoryOf } from '../../memory.ts'
import { sendBytes } from '../../serve.ts'
import { fdroidOfGroup } from '../contract.ts'
import { sendDocument } from '../send-document.ts'
import { groupIndexOf, groupOf } from './group.ts'

export default implement(fdroidOfGroup, {
  downloadGroupFile: async (ctx, { params: { token, fileName } }, { request }) => {
    const group = await groupOf(ctx, request, token)
    if (!fileName.endsWith('.apk')) {
      const { files, timestamp } = await groupIndexOf(ctx, group, token)
      const file = files.get(fileName) ?? noSuchFile(fileName)
      const { bytes, etag, mime } = file
      return sendDocument(request, { body: () => bytes, sizeBytes: bytes.length, etag, changedAt: timestamp, mime })
    }
    const { shelf, tallies } = memoryOf(ctx.server)
    if (shelf.isBehind) await shelf.catchUp()
    const file = shelf.file(fileName)
    if (!file || !group.appIds.includes(file.appId)) noSuchFile(fileName)
    return sendBytes(ctx, request, file, () => tallies.addDownload(file.versionId, deviceOf(ctx), ctx.now()))
  },

  downloadGroupIcon: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
  downloadGroupLocalIcon: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
  downloadGroupScreenshot: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
})

async function sendPicture(
  ctx: Context,
  request: FastifyRequest,
  params: { token: string; fileName: string; packageName?: string },
): Promise<Download> {
  const group = await groupOf(ctx, request, params.token)
  const { shelf } = memoryOf(ctx.server)
  if (shelf.isBehind) await shelf.catchUp()
  const picture = shelf.media(
    params.fileName,
    one => group.appIds.includes(one.appId) && (params.packageName ?? one.packageName) === one.packageName,
  )
  if (!picture) noSuchFile(params.fileName)
  return sendBytes(ctx, request, picture)
}
