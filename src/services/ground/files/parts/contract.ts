import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { ObjectId, ObjectToCome, ofObject, place, Size, Uploaded } from '../contract.ts'
import { fileLimits } from '../rules.ts'

const Part = integer(1, fileLimits.maxParts)

const PartAddress = shape({
  partNumber: Part,
  partObjectId: text(40),
  size: Size,
  url: text(2000),
  method: Type.Literal('PUT'),
  headers: Type.Record(Type.String(), Type.String()),
})

const OfUpload = { objectId: ObjectId, nspUploadId: Id }

/** Files that come in parts, and go on where a lost line broke them off. */
export const partUploads = service({
  ...place,
  errors: {
    partMissing: [
      201020008,
      422,
      'PART_MISSING: the parts {partNumbers} of {partCount} are missing; send them, then compose.',
    ],
    partEtagMismatch: [
      201020009,
      422,
      'PART_ETAG_MISMATCH: the parts {partNumbers} were received with another etag; send them again.',
    ],
    noSuchPart: [201020010, 422, 'This upload has the parts 1 to {partCount}, not {partNumbers}.'],
  },
  calls: {
    beginUpload: {
      method: 'POST',
      path: '/multipart/init',
      who: 'cp',
      may: 'files.upload',
      summary: 'Begins an upload in parts; it lives 7 days',
      body: shape({
        ...ObjectToCome,
        partSize: optional(integer(fileLimits.minPartBytes, fileLimits.maxPartBytes)),
      }),
      answer: shape({
        ...OfUpload,
        partSize: Size,
        partCount: Part,
        expireAt: Instant,
        parts: list(PartAddress),
      }),
    },
    listParts: {
      method: 'GET',
      path: '/multipart/parts',
      who: 'cp',
      may: 'files.upload',
      summary: 'The parts that arrived, and fresh addresses for those that did not: how a browser resumes',
      query: shape(OfUpload),
      answer: shape({
        ...OfUpload,
        size: Size,
        partSize: Size,
        partCount: Part,
        expireAt: Instant,
        received: list(shape({ partNumber: Part, partObjectId: text(40), etag: text(40), size: Size })),
        missing: list(PartAddress),
      }),
    },
    makePartAddresses: {
      method: 'POST',
      path: '/multipart/parts',
      who: 'cp',
      may: 'files.upload',
      summary: 'Fresh addresses for the parts named',
      body: shape({
        ...OfUpload,
        partNumbers: Type.Array(Part, { minItems: 1, maxItems: 1000, uniqueItems: true }),
      }),
      answer: shape({ parts: list(PartAddress) }),
    },
    putPart: {
      method: 'PUT',
      path: '/part/:zone/:hour/:name/:nspUploadId/:partNumber',
      who: 'anonymous',
      may: 'none',
      kind: 'upload',
      transaction: false,
      rate: 'upload',
      summary: 'Takes the bytes of one part; the answer has its etag, which is the MD5',
      params: shape({ ...ofObject, nspUploadId: Id, partNumber: Part }),
      query: shape({ size: Size, exp: Instant }),
      answer: shape({ partNumber: Part, partObjectId: text(40), etag: text(40), size: Size }),
    },
    compose: {
      method: 'POST',
      path: '/multipart/compose',
      who: 'cp',
      may: 'files.upload',
      transaction: false,
      bodyLimit: 2_097_152,
      summary: 'Joins all parts, numbered from 1 without a gap; may be repeated',
      query: shape(OfUpload),
      body: Type.Record(
        Type.String({ pattern: '^[1-9][0-9]{0,4}$' }),
        shape({ partObjectId: optional(text(40)), etag: text(40, 1) }),
        { minProperties: 1, maxProperties: fileLimits.maxParts, additionalProperties: false },
      ),
      answer: shape(Uploaded),
    },
    abortUpload: {
      method: 'POST',
      path: '/multipart/abort',
      who: 'cp',
      may: 'files.upload',
      transaction: false,
      summary: 'Ends an upload and frees its parts; may be repeated',
      body: shape(OfUpload),
    },
  },
})
