import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { zoneIds } from '../../../kernel/zones.ts'
import { bizTags, fileLimits, pictureSizes } from './rules.ts'

const largest = Number.MAX_SAFE_INTEGER
const zone = zoneIds as ['CN', ...typeof zoneIds]

export const ObjectId = pattern(
  '^[a-z]{2}/[0-9]{10}/[0-9a-f-]{36}\\.[a-z0-9]{1,10}$',
  64,
  'cn/2026010112/0b9a3f0e-6f0a-4c0e-9d6e-3a1f0c9d2b11.apk',
)
const BizTag = oneOf(bizTags)
const Sha256 = pattern('^[0-9a-f]{64}$', 64, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
const FileName = text(fileLimits.nameLength, 1)
const Size = integer(0, largest)
const Part = integer(1, fileLimits.maxParts)

const ofObject = {
  zone: pattern('^[a-z]{2}$', 2, 'cn'),
  hour: pattern('^[0-9]{10}$', 10, '2026010112'),
  name: pattern('^[0-9a-f-]{36}\\.[a-z0-9]{1,10}$', 50, '0b9a3f0e-6f0a-4c0e-9d6e-3a1f0c9d2b11.apk'),
}

const StoredFile = shape({
  objectId: ObjectId,
  url: text(2000),
  fileName: FileName,
  sha256: Sha256,
  size: Size,
  mime: text(100),
  width: nullable(integer(0, largest)),
  height: nullable(integer(0, largest)),
})

const ListedFile = shape({
  objectId: ObjectId,
  fileName: FileName,
  bizTag: BizTag,
  size: Size,
  mime: text(100),
  width: nullable(integer(0, largest)),
  height: nullable(integer(0, largest)),
  /** An app refers to it; else it ends by itself. */
  isHeld: flag(),
  createdAt: Instant,
  expireAt: nullable(Instant),
})

const others = shape({ bizTag: BizTag, expireAt: nullable(Instant) })
export const Uploaded = { urlsInfo: list(StoredFile), othersInfo: others }

const PutAddress = shape({
  objectId: ObjectId,
  url: text(2000),
  method: Type.Literal('PUT'),
  headers: Type.Record(Type.String(), Type.String()),
  expireAt: Instant,
})

const ObjectToCome = {
  fileName: FileName,
  size: Size,
  bizTag: optional(BizTag),
  sha256: optional(Sha256),
}

const PartAddress = shape({
  partNumber: Part,
  partObjectId: text(40),
  size: Size,
  url: text(2000),
  method: Type.Literal('PUT'),
  headers: Type.Record(Type.String(), Type.String()),
})

const OfUpload = { objectId: ObjectId, nspUploadId: Id }
const streamQuery = shape({
  fileName: optional(FileName),
  bizTag: optional(BizTag),
  sha256: optional(Sha256),
  size: optional(Size),
})
const DownloadAddress = shape({ objectId: ObjectId, url: text(2000), expireAt: Instant })

const errors = {
  emptyFile: [201020001, 400, 'The file is empty; send at least one byte.'],
  wrongHash: [
    201020002,
    422,
    'The bytes that came have the sha256 {found}, announced was {expected}; send them again.',
  ],
  wrongSize: [201020003, 422, '{found} bytes came, announced were {expected}; send all of them again.'],
  signatureInvalid: [
    201020004,
    403,
    'This address or its headers were changed; use both exactly as they were given, or ask for a new address.',
  ],
  addressExpired: [201020005, 403, 'This address ended at {expireAt}; ask for a new one.'],
  addressUsed: [201020006, 409, 'This address was used already; ask for a new one.'],
  objectInUse: [201020007, 409, 'OBJECT_IN_USE: object {objectId} is still referred to; remove what uses it first.'],
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
  wrongContent: [201020011, 422, 'A file for {bizTag} is one of {expected}; these bytes are {found}.'],
  tooManyPixels: [201020012, 422, 'The image has {width} x {height} pixels; make it at most {limit} pixels.'],
  animated: [201020013, 422, 'Animated images are not taken here; send a still one.'],
  noPicture: [201020018, 422, 'The file {objectId} is no picture; ask for it as it is.'],
  uploadCut: [201020014, 400, 'The connection broke before all bytes had come; send them again.'],
} as const

const makeAddress = {
  method: 'POST',
  path: '/upload/object/url',
  who: 'cp',
  may: 'files.upload',
  summary: 'A signed address to PUT one file to: one use, 1 hour',
  body: shape(ObjectToCome),
  answer: shape({ urlInfo: PutAddress, urlsInfo: list(PutAddress), othersInfo: others }),
} as const

export const files = service({
  name: 'ground/files',
  prefix: '/cfs/file_service/v1',
  zone: 'current',
  permissions: ['files.read', 'files.upload'],
  errors,
  calls: {
    getRouteSite: {
      method: 'GET',
      path: '/usage/route/site',
      who: 'cp',
      may: 'files.read',
      summary: 'The base address of file calls, by zone',
      query: shape({ zone: optional(text(8)), siteId: optional(integer(0, 99)) }),
      answer: shape({
        zone: oneOf(zone),
        siteId: integer(1, 8),
        url: text(500),
        sites: list(shape({ zone: oneOf(zone), siteId: integer(1, 8), url: text(500) })),
      }),
    },
    uploadObject: {
      method: 'POST',
      path: '/upload/object',
      who: 'cp',
      may: 'files.upload',
      kind: 'upload',
      transaction: false,
      summary:
        'Sends a file as the raw body, or as one file field of multipart/form-data after bizTag, fileName, sha256',
      query: streamQuery,
      answer: shape(Uploaded),
    },
    makeAddress,
    makeAddresses: {
      method: 'POST',
      path: '/upload/objects/url',
      who: 'cp',
      may: 'files.upload',
      summary: 'Signed addresses to PUT up to 100 files to',
      body: shape({
        objects: Type.Array(shape(ObjectToCome), { minItems: 1, maxItems: fileLimits.addressesAtOnce }),
      }),
      answer: shape({ urlsInfo: list(PutAddress), othersInfo: list(others) }),
    },
    putObject: {
      method: 'PUT',
      path: '/object/:zone/:hour/:name',
      who: 'anonymous',
      may: 'none',
      kind: 'upload',
      transaction: false,
      rate: 'upload',
      summary: 'Takes the bytes of a signed address, with exactly the headers given with it',
      params: shape(ofObject),
      query: shape({ size: Size, exp: Instant }),
      answer: shape(Uploaded),
    },
    download: {
      method: 'GET',
      path: '/object/:zone/:hour/:name',
      who: 'anonymous',
      may: 'none',
      kind: 'download',
      transaction: false,
      rate: 'device',
      summary: 'The bytes of a signed address; ranges, ETag is the sha256',
      params: shape(ofObject),
      query: shape({
        exp: Instant,
        name: optional(FileName),
        picture: optional(oneOf(pictureSizes)),
        sig: text(100, 1),
      }),
    },
    makeDownloadAddress: {
      method: 'POST',
      path: '/download/object/url',
      who: 'cp',
      may: 'files.read',
      summary: 'A signed address to read one file from: for 1 hour, for papers and keys 5 minutes',
      body: shape({
        objectId: ObjectId,
        fileName: optional(FileName),
        picture: optional(oneOf(pictureSizes)),
      }),
      answer: shape({ url: text(2000), expireAt: Instant, urlsInfo: list(DownloadAddress) }),
    },
    makeDownloadAddresses: {
      method: 'POST',
      path: '/download/objects/url',
      who: 'cp',
      may: 'files.read',
      summary: 'Signed addresses to read up to 100 files from',
      body: shape({ objectIds: Type.Array(ObjectId, { minItems: 1, maxItems: fileLimits.addressesAtOnce }) }),
      answer: shape({ urlsInfo: list(DownloadAddress) }),
    },
    listObjects: {
      method: 'GET',
      path: '/objects',
      who: 'cp',
      may: 'files.read',
      summary: 'Stored files that the caller reaches, the newest first',
      query: shape({ appId: optional(Id), bizTag: optional(BizTag), ...PageQuery }),
      answer: pageOf(ListedFile),
    },
    deleteObjects: {
      method: 'POST',
      path: '/delete/objects',
      who: 'cp',
      may: 'files.upload',
      summary: 'Deletes files that nothing refers to; refused where not one of them can be deleted',
      body: shape({ objectIds: Type.Array(ObjectId, { minItems: 1, maxItems: fileLimits.deletedAtOnce }) }),
      answer: shape({
        deletedObjects: list(ObjectId),
        errorObjects: list(shape({ objectId: ObjectId, code: integer(1, 999_999_999), message: text(500) })),
      }),
    },
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

/** The second generation of the same address. */
export const filesV2 = service({ ...shared(), prefix: '/cfs/file_service/v2', calls: { makeAddress } })

/** What the content pages call. */
export const filesCms = service({
  ...shared(),
  prefix: '/cms/file-service/v1',
  calls: {
    makeAddress,
    getUploadParam: {
      method: 'POST',
      path: '/get-upload-param',
      who: 'cp',
      may: 'files.upload',
      summary: 'What an upload may be: limit, contents, part sizes and lives',
      body: shape({ bizTag: optional(BizTag), fileName: optional(FileName) }),
      answer: shape({
        bizTag: BizTag,
        limitBytes: Size,
        mimes: nullable(list(text(100))),
        chunkBytes: Size,
        partSize: Size,
        minPartSize: Size,
        maxPartSize: Size,
        maxParts: Part,
        addressLifeSeconds: integer(1, largest),
        tempLifeSeconds: integer(1, largest),
        uploadLifeSeconds: integer(1, largest),
      }),
    },
  },
})

function shared() {
  return {
    name: 'ground/files',
    zone: 'current' as const,
    permissions: ['files.read', 'files.upload'] as const,
    errors,
  }
}

const upload = <const Path extends string>(path: Path, summary: string) =>
  ({
    method: 'POST',
    path,
    who: 'cp',
    may: 'files.upload',
    kind: 'upload',
    transaction: false,
    summary,
    query: streamQuery,
    answer: shape({
      ...Uploaded,
      result: shape({
        UploadFileRsp: shape({
          ifSuccess: integer(0, 1),
          // The first spelling is the field's own and clients read it (brief distribution 3.3).
          fileInfoList: list(
            shape({ fileDestUlr: text(2000), fileDestUrl: text(2000), size: Size, objectId: ObjectId }),
          ),
        }),
      }),
    }),
  }) as const

/** The console's own upload addresses: the same upload with the tag fixed. */
export const uploads = service({
  ...shared(),
  prefix: '/api',
  calls: {
    uploadApk: upload('/uploadApk', 'Sends a package'),
    uploadImg: upload('/uploadImg', 'Sends an image'),
    uploadVideo: upload('/uploadVideo', 'Sends a video'),
    uploadZip: upload('/uploadZip', 'Sends a zip'),
  },
})
