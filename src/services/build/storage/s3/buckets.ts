import { and, asc, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Download } from '../../../../server/implement.ts'
import { bucketOf } from '../buckets/facts.ts'
import { beginDeletion, makeBucket } from '../buckets/making.ts'
import { loadBucket } from '../buckets/rows.ts'
import { storageErrors } from '../contract.ts'
import { deletePaths } from '../files/deleting.ts'
import { setCors } from '../handlers.ts'
import { type CorsRule, corsProblem, limits } from '../rules.ts'
import { buckets } from '../tables.ts'
import { countUse } from '../use.ts'
import { textBody } from './body.ts'
import { assertMayWrite, type BucketRequest, nothing, reached, type S3Request, xml } from './request.ts'
import { document, s3Errors } from './rules.ts'
import { dropVersion, writeVersioning } from './versions.ts'
import { childrenOf, type Node, readXml, textOf } from './xml.ts'

export async function listBuckets({ ctx, signed: { key } }: S3Request): Promise<Download> {
  const rows = await ctx.transact(inner =>
    inner.db
      .select()
      .from(buckets)
      .where(and(eq(buckets.projectId, key.projectId), eq(buckets.state, 'ACTIVE')))
      .orderBy(asc(buckets.bucketId)),
  )
  const shown = rows.filter(row => key.bucketId === null || key.bucketId === row.bucketId)
  return xml(
    document('ListAllMyBucketsResult', {
      Owner: { ID: key.projectId, DisplayName: key.projectId },
      Buckets: {
        Bucket: shown.map(row => ({ Name: row.bucketId, CreationDate: new Date(row.createdAt).toISOString() })),
      },
    }),
  )
}

/** A bucket under the very name that the client chose, as it goes on to use that. */
export async function createBucket(asked: S3Request, name: string): Promise<Download> {
  assertMayWrite(asked)
  const { ctx, signed } = asked
  await textBody(asked.request, signed, asked.stream)
  if (signed.key.bucketId !== null) refuse(s3Errors.accessDenied, { reason: 'the key is for one bucket' })
  const there = await bucketOf(ctx.server, name).catch(() => null)
  if (there?.projectId === signed.key.projectId) refuse(s3Errors.yours, { bucket: name })
  if (there) refuse(storageErrors.nameTaken, { name })
  await ctx.transact(inner => makeBucket(inner, { projectId: signed.key.projectId, name, isLiteral: true }))
  return nothing({ location: `/${name}` })
}

export async function removeBucket(asked: BucketRequest): Promise<Download> {
  const { ctx, bucket, query } = asked
  assertMayWrite(asked, bucket)
  if (query['cors'] !== undefined) {
    await ctx.transact(inner => setCors(inner, bucket.bucketId, []))
    return nothing({}, 204)
  }
  await ctx.transact(inner => beginDeletion(inner, bucket.bucketId, false))
  return nothing({}, 204)
}

export async function writeBucket(asked: S3Request, bucketId: string): Promise<Download> {
  const { query, ctx, signed } = asked
  const settings = Object.keys(query).filter(name => !name.startsWith('X-Amz-') && name !== 'x-id')
  if (settings.length === 0) return createBucket(asked, bucketId)
  const bucket = await reached(asked, bucketId)
  assertMayWrite(asked, bucket)
  if (query['versioning'] !== undefined) return writeVersioning(asked, bucket.bucketId)
  if (query['cors'] === undefined) refuse(s3Errors.notHere, { operation: `PUT ?${settings[0]}` })
  const rules = readCors(readXml(await textBody(asked.request, signed, asked.stream)))
  await ctx.transact(inner => setCors(inner, bucket.bucketId, rules))
  return nothing()
}

export async function corsOf({ ctx, bucket }: BucketRequest): Promise<Download> {
  const { cors } = await ctx.transact(inner => loadBucket(inner, bucket.bucketId))
  if (cors.length === 0) refuse(s3Errors.noCors)
  return xml(
    document('CORSConfiguration', {
      CORSRule: cors.map(rule => ({
        AllowedOrigin: rule.allowedOrigins,
        AllowedMethod: rule.allowedMethods,
        AllowedHeader: rule.allowedHeaders,
        ExposeHeader: rule.exposeHeaders,
        MaxAgeSeconds: rule.maxAgeSeconds,
      })),
    }),
  )
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const

function readCors(root: Node): CorsRule[] {
  const rules = childrenOf(root, 'CORSRule')
  if (root.name !== 'CORSConfiguration' || rules.length === 0 || rules.length > limits.corsRules)
    refuse(s3Errors.badXml, { reason: `a CORSConfiguration has 1 to ${limits.corsRules} rules` })
  return rules.map(node => {
    const texts = (name: string) => childrenOf(node, name).map(one => one.text.trim().slice(0, 200))
    const allowedMethods = texts('AllowedMethod').map(
      name => methods.find(method => method === name) ?? refuse(s3Errors.badXml, { reason: `${name} is no method` }),
    )
    const rule: CorsRule = {
      allowedOrigins: texts('AllowedOrigin'),
      allowedMethods,
      allowedHeaders: texts('AllowedHeader'),
      exposeHeaders: texts('ExposeHeader'),
      maxAgeSeconds: Math.min(86_400, Math.max(0, Math.trunc(Number(textOf(node, 'MaxAgeSeconds') ?? 0)) || 0)),
    }
    const problem = corsProblem(rule)
    if (problem !== null || rule.allowedOrigins.length === 0)
      refuse(s3Errors.badXml, { reason: problem ?? 'a rule has an AllowedOrigin' })
    return rule
  })
}

/** DeleteObjects: each by itself, and what is not there counts as deleted. */
export async function deleteMany(asked: BucketRequest): Promise<Download> {
  const { ctx, bucket, signed } = asked
  assertMayWrite(asked, bucket)
  const root = readXml(await textBody(asked.request, signed, asked.stream))
  const objects = childrenOf(root, 'Object').map(node => ({
    key: textOf(node, 'Key') ?? '',
    versionId: textOf(node, 'VersionId'),
  }))
  const named = objects.flatMap(one => (one.versionId === undefined ? [one.key] : []))
  if (root.name !== 'Delete' || objects.length === 0 || objects.length > limits.deletedAtOnce)
    refuse(s3Errors.badXml, { reason: `Delete names 1 to ${limits.deletedAtOnce} objects` })
  const versions = objects.flatMap(({ key, versionId }) =>
    versionId === undefined ? [] : [{ Key: key, VersionId: versionId }],
  )
  const done = await ctx.transact(async inner => {
    for (const { Key, VersionId } of versions) await dropVersion(inner, bucket, Key, VersionId)
    return deletePaths(inner, bucket, named)
  })
  await countUse(ctx.server, bucket, 'classA')
  const gone = new Set(named)
  const errors = done.errorObjects.filter(one => one.code !== storageErrors.noFile[0])
  for (const one of errors) gone.delete(one.path)
  const isQuiet = textOf(root, 'Quiet') === 'true'
  return xml(
    document('DeleteResult', {
      Deleted: isQuiet ? [] : [...[...gone].map(Key => ({ Key })), ...versions],
      Error: errors.map(one => ({ Key: one.path, Code: 'InvalidArgument', Message: one.msg })),
    }),
  )
}
