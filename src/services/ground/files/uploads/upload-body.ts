import type { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { checkSize, receiveBytes } from '../arrival.ts'
import type { FileRow } from '../queries.ts'
import { type BizTag, bizTagOf, bizTags } from '../rules.ts'

/** What a sender says about a file, in the query or in form fields. */
export interface Announced {
  fileName?: string
  bizTag?: BizTag
  sha256?: string
  size?: number
}

interface UploadBody {
  stream: Readable
  fileName: string
  bizTag: BizTag
  sha256?: string
  /** Refuses what may not follow the file in a form. */
  atEnd: () => Promise<void>
}

/** Looks at all fields of a form, those after the file among them, before its bytes become an object. */
export type FormCheck = (fields: Readonly<Record<string, string>>) => void

const formLimits = { files: 1, fields: 10, parts: 11, fieldNameSize: 100, fieldSize: 1_024, headerPairs: 20 }

/** The one file of a request: its raw body, or the file field of a form. Refuses a size that is too much before reading. */
async function openUpload(
  request: FastifyRequest,
  announced: Announced,
  fixedTag?: BizTag,
  check: FormCheck = () => undefined,
): Promise<UploadBody> {
  if (request.isMultipart()) return openForm(request, announced, fixedTag, check)
  check({})
  const body = decide(announced, fixedTag)
  if (announced.size !== undefined) checkSize(body.bizTag, announced.size, '/size', 'query')
  const length = request.headers['content-length']
  if (length !== undefined) checkSize(body.bizTag, Number(length), '/content-length', 'header')
  return { ...body, stream: request.raw, atEnd: async () => undefined }
}

async function openForm(
  request: FastifyRequest,
  announced: Announced,
  fixedTag: BizTag | undefined,
  check: FormCheck,
): Promise<UploadBody> {
  // Size is counted by the engine, whose limit goes by the tag.
  const parts = request.parts({ limits: { ...formLimits, fileSize: Number.POSITIVE_INFINITY } })
  const next = () => parts.next().catch((error: Error) => Promise.reject(badField('', 'multipart', error.message)))
  const fields: Record<string, string> = {}
  for (;;) {
    const { value: part, done } = await next()
    if (done) throw badField('/file', 'required', 'is missing: send the file as a form field with a file name')
    if (part.type === 'file') {
      const body = decide({ fileName: part.filename, ...announced, ...readFields(fields) }, fixedTag)
      if (announced.size !== undefined) checkSize(body.bizTag, announced.size, '/size', 'query')
      return { ...body, stream: part.file, atEnd: () => expectEnd(next, part, fields, check) }
    }
    fields[part.fieldname] = String(part.value)
  }
}

async function expectEnd(
  next: () => Promise<IteratorResult<Multipart>>,
  file: MultipartFile,
  fields: Record<string, string>,
  check: FormCheck,
): Promise<void> {
  if (file.file.truncated) throw badField('/file', 'multipart', 'was cut')
  for (;;) {
    const { value: part, done } = await next()
    if (done) return check(fields)
    if (part.type !== 'file') fields[part.fieldname] = String(part.value)
    else throw badField('/file', 'multipart', 'is there twice: send one file a request')
  }
}

function readFields(fields: Readonly<Record<string, string>>): Announced {
  const { fileName, bizTag, sha256 } = fields
  if (bizTag !== undefined && !isBizTag(bizTag))
    throw badField('/bizTag', 'enum', `must be one of ${bizTags.join(', ')}`)
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
    throw badField('/sha256', 'pattern', 'must be 64 hexadecimal digits in lower case')
  }
  return { ...(fileName ? { fileName } : {}), ...(bizTag ? { bizTag } : {}), ...(sha256 ? { sha256 } : {}) }
}

function isBizTag(word: string): word is BizTag {
  return (bizTags as readonly string[]).includes(word)
}

function decide({ fileName = 'file', bizTag, sha256 }: Announced, fixedTag?: BizTag) {
  return {
    fileName,
    bizTag: fixedTag ?? bizTag ?? bizTagOf(fileName),
    ...(sha256 === undefined ? {} : { sha256 }),
  }
}

/** Takes the one file of a request, as the raw body or as a form; at most `limitBytes`, where that is less than its tag takes. */
export async function takeUpload(
  ctx: Context,
  request: FastifyRequest,
  announced: Announced,
  tag?: BizTag,
  check?: FormCheck,
  limitBytes?: number,
): Promise<FileRow> {
  const body = await openUpload(request, announced, tag, check)
  return receiveBytes(ctx, { ...body, teamId: ctx.teamId, ...(limitBytes !== undefined && { limitBytes }) })
}
