import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { deviceOf, noSuchFile, repositoryZone } from '../asked.ts'
import { memoryOf } from '../memory.ts'
import { sendBytes } from '../serve.ts'
import type { RepositoryZone } from './address.ts'
import { fdroid } from './contract.ts'
import { readFile } from './index-files.ts'
import { indexOf } from './published.ts'
import { sendDocument } from './send-document.ts'

const indexNames: ReadonlySet<string> = new Set(['index-v1.jar', 'index-v2.json', 'entry.jar', 'entry.json'])

export default implement(fdroid, {
  downloadRepositoryFile: async (ctx, { params }, { request }) => {
    const zone = repositoryZone(params.zone)
    if (indexNames.has(params.fileName)) return sendIndex(ctx, request, zone, params.fileName)
    const { shelf, tallies } = memoryOf(ctx.server)
    if (shelf.isBehind) await shelf.catchUp()
    const file = shelf.file(params.fileName)
    if (!file || (zone !== 'all' && file.zone !== zone)) noSuchFile(params.fileName)
    return sendBytes(ctx, request, file, () => tallies.addDownload(file.versionId, deviceOf(ctx), ctx.now()))
  },

  downloadRepositoryDiff: (ctx, { params }, { request }) =>
    sendIndex(ctx, request, repositoryZone(params.zone), `diff/${params.fileName}`),
  downloadLogFile: (ctx, { params }, { request }) =>
    sendIndex(ctx, request, repositoryZone(params.zone), `transparency/${params.fileName}`),

  downloadRepositoryIcon: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
  downloadRepositoryLocalIcon: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
  downloadRepositoryScreenshot: (ctx, { params }, { request }) => sendPicture(ctx, request, params),
})

async function sendIndex(ctx: Context, request: FastifyRequest, zone: RepositoryZone, name: string): Promise<Download> {
  const { files, timestamp } = await indexOf(ctx, zone)
  const file = Object.hasOwn(files, name) ? files[name] : undefined
  if (!file) noSuchFile(name)
  const { sha256, sizeBytes, mime } = file
  const body = () => readFile(ctx.server, file)
  return sendDocument(request, { body, sizeBytes, etag: `"${sha256}"`, changedAt: timestamp, mime })
}

async function sendPicture(
  ctx: Context,
  request: FastifyRequest,
  params: { zone: string; fileName: string; packageName?: string },
): Promise<Download> {
  const { shelf } = memoryOf(ctx.server)
  const zone = repositoryZone(params.zone)
  if (shelf.isBehind) await shelf.catchUp()
  const picture = shelf.media(
    params.fileName,
    one => (zone === 'all' || one.zone === zone) && (params.packageName ?? one.packageName) === one.packageName,
  )
  if (!picture) noSuchFile(params.fileName)
  return sendBytes(ctx, request, picture)
}
