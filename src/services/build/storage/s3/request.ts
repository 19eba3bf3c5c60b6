import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import { Context } from '../../../../server/context.ts'
import type { Download, UploadInput, WireAccess } from '../../../../server/implement.ts'
import { assertWritable, type BucketFacts, bucketOf } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { letPagesRead } from '../device/cors.ts'
import { pathProblem } from '../rules.ts'
import { s3Errors } from './rules.ts'
import { provenKey, type Signed } from './signature.ts'

/** A signed request: the rows of the key's team, and who signed. */
export interface S3Request {
  ctx: Context
  signed: Signed
  request: FastifyRequest
  stream: Readable
  query: Readonly<Record<string, string | undefined>>
  wire: WireAccess
}

export interface BucketRequest extends S3Request {
  bucket: BucketFacts
}

export interface ObjectRequest extends BucketRequest {
  path: string
}

export async function signedRequest(outer: Context, input: UploadInput, wire: WireAccess): Promise<S3Request> {
  const { request, stream } = input
  const signed = await provenKey(outer.server, request)
  const { teamId, zone, accessKeyId } = signed.key
  const ctx = new Context(outer.server, {
    ...outer.place,
    teamId,
    zone,
    scope: { team: teamId },
    caller: { ...outer.caller, kind: 'system', name: `storage key ${accessKeyId}` },
  })
  const query = request.query as Record<string, string | string[]>
  const single = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  return { ctx, signed, request, stream, query: single, wire }
}

/** A request to a bucket of the key's project; another one is none. */
export async function atBucket(
  outer: Context,
  input: UploadInput & { params: { bucket: string } },
  wire: WireAccess,
): Promise<BucketRequest> {
  const asked = await signedRequest(outer, input, wire)
  const bucket = await reached(asked, input.params.bucket)
  letPagesRead(bucket, wire)
  return { ...asked, bucket }
}

export async function atObject(
  outer: Context,
  input: UploadInput & { params: { bucket: string; '*': string } },
  wire: WireAccess,
): Promise<ObjectRequest> {
  return { ...(await atBucket(outer, input, wire)), path: checkedKey(input.params['*']) }
}

export async function reached({ ctx, signed: { key } }: S3Request, bucketId: string): Promise<BucketFacts> {
  const bucket = await bucketOf(ctx.server, bucketId)
  if (bucket.projectId !== key.projectId) refuse(storageErrors.noBucket, { bucket: bucketId })
  if (key.bucketId !== null && key.bucketId !== bucketId)
    refuse(s3Errors.accessDenied, { reason: `the key is for the bucket ${key.bucketId}` })
  return bucket
}

export function checkedKey(path: string): string {
  const problem = pathProblem(path)
  return problem === null ? path : refuse(storageErrors.badPath, { path: path.slice(0, 200), problem })
}

export function assertMayWrite({ signed }: S3Request, bucket?: BucketFacts): void {
  if (signed.key.isReadOnly) refuse(s3Errors.accessDenied, { reason: 'the key only reads' })
  if (bucket) assertWritable(bucket)
}

export function xml(body: string, headers: Record<string, string | number> = {}, status = 200): Download {
  return { status, headers: { 'content-type': 'application/xml', ...headers }, body }
}

export function nothing(headers: Record<string, string | number> = {}, status = 200): Download {
  return { status, headers: { ...headers, ...(status === 204 ? {} : { 'content-length': 0 }) }, body: null }
}
