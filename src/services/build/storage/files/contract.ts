import { type CallSpec, type Contract, service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { BucketId, storageErrors } from '../contract.ts'
import { limits } from '../rules.ts'

const Path = text(limits.pathBytes, 1)
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const Generation = text(20, 1, { pattern: '^[0-9]{1,16}$', examples: ['1'] })
const Header = nullable(text(1000))

export const StoredFile = shape({
  path: text(limits.pathBytes),
  name: text(limits.pathBytes),
  size: Count,
  contentType: text(200),
  generation: Generation,
  updatedAt: Instant,
})

const Token = shape({
  token: text(64),
  url: text(4000),
  createdAt: Instant,
  createdBy: text(100),
  expiresAt: nullable(Instant),
})

const Version = shape({
  generation: Generation,
  size: Count,
  contentType: text(200),
  createdAt: Instant,
  replacedAt: Instant,
})

export const FileDetail = shape({
  bucketId: BucketId,
  path: text(limits.pathBytes),
  name: text(limits.pathBytes),
  size: Count,
  contentType: text(200),
  /** What the bytes say they are, where that is something else. */
  sniffedType: nullable(text(200)),
  cacheControl: Header,
  contentDisposition: Header,
  contentEncoding: Header,
  contentLanguage: Header,
  sha256: nullable(text(64)),
  md5: nullable(text(32)),
  metadata: Type.Record(Type.String(), Type.String()),
  ownerUid: nullable(text(100)),
  generation: Generation,
  metageneration: Count,
  createdAt: Instant,
  updatedAt: Instant,
})

const At = { bucketId: BucketId, path: Path }
const read = { method: 'POST', who: 'cp', may: 'storage.read' } as const satisfies Partial<CallSpec>
const edit = { method: 'POST', who: 'cp', may: 'storage.edit' } as const satisfies Partial<CallSpec>
const Tokens = shape({ tokens: list(Token) })

/** Files and folders of a bucket, as the console shows them. */
export const storageFiles = service({
  name: 'build/storage',
  prefix: '/css/cloud-storage/v2',
  zone: 'current',
  permissions: ['storage.read', 'storage.edit'],
  errors: storageErrors,
  calls: {
    listFiles: {
      ...read,
      path: '/file/listFiles',
      summary: 'Files and folders below a prefix',
      body: shape({
        bucketId: BucketId,
        prefix: optional(text(limits.pathBytes)),
        delimiter: optional(text(10)),
        marker: optional(text(limits.pathBytes)),
        maxKeys: optional(integer(1, limits.listPage)),
        /** A part of the path, whatever folder it is in. */
        search: optional(text(200)),
      }),
      answer: shape({
        files: list(StoredFile),
        folders: list(shape({ path: text(limits.pathBytes), name: text(limits.pathBytes) })),
        nextMarker: nullable(text(limits.pathBytes)),
      }),
    },
    createFolder: {
      ...edit,
      path: '/file/createFolder',
      summary: 'Makes an empty folder',
      body: shape(At),
      answer: shape({ path: text(limits.pathBytes) }),
    },
    queryDetail: {
      ...read,
      path: '/file/queryDetail',
      summary: 'Everything that is known of a file, with its download tokens',
      body: shape(At),
      answer: shape({
        object: FileDetail,
        tokens: list(Token),
        versions: list(Version),
        /** Opens the file for some minutes. */
        downloadUrl: text(4000),
      }),
    },
    updateMetadata: {
      ...edit,
      path: '/file/updateMetadata',
      summary: 'Changes what is said of a file',
      body: shape({
        ...At,
        contentType: optional(text(200, 1)),
        cacheControl: optional(Header),
        contentDisposition: optional(Header),
        contentEncoding: optional(Header),
        contentLanguage: optional(Header),
        metadata: optional(Type.Record(text(128, 1), text(limits.metadataBytes))),
      }),
      answer: FileDetail,
    },
    deleteFiles: {
      ...edit,
      path: '/file/deleteFiles',
      summary: 'Deletes files at once, folders with all that is in them as a job',
      body: shape({
        bucketId: BucketId,
        paths: optional(list(Path, { maxItems: limits.deletedAtOnce })),
        prefixes: optional(list(Path, { maxItems: 100 })),
      }),
      answer: shape({
        deletedObjects: list(text(limits.pathBytes)),
        errorObjects: list(shape({ path: text(limits.pathBytes), code: integer(0, 2_147_483_647), msg: text(500) })),
        jobId: nullable(Id),
      }),
    },
    restoreVersion: {
      ...edit,
      path: '/file/restoreVersion',
      summary: 'Makes a version that was replaced or deleted the file again',
      body: shape({ ...At, generation: Generation }),
      answer: FileDetail,
    },
    deleteVersion: {
      ...edit,
      path: '/file/deleteVersion',
      summary: 'Removes a version for good',
      body: shape({ ...At, generation: Generation }),
      answer: shape({}),
    },
    listVersions: {
      ...read,
      path: '/file/listVersions',
      summary: 'Files of a bucket that were deleted and can be brought back',
      body: shape({
        bucketId: BucketId,
        prefix: optional(text(limits.pathBytes)),
        marker: optional(text(limits.pathBytes)),
      }),
      answer: shape({
        files: list(shape({ path: text(limits.pathBytes), generation: Generation, size: Count, replacedAt: Instant })),
        nextMarker: nullable(text(limits.pathBytes)),
      }),
    },
    startUpload: {
      ...edit,
      path: '/file/startUpload',
      summary: 'An address that takes the bytes of a file by the TUS protocol and goes on where it was cut',
      body: shape({
        ...At,
        size: Count,
        contentType: text(200, 1),
        /** `refuse` unless said: what a file of that path means. */
        existing: optional(oneOf(['replace', 'refuse'])),
      }),
      answer: shape({ uploadUrl: text(300), expiresAt: Instant, exists: flag() }),
      transaction: false,
    },
    createToken: {
      ...edit,
      path: '/file/createToken',
      summary: 'Makes a download token: whoever has the address may read the file',
      body: shape({ ...At, ttl: optional(integer(60, 31_536_000)) }),
      answer: Tokens,
    },
    deleteToken: {
      ...edit,
      path: '/file/deleteToken',
      summary: 'Revokes a download token',
      body: shape({ ...At, token: text(64, 1) }),
      answer: Tokens,
    },
    clearAndRefreshToken: {
      ...edit,
      path: '/file/clearAndRefreshToken',
      summary: 'Revokes every download token of a file and makes a new one',
      body: shape(At),
      answer: Tokens,
    },
  },
})

const { listFiles, createFolder, queryDetail, deleteFiles } = storageFiles.calls

/** The older generation of what it has of them. */
export const storageFilesOlder: Contract<
  Pick<typeof storageFiles.calls, 'listFiles' | 'createFolder' | 'queryDetail' | 'deleteFiles'>,
  typeof storageFiles.errors
> = {
  ...storageFiles,
  prefix: '/css/cloud-storage/v1',
  calls: { listFiles, createFolder, queryDetail, deleteFiles },
}
