import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { trusted } from '../access.ts'
import { assertWritable, type BucketFacts } from '../buckets/facts.ts'
import { reachBucket } from '../buckets/rows.ts'
import { storageErrors } from '../contract.ts'
import { checkedMetadata } from '../device/attributes.ts'
import { kept } from '../objects/content.ts'
import { type ListedFile, listObjects } from '../objects/listing.ts'
import { findObject, noAttributes } from '../objects/rows.ts'
import { changeAttributes, writeObject } from '../objects/writing.ts'
import { isFolder, limits, nameOf, pathProblem } from '../rules.ts'
import { changeTokens, shortToken } from '../tokens.ts'
import { assertMayBegin } from '../uploads/finishing.ts'
import { openUpload } from '../uploads/rows.ts'
import { addressOf, toDetail, toTokens } from './answer.ts'
import { storageFiles, storageFilesOlder } from './contract.ts'
import { deletePaths } from './deleting.ts'
import { searchFiles } from './searching.ts'
import { deletedFiles, removeVersion, restore, versionsOf } from './versions.ts'

const shownSeconds = 900

const toFile = (file: ListedFile) => ({
  path: file.path,
  name: nameOf(file.path),
  size: file.sizeBytes,
  contentType: file.contentType,
  generation: String(file.generation),
  updatedAt: file.updatedAt,
})

