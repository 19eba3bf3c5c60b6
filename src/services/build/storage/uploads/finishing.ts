import { Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Asked, type Asker, assertAllowed, comingOf, isAllowedNow, mayWriteUnseen, rulesOf } from '../access.ts'
import { assertWritable, type BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { type Content, engineOf, joinContent } from '../objects/content.ts'
import { goesInGroup, writeInGroup } from '../objects/group.ts'
import { leaveToCollector } from '../objects/marking.ts'
import { fileNearby } from '../objects/nearby.ts'
import { findObject, type ObjectRow } from '../objects/rows.ts'
import type { Precondition, Write } from '../objects/write.ts'
import { writeObject } from '../objects/writing.ts'
import { isTypeAllowed, limits } from '../rules.ts'
import { attributesOf, findUpload, forgetParts, moveUpload, type UploadRow } from './rows.ts'

export interface Finish {
  slots: readonly number[]
  sizeBytes: number
  asker: Asker
  /** Instead of the md5 of the whole. */
  etag?: string
  checksums?: Record<string, string>
  when?: Precondition | undefined
}

/**
 * Makes the file of an upload whose bytes are all in. A process that dies in between leaves the upload as it is, parts and
 * all: whoever asks again composes again. Of two that finish at once one writes, the other finds it done.
 */
export async function finishUpload(
  ctx: Context,
  bucket: BucketFacts,
  upload: UploadRow,
  finish: Finish,
): Promise<ObjectRow> {
  assertWritable(bucket)
  const began = await ctx.transact(inner => moveUpload(inner, upload.uploadId, 'finalize', 'FINALIZING'))
  if (!began) return doneAlready(ctx, bucket, upload)
  let content: Content | null = null
  try {
    content = await joinContent(
      ctx.server,
      bucket,
      { uploadId: upload.uploadId, slots: finish.slots, sizeBytes: finish.sizeBytes },
      {
        limitBytes: limits.objectBytes,
        contentType: upload.attributes.contentType,
        needsMd5: await rulesReadMd5(ctx, bucket, finish.asker),
        ...(upload.sha256 === null ? {} : { sha256: upload.sha256 }),
      },
    )
    const { blob } = content
    const row = await writeAllowed(
      ctx,
      bucket,
      finish.asker,
      {
        path: upload.path,
        content: finish.etag === undefined ? content : { ...content, etag: finish.etag },
        attributes: attributesOf(upload),
        ownerUid: upload.ownerUid,
        checksums: finish.checksums ?? {},
        when: finish.when,
      },
      async inner => {
        const isFirst = await moveUpload(inner, upload.uploadId, 'finish', 'DONE')
        if (isFirst) await forgetParts(inner, upload.uploadId)
        return isFirst
      },
    )
    if (row === null) {
      if (blob !== null) await ctx.transact(inner => leaveToCollector(inner.transaction(inner.zone), [blob], 0))
      return doneAlready(ctx, bucket, upload)
    }
    await engineOf(ctx.server, bucket).dropParts(upload.uploadId)
    return row
  } catch (error) {
    const blob = content?.blob ?? null
    await giveUp(ctx, bucket, upload, { blob, error }).catch(() => undefined)
    throw error
  }
}

/**
 * Bytes whose file cannot be are of no use. What was refused for what it is would be refused again, so it goes; the rest,
 * and what is made of named parts, can be finished again.
 */
async function giveUp(
  ctx: Context,
  bucket: BucketFacts,
  upload: UploadRow,
  { blob, error }: { blob: string | null; error: unknown },
): Promise<void> {
  // Where a commit may have happened after all, the sweep decides.
  if (blob !== null && error instanceof Refusal) await engineOf(ctx.server, bucket).remove(blob)
  const isFinal = error instanceof Refusal && [403, 413, 415, 422].includes(error.status)
  if (isFinal && upload.kind !== 'MULTIPART') await abortUpload(ctx, bucket, upload)
  else await ctx.transact(inner => moveUpload(inner, upload.uploadId, 'fail', 'OPEN'))
}

async function doneAlready(ctx: Context, bucket: BucketFacts, upload: UploadRow): Promise<ObjectRow> {
  return ctx.transact(async inner => {
    const now = await findUpload(inner, upload.uploadId)
    const row = await findObject(inner, bucket.bucketId, upload.path)
    if (now?.state === 'DONE' && row) return row
    refuse(storageErrors.uploadOver, { state: now?.state ?? 'EXPIRED' })
  })
}

/** Gives an upload up: its bytes go. */
export async function abortUpload(ctx: Context, bucket: BucketFacts, upload: UploadRow): Promise<void> {
  const moved = await ctx.transact(async inner => {
    const isMoved = await moveUpload(inner, upload.uploadId, 'abort', 'ABORTED')
    if (isMoved) await forgetParts(inner, upload.uploadId)
    return isMoved
  })
  if (moved) await engineOf(ctx.server, bucket).dropParts(upload.uploadId)
}

/** Refuses a doomed upload before its first byte. */
export async function assertMayBegin(
  ctx: Context,
  bucket: BucketFacts,
  asker: Asker,
  coming: Pick<Write, 'path' | 'attributes'> & { sizeBytes: number | null; sha256?: string | null },
): Promise<void> {
  assertWritable(bucket)
  assertTaken(bucket, coming.attributes.contentType, coming.sizeBytes)
  if (asker.isTrusted) return
  const { path, attributes, sizeBytes, sha256 = null } = coming
  const requestResource = comingOf(bucket.bucketId, path, { ...attributes, sizeBytes, sha256 })
  const asked: Asked = { method: 'create', path, requestResource }
  if (await mayWriteUnseen(ctx, bucket, asker, asked)) return
  const resource = await fileNearby(ctx, bucket, path)
  await assertAllowed(ctx, bucket, asker, { ...asked, method: resource ? 'update' : 'create', resource })
}

export function assertTaken(bucket: BucketFacts, contentType: string, sizeBytes: number | null): void {
  if (!isTypeAllowed(bucket.allowedTypes, contentType))
    refuse(storageErrors.typeNotAllowed, { contentType, allowed: bucket.allowedTypes })
  const limitBytes = Math.min(bucket.maxObjectBytes ?? limits.objectBytes, limits.objectBytes)
  if (sizeBytes !== null && sizeBytes > limitBytes)
    refuse(storageErrors.overQuota, { quota: 'a file', limit: limitBytes, used: sizeBytes })
}

/** Whether a rule that this write is asked of looks at the md5. */
export async function rulesReadMd5(ctx: Context, bucket: BucketFacts, asker: Asker): Promise<boolean> {
  if (asker.isTrusted) return false
  return (await rulesOf(ctx, bucket))?.program.source.includes('md5') ?? false
}

/** What was decided does not hold for the file that stands there now, or could not be decided without waiting. */
class AskAgain extends Error {}

/**
 * Asks the rules with what the file really is and what stands in its place, then writes: both in one transaction, unless a
 * rule looks something up, for which nobody else shall wait. Then, where somebody made or removed the file in between, the
 * rules are asked for the other method.
 */
export async function writeAllowed(
  ctx: Context,
  bucket: BucketFacts,
  asker: Asker,
  write: Write,
  before?: (inner: Context) => Promise<boolean>,
): Promise<ObjectRow | null> {
  assertTaken(bucket, write.attributes.contentType, write.content.sizeBytes)
  const ruleset = asker.isTrusted ? null : await rulesOf(ctx, bucket)
  const requestResource = comingOf(bucket.bucketId, write.path, { ...write.attributes, ...write.content })
  const askedOf = (method: Asked['method'], resource: ObjectRow | null): Asked => {
    return { method, path: write.path, resource, requestResource }
  }
  for (let tries = 1; ; tries++) {
    let asked: 'create' | 'update' | null = null
    if (tries > 1) {
      const there = await ctx.transact(inner => findObject(inner, bucket.bucketId, write.path))
      asked = there ? 'update' : 'create'
      await assertAllowed(ctx, bucket, asker, askedOf(asked, there))
    }
    const allow = (method: 'create' | 'update', resource: ObjectRow | null) => {
      const isRight =
        asked === null ? isAllowedNow(ctx, bucket, asker, ruleset, askedOf(method, resource)) : asked === method
      if (!isRight) throw new AskAgain()
    }
    try {
      const allowed = { ...write, allow }
      if (!before && goesInGroup(ctx, bucket)) return await writeInGroup(ctx, bucket, allowed)
      return await ctx.transact(async inner =>
        !before || (await before(inner)) ? writeObject(inner, bucket, allowed) : null,
      )
    } catch (error) {
      if (!(error instanceof AskAgain) || tries === 4) throw error
    }
  }
}
