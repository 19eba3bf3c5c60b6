import { service } from '../../../../kernel/contract.ts'
import { Instant, integer, list, nullable, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import {
  BizTag,
  FileName,
  ObjectId,
  ObjectToCome,
  OthersInfo,
  ofObject,
  place,
  Size,
  streamQuery,
  Uploaded,
} from '../contract.ts'
import { fileLimits } from '../rules.ts'

const largest = Number.MAX_SAFE_INTEGER
const Part = integer(1, fileLimits.maxParts)

const PutAddress = shape({
  objectId: ObjectId,
  url: text(2000),
  method: Type.Literal('PUT'),
  headers: Type.Record(Type.String(), Type.String()),
  expireAt: Instant,
})

const makeAddress = {
  method: 'POST',
  path: '/upload/object/url',
  who: 'cp',
  may: 'files.upload',
  summary: 'A signed address to PUT one file to: one use, 1 hour',
  body: shape(ObjectToCome),
  answer: shape({ urlInfo: PutAddress, urlsInfo: list(PutAddress), othersInfo: OthersInfo }),
} as const

const shared = {
  ...place,
  errors: {
    addressUsed: [201020006, 409, 'This address was used already; ask for a new one.'],
  },
} as const

/** Files that come in one piece to a signed address. */
export const objectUploads = service({
  ...shared,
  calls: {
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
      answer: shape({ urlsInfo: list(PutAddress), othersInfo: list(OthersInfo) }),
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
  },
})

/** The second generation of the same address. */
export const filesV2 = service({ ...shared, prefix: '/cfs/file_service/v2', calls: { makeAddress } })

/** What the content pages call. */
export const filesCms = service({
  ...shared,
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
  ...shared,
  prefix: '/api',
  calls: {
    uploadApk: upload('/uploadApk', 'Sends a package'),
    uploadImg: upload('/uploadImg', 'Sends an image'),
    uploadVideo: upload('/uploadVideo', 'Sends a video'),
    uploadZip: upload('/uploadZip', 'Sends a zip'),
  },
})