const handlers: Handlers<typeof storageFiles> = {
  listFiles: async (ctx, { body }) => {
    const { bucketId } = await reachBucket(ctx, body.bucketId)
    const { prefix = '', delimiter = '/', marker = '', maxKeys = 100, search } = body
    if (search !== undefined && search.trim() !== '') {
      const found = await searchFiles(ctx, bucketId, { prefix, search: search.trim(), after: marker, limit: maxKeys })
      return { files: found.files.map(toFile), folders: [], nextMarker: found.next }
    }
    const found = await listObjects(ctx, bucketId, { prefix, delimiter, after: marker, limit: maxKeys })
    return {
      // The folder that is looked into is not in itself.
      files: found.files.filter(file => file.path !== prefix).map(toFile),
      folders: found.prefixes.map(path => ({ path, name: nameOf(path) })),
      nextMarker: found.next,
    }
  },

  createFolder: async (ctx, { body }) => {
    const bucket = await writable(ctx, body.bucketId)
    const path = checked(body.path.endsWith('/') ? body.path : `${body.path}/`)
    if (await findObject(ctx, bucket.bucketId, path)) return { path }
    const attributes = { ...noAttributes, contentType: 'application/x-directory' }
    await writeObject(ctx, bucket, { path, content: await kept(Buffer.alloc(0)), attributes, ownerUid: null })
    ctx.audit({ action: 'storage.folder.create', entity: 'bucket', entityId: bucket.bucketId, after: { path } })
    return { path }
  },

  queryDetail: async (ctx, { body: { bucketId, path } }) => {
    await reachBucket(ctx, bucketId)
    const object = await present(ctx, bucketId, path)
    const token = shortToken(ctx.server, bucketId, path, shownSeconds)
    return {
      object: toDetail(object),
      tokens: toTokens(ctx, object),
      versions: await versionsOf(ctx, bucketId, path),
      downloadUrl: `${addressOf(ctx, bucketId, path)}?token=${token}`,
    }
  },

  updateMetadata: async (ctx, { body: { bucketId, path, ...change } }) => {
    const bucket = await writable(ctx, bucketId)
    const { metadata, ...rest } = change
    const given = metadata === undefined ? rest : { ...rest, metadata: checkedMetadata(metadata) }
    const row = await changeAttributes(ctx, bucket, path, given)
    if (!row) refuse(storageErrors.noFile, { path })
    ctx.audit({ action: 'storage.file.describe', entity: 'bucket', entityId: bucketId, after: { path, ...given } })
    return toDetail(row)
  },

  deleteFiles: async (ctx, { body: { bucketId, paths = [], prefixes = [] } }) => {
    const bucket = await writable(ctx, bucketId)
    const done = await deletePaths(ctx, bucket, paths)
    if (done.deletedObjects.length > 0) {
      const before = { paths: done.deletedObjects.slice(0, 100), count: done.deletedObjects.length }
      ctx.audit({ action: 'storage.file.delete', entity: 'bucket', entityId: bucketId, before })
    }
    if (prefixes.length === 0) return { ...done, jobId: null }
    ctx.audit({ action: 'storage.folder.delete', entity: 'bucket', entityId: bucketId, before: { prefixes } })
    const input = { bucketId, prefixes }
    const jobId = ctx.startJob({ kind: 'storage.deletePrefixes', subject: bucketId, input, deadlineMs: 6 * 3_600_000 })
    return { ...done, jobId }
  },

  restoreVersion: async (ctx, { body: { bucketId, path, generation } }) => {
    const bucket = await writable(ctx, bucketId)
    const row = await restore(ctx, bucket, path, Number(generation))
    ctx.audit({ action: 'storage.file.restore', entity: 'bucket', entityId: bucketId, after: { path, generation } })
    return toDetail(row)
  },

  deleteVersion: async (ctx, { body: { bucketId, path, generation } }) => {
    await writable(ctx, bucketId)
    await removeVersion(ctx, bucketId, path, Number(generation))
    ctx.audit({ action: 'storage.version.delete', entity: 'bucket', entityId: bucketId, before: { path, generation } })
    return {}
  },

  listVersions: async (ctx, { body: { bucketId, prefix = '', marker = '' } }) => {
    await reachBucket(ctx, bucketId)
    return deletedFiles(ctx, bucketId, prefix, marker)
  },

  startUpload: async (ctx, { body: { bucketId, path: wanted, size, contentType, existing = 'refuse' } }) => {
    const bucket = await reachBucket(ctx, bucketId)
    const path = checked(wanted)
    if (isFolder(path)) refuse(storageErrors.badPath, { path, problem: 'is that of a folder' })
    const attributes = { ...noAttributes, contentType }
    await assertMayBegin(ctx, bucket, trusted, { path, attributes, sizeBytes: size })
    return ctx.transact(async inner => {
      const there = await findObject(inner, bucketId, path)
      if (there && existing === 'refuse') return { uploadUrl: '', expiresAt: 0, exists: true }
      const upload = await openUpload(inner, bucket, {
        path,
        kind: 'TUS',
        sizeBytes: size,
        ownerUid: null,
        isTrusted: true,
        attributes: { contentType },
      })
      inner.audit({ action: 'storage.file.upload', entity: 'bucket', entityId: bucketId, after: { path, size } })
      return { uploadUrl: `/tus/${upload.uploadId}`, expiresAt: upload.expiresAt, exists: there !== null }
    })
  },

  createToken: async (ctx, { body: { bucketId, path, ttl } }) =>
    withTokens(ctx, bucketId, path, 'create', { add: { createdBy: `account:${ctx.accountId}`, ttlSeconds: ttl } }),

  deleteToken: async (ctx, { body: { bucketId, path, token } }) =>
    withTokens(ctx, bucketId, path, 'revoke', { remove: token }),

  clearAndRefreshToken: async (ctx, { body: { bucketId, path } }) =>
    withTokens(ctx, bucketId, path, 'renew', { remove: 'all', add: { createdBy: `account:${ctx.accountId}` } }),
}

export default implement(storageFiles, handlers)

const { listFiles, createFolder, queryDetail, deleteFiles } = handlers
export const older = implement(storageFilesOlder, { listFiles, createFolder, queryDetail, deleteFiles })

async function writable(ctx: Context, bucketId: string): Promise<BucketFacts> {
  const bucket = await reachBucket(ctx, bucketId)
  assertWritable(bucket)
  return bucket
}

async function present(ctx: Context, bucketId: string, path: string) {
  return (await findObject(ctx, bucketId, path)) ?? refuse(storageErrors.noFile, { path })
}

function checked(path: string): string {
  const problem = pathProblem(path)
  return problem === null ? path : refuse(storageErrors.badPath, { path: path.slice(0, limits.pathBytes), problem })
}

async function withTokens(
  ctx: Context,
  bucketId: string,
  path: string,
  what: 'create' | 'revoke' | 'renew',
  change: Parameters<typeof changeTokens>[3],
) {
  const bucket = await writable(ctx, bucketId)
  const row = await changeTokens(ctx, bucket, path, change)
  ctx.audit({ action: `storage.token.${what}`, entity: 'bucket', entityId: bucketId, after: { path } })
  return { tokens: toTokens(ctx, row) }
}
