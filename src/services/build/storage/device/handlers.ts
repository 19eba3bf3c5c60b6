import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Download, implement, type UploadInput, type WireAccess } from '../../../../server/implement.ts'
import { type Asker, askerOf, assertAllowed, comingOf } from '../access.ts'
import { assertWritable, bucketOf, within } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { listObjects } from '../objects/listing.ts'
import { fileNearby, forgetNearby } from '../objects/nearby.ts'
import { answerFile, lookingAgain } from '../objects/reading.ts'
import { findObject } from '../objects/rows.ts'
import { changeAttributes, deleteObject } from '../objects/writing.ts'
import { limits, pathProblem } from '../rules.ts'
import { changeTokens, isTokenRight } from '../tokens.ts'
import { countUse } from '../use.ts'
import type { AtFile } from './at-file.ts'
import { attributesIn } from './attributes.ts'
import { storageDevice } from './contract.ts'
import { answerPreflight, letPagesRead } from './cors.ts'
import { fileInfo, json, safeServing } from './file-info.ts'
import { goOnWith, resumeAt, takeWhole } from './sending.ts'

type FileInput = UploadInput & { params: { bucket: string; '*': string } }

async function atFile(outer: Context, input: FileInput, wire: WireAccess): Promise<AtFile> {
  const bucket = await bucketOf(outer.server, input.params.bucket)
  letPagesRead(bucket, wire)
  return { ctx: within(outer, bucket), bucket, path: checkedPath(input.params['*']), request: input.request }
}

function checkedPath(path: string): string {
  const problem = pathProblem(path)
  return problem === null ? path : refuse(storageErrors.badPath, { path, problem })
}

const queryOf = (request: FastifyRequest) => request.query as Record<string, string | string[] | undefined>

async function read(outer: Context, input: FileInput, wire: WireAccess): Promise<Download> {
  const at = await atFile(outer, input, wire)
  const { metadata, token } = queryOf(at.request)
  if (metadata === 'update') return change(at)
  if (metadata !== undefined) return describe(at)
  if (token === 'create') return makeToken(at)
  return lookingAgain(isAgain => {
    if (isAgain) forgetNearby(at.ctx, at.bucket, at.path)
    return give(at, typeof token === 'string' ? token : undefined)
  })
}

async function give(at: AtFile, token: string | undefined): Promise<Download> {
  const { ctx, bucket, path, request } = at
  const asker = token === undefined ? await askerOf(ctx, bucket, request.headers) : null
  const file = await fileNearby(ctx, bucket, path)
  // A wrong token tells nobody which files there are.
  if (token !== undefined && (!file || !isTokenRight(ctx.server, file, token))) refuse(storageErrors.tokenWrong)
  if (asker) await assertAllowed(ctx, bucket, asker, { method: 'get', path, resource: file })
  if (!file) refuse(storageErrors.noFile, { path })
  const answer = await answerFile(ctx.server, bucket, file, request, safeServing(file))
  await countUse(ctx.server, bucket, 'classB', answer.body === null ? 0 : Number(answer.headers['content-length'] ?? 0))
  return answer
}

async function describe({ ctx, bucket, path, request }: AtFile): Promise<Download> {
  const asker = await askerOf(ctx, bucket, request.headers)
  const file = await ctx.transact(inner => findObject(inner, bucket.bucketId, path))
  await assertAllowed(ctx, bucket, asker, { method: 'get', path, resource: file })
  await countUse(ctx.server, bucket, 'classB')
  return json(fileInfo(file ?? refuse(storageErrors.noFile, { path })))
}

async function change({ ctx, bucket, path, request }: AtFile): Promise<Download> {
  assertWritable(bucket)
  const given = attributesIn(request.headers, 'x-agc-', 'x-agc-meta-')
  const asker = await askerOf(ctx, bucket, request.headers)
  const file = await ctx.transact(inner => findObject(inner, bucket.bucketId, path))
  const coming = file && comingOf(bucket.bucketId, path, { ...file, ...given })
  await assertAllowed(ctx, bucket, asker, { method: 'update', path, resource: file, requestResource: coming })
  const row = await ctx.transact(inner => changeAttributes(inner, bucket, path, given))
  await countUse(ctx.server, bucket, 'classA')
  return json(fileInfo(row ?? refuse(storageErrors.noFile, { path })))
}

