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
export const BizTag = oneOf(bizTags)
export const Sha256 = pattern('^[0-9a-f]{64}$', 64, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
export const FileName = text(fileLimits.nameLength, 1)
export const Size = integer(0, largest)

/** The parts of an object's id, as they stand in a path. */
export const ofObject = {
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
  /** Whose file it is: the app that referred to it first; null before. */
  appId: nullable(Id),
  /** An app refers to it; else it ends by itself. */
  isHeld: flag(),
  createdAt: Instant,
  expireAt: nullable(Instant),
})

/** What a file is for and how long it stays. */
export const OthersInfo = shape({ bizTag: BizTag, expireAt: nullable(Instant) })
export const Uploaded = { urlsInfo: list(StoredFile), othersInfo: OthersInfo }

/** What is said of a file before its bytes come. */
export const ObjectToCome = {
  fileName: FileName,
  size: Size,
  bizTag: optional(BizTag),
  sha256: optional(Sha256),
}

/** What is said of a file that is sent as a stream. */
export const streamQuery = shape({
  fileName: optional(FileName),
  bizTag: optional(BizTag),
  sha256: optional(Sha256),
  size: optional(Size),
})

const DownloadAddress = shape({ objectId: ObjectId, url: text(2000), expireAt: Instant })

/** Where the calls for files lie. */
export const place = {
  name: 'ground/files',
  prefix: '/cfs/file_service/v1',
  zone: 'current',
  permissions: ['files.read', 'files.upload'],
} as const

export const files = service({
  ...place,
  errors: {
    emptyFile: [201020001, 400, 'The file is empty; send at least one byte.'],
    wrongHash: [
      201020002,
      422,
      'The bytes that came have the sha256 {found}, announced was {expected}; send them again.',
    ],
    wrongSize: [201020003, 422, '{found} bytes came, announced were {expected}; send all of them again.'],
    wrongContent: [201020011, 422, 'A file for {bizTag} is one of {expected}; these bytes are {found}.'],
    tooManyPixels: [201020012, 422, 'The image has {width} x {height} pixels; make it at most {limit} pixels.'],
    animated: [201020013, 422, 'Animated images are not taken here; send a still one.'],
    uploadCut: [201020014, 400, 'The connection broke before all bytes had come; send them again.'],
    signatureInvalid: [
      201020004,
      403,
      'This address or its headers were changed; use both exactly as they were given, or ask for a new address.',
    ],
    addressExpired: [201020005, 403, 'This address ended at {expireAt}; ask for a new one.'],
    objectInUse: [201020007, 409, 'OBJECT_IN_USE: object {objectId} is still referred to; remove what uses it first.'],
    noPicture: [201020018, 422, 'The file {objectId} is no picture; ask for it as it is.'],
  },
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
      body: shape({
        objectIds: Type.Array(ObjectId, { minItems: 1, maxItems: fileLimits.addressesAtOnce }),
        picture: optional(oneOf(pictureSizes)),
      }),
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
  },
})
