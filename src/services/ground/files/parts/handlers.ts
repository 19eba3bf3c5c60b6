import { type Handlers, implement } from '../../../../server/implement.ts'
import { objectIdOf } from '../addresses.ts'
import { uploadedAnswer } from '../uploaded.ts'
import { partUploads } from './contract.ts'
import { abortUpload, beginUpload, compose, listParts, makePartAddresses, putPart } from './upload-in-parts.ts'

const handlers: Handlers<typeof partUploads> = {
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

export default implement(partUploads, handlers)