async function makeToken({ ctx, bucket, path, request }: AtFile): Promise<Download> {
  const asker = await askerOf(ctx, bucket, request.headers)
  const file = await ctx.transact(inner => findObject(inner, bucket.bucketId, path))
  await assertAllowed(ctx, bucket, asker, { method: 'get', path, resource: file })
  if (!file) refuse(storageErrors.noFile, { path })
  const known = file.tokens.find(one => one.expiresAt === null)
  if (known) return json([known.token])
  assertWritable(bucket)
  const createdBy = asker.uid === null ? 'app' : `user:${asker.uid}`
  const row = await ctx.transact(inner => changeTokens(inner, bucket, path, { add: { createdBy } }))
  return json([row.tokens[0]?.token])
}

async function takeFile(outer: Context, input: FileInput, wire: WireAccess): Promise<Download> {
  const at = await atFile(outer, input, wire)
  assertWritable(at.bucket)
  const asker = await askerOf(at.ctx, at.bucket, at.request.headers)
  await countUse(at.ctx.server, at.bucket, 'classA')
  const { headers, method } = at.request
  if (method === 'POST' && headers['x-agc-upload-protocol'] === 'resumable') return resumeAt(at, asker)
  if (headers['x-agc-file-offset'] !== undefined) return goOnWith(at, asker, input.stream)
  return takeWhole(at, asker, input.stream)
}

async function list(outer: Context, input: { params: { bucket: string } } & UploadInput, wire: WireAccess) {
  const bucket = await bucketOf(outer.server, input.params.bucket)
  letPagesRead(bucket, wire)
  const ctx = within(outer, bucket)
  const query = queryOf(input.request)
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const limit = Math.min(limits.listPage, Math.max(1, Math.trunc(Number(text('max-keys')) || limits.listPage)))
  const [prefix, delimiter] = [text('prefix'), text('delimiter')]
  const asker: Asker = await askerOf(ctx, bucket, input.request.headers)
  await assertAllowed(ctx, bucket, asker, { method: 'list', path: prefix, query: { limit, prefix, delimiter } })
  const found = await ctx.transact(inner =>
    listObjects(inner, bucket.bucketId, { prefix, delimiter, after: text('marker'), limit }),
  )
  await countUse(ctx.server, bucket, 'classA')
  return json({
    contents: found.files.map(file => ({ key: file.path })),
    commonPrefixes: found.prefixes.map(one => ({ prefix: one })),
    ...(found.next === null ? {} : { nextMarker: found.next }),
  })
}

export default implement(storageDevice, {
  listForApp: list,
  readFile: read,
  lookAtFile: read,
  sendFile: takeFile,
  beginFile: takeFile,

  changeFile: async (outer, input, wire) => change(await atFile(outer, input, wire)),

  removeFile: async (outer, input, wire) => {
    const { ctx, bucket, path, request } = await atFile(outer, input, wire)
    assertWritable(bucket)
    const asker = await askerOf(ctx, bucket, request.headers)
    const file = await ctx.transact(inner => findObject(inner, bucket.bucketId, path))
    await assertAllowed(ctx, bucket, asker, { method: 'delete', path, resource: file })
    const gone = await ctx.transact(inner => deleteObject(inner, bucket, path))
    if (!gone) refuse(storageErrors.noFile, { path })
    await countUse(ctx.server, bucket, 'classA')
    return json({})
  },

  askBucket: async (outer, { params, request }) =>
    answerPreflight(await bucketOf(outer.server, params.bucket), request),
  askFile: async (outer, { params, request }) => answerPreflight(await bucketOf(outer.server, params.bucket), request),
})
