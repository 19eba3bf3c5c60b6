import { refuse } from '../../../../kernel/errors.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { type Download, implement, type UploadInput, type WireAccess } from '../../../../server/implement.ts'
import { bucketOf } from '../buckets/facts.ts'
import { answerPreflight } from '../device/cors.ts'
import { corsOf, deleteMany, listBuckets, removeBucket, writeBucket } from './buckets.ts'
import { storageS3 } from './contract.ts'
import { listFiles, listUploads } from './listings.ts'
import { beginUpload, completeUpload, copyPart, giveUpUpload, listParts, takePart } from './multipart.ts'
import { copyObject, dropObject, giveObject, takeObject } from './objects.ts'
import { atBucket, atObject, nothing, signedRequest, xml } from './request.ts'
import { document, s3Errors } from './rules.ts'
import { listVersions, versioningOf } from './versions.ts'

type ToBucket = UploadInput & { params: { bucket: string } }
type ToObject = UploadInput & { params: { bucket: string; '*': string } }

/** Settings of S3 that are asked for by name and are not here. */
const otherSettings = [
  ...['acl', 'analytics', 'encryption', 'inventory', 'lifecycle', 'logging', 'metrics', 'notification', 'object-lock'],
  ...['policy', 'replication', 'requestPayment', 'tagging', 'website', 'accelerate', 'attributes', 'torrent'],
  ...['legal-hold', 'retention', 'restore', 'select', 'ownershipControls', 'publicAccessBlock', 'policyStatus'],
]

function assertKnown(query: Readonly<Record<string, string | undefined>>): void {
  const other = otherSettings.find(name => query[name] !== undefined)
  if (other !== undefined) refuse(s3Errors.notHere, { operation: `?${other}` })
}

async function readBucket(ctx: Context, input: ToBucket, wire: WireAccess): Promise<Download> {
  const asked = await atBucket(ctx, input, wire)
  const { query } = asked
  assertKnown(query)
  if (query['cors'] !== undefined) return corsOf(asked)
  if (query['uploads'] !== undefined) return listUploads(asked)
  if (query['location'] !== undefined) return xml(document('LocationConstraint', { $: undefined }))
  if (query['versioning'] !== undefined) return versioningOf(asked)
  if (query['versions'] !== undefined) return listVersions(asked)
  return listFiles(asked)
}

async function headBucket(ctx: Context, input: ToBucket, wire: WireAccess): Promise<Download> {
  const { bucket } = await atBucket(ctx, input, wire)
  return nothing({ 'x-amz-bucket-region': zones[bucket.zone].slug })
}

async function put(ctx: Context, input: ToBucket, wire: WireAccess): Promise<Download> {
  return writeBucket(await signedRequest(ctx, input, wire), input.params.bucket)
}

async function remove(ctx: Context, input: ToBucket, wire: WireAccess): Promise<Download> {
  return removeBucket(await atBucket(ctx, input, wire))
}

async function post(ctx: Context, input: ToBucket, wire: WireAccess): Promise<Download> {
  const asked = await atBucket(ctx, input, wire)
  if (asked.query['delete'] === undefined) refuse(s3Errors.notHere, { operation: 'POST to a bucket' })
  return deleteMany(asked)
}

const list = async (ctx: Context, input: UploadInput, wire: WireAccess) =>
  listBuckets(await signedRequest(ctx, input, wire))

const preflight = async (ctx: Context, { params, request }: ToBucket) =>
  answerPreflight(await bucketOf(ctx.server, params.bucket), request)

/** `/bucket/` is the bucket. */
const isBucket = (input: ToObject) => input.params['*'] === ''

export default implement(storageS3, {
  listBuckets: list,
  listBucketsToo: list,
  readBucket,
  headBucket,
  writeBucket: put,
  removeBucket: remove,
  postBucket: post,
  askBucketS3: preflight,
  askObject: preflight,

  readObject: async (ctx, input, wire) => {
    if (isBucket(input)) return readBucket(ctx, input, wire)
    const asked = await atObject(ctx, input, wire)
    assertKnown(asked.query)
    return asked.query['uploadId'] === undefined ? giveObject(asked) : listParts(asked)
  },

  headObject: async (ctx, input, wire) =>
    isBucket(input) ? headBucket(ctx, input, wire) : giveObject(await atObject(ctx, input, wire)),

  putObject: async (ctx, input, wire) => {
    if (isBucket(input)) return put(ctx, input, wire)
    const asked = await atObject(ctx, input, wire)
    assertKnown(asked.query)
    const isCopy = asked.request.headers['x-amz-copy-source'] !== undefined
    if (asked.query['uploadId'] !== undefined) return isCopy ? copyPart(asked) : takePart(asked)
    return isCopy ? copyObject(asked) : takeObject(asked)
  },

  postObject: async (ctx, input, wire) => {
    if (isBucket(input)) return post(ctx, input, wire)
    const asked = await atObject(ctx, input, wire)
    if (asked.query['uploads'] !== undefined) return beginUpload(asked)
    if (asked.query['uploadId'] !== undefined) return completeUpload(asked)
    return refuse(s3Errors.notHere, { operation: 'POST to a file' })
  },

  deleteObject: async (ctx, input, wire) => {
    if (isBucket(input)) return remove(ctx, input, wire)
    const asked = await atObject(ctx, input, wire)
    assertKnown(asked.query)
    return asked.query['uploadId'] === undefined ? dropObject(asked) : giveUpUpload(asked)
  },
})
