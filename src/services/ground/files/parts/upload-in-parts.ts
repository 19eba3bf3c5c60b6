import { randomInt, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { NoSuchBytes } from '../../../../server/engines/bytes/port.ts'
import { checkPut, partPath, signedPut } from '../addresses.ts'
import { checkSize, examine, explain, isOfSocket, orDiscard } from '../arrival.ts'
import { files } from '../contract.ts'
import { type FileRow, folderOf, loadObject, noSuchObject, pinBytes } from '../queries.ts'
import {
  type BizTag,
  bizTagOf,
  extensionOf,
  type FileState,
  fileLimits,
  planParts,
  safeFileName,
  sizeOfPart,
} from '../rules.ts'
import { fileObjects, fileParts, fileUploads } from '../tables.ts'
import { becomeStored, checkLength } from '../uploads/signed-put.ts'
import { partUploads } from './contract.ts'

export interface UploadKey {
  objectId: string
  nspUploadId: string
}

interface Upload {
  row: FileRow
  plan: { sizeBytes: number; partSize: number; partCount: number }
}

const partIdOf = (uploadId: string, partNumber: number) => `${uploadId}-${partNumber}`

export async function beginUpload(
  ctx: Context,
  wanted: { fileName: string; size: number; bizTag?: BizTag; sha256?: string; partSize?: number },
) {
  const fileName = safeFileName(wanted.fileName)
  const bizTag = wanted.bizTag ?? bizTagOf(fileName)
  checkSize(bizTag, wanted.size, '/size', 'body')
  const now = ctx.now()
  const uploadId = ctx.newId()
  const expireAt = now + fileLimits.uploadLifeMs
  const objectId = `${folderOf(ctx)}/${randomUUID()}.${extensionOf(fileName)}`
  const plan = { sizeBytes: wanted.size, ...planParts(wanted.size, wanted.partSize) }
  await ctx.db.insert(fileObjects).values({
    objectId,
    teamId: ctx.teamId,
    bizTag,
    fileName,
    sizeBytes: wanted.size,
    sha256: wanted.sha256 ?? null,
    state: 'UPLOADING',
    createdBy: ctx.caller.accountId,
    createdAt: now,
    updatedAt: now,
    expireAt,
  })
  const { partSize, partCount } = plan
  await ctx.db.insert(fileUploads).values({ uploadId, teamId: ctx.teamId, objectId, partSize, partCount })
  const key = { objectId, nspUploadId: uploadId }
  const parts = allParts(plan).map(part => addressOfPart(ctx, key, plan, part))
  return { ...key, partSize, partCount, expireAt, parts }
}

export async function listParts(ctx: Context, key: UploadKey) {
  const { row, plan } = await loadUpload(ctx, key, ['UPLOADING'])
  const parts = await partsOf(ctx, key.nspUploadId)
  const arrived = new Set(parts.map(part => part.partNumber))
  return {
    ...key,
    size: plan.sizeBytes,
    partSize: plan.partSize,
    partCount: plan.partCount,
    expireAt: row.expireAt ?? 0,
    received: parts.map(({ partNumber, md5, sizeBytes }) => ({
      partNumber,
      partObjectId: partIdOf(key.nspUploadId, partNumber),
      etag: md5,
      size: sizeBytes,
    })),
    missing: allParts(plan)
      .filter(part => !arrived.has(part))
      .map(part => addressOfPart(ctx, key, plan, part)),
  }
}

export async function makePartAddresses(ctx: Context, key: UploadKey, partNumbers: readonly number[]) {
  const { plan } = await loadUpload(ctx, key, ['UPLOADING'])
  checkPartNumbers(plan.partCount, partNumbers)
  return partNumbers.map(part => addressOfPart(ctx, key, plan, part))
}

/** Takes one part. It may come again until the parts are joined; what came last counts. */
export async function putPart(
  ctx: Context,
  wanted: UploadKey & { partNumber: number; size: number; exp: number },
  stream: Readable,
  headers: IncomingHttpHeaders,
) {
  const { objectId, nspUploadId: uploadId, partNumber, size, exp } = wanted
  checkPut(ctx, { path: partPath(objectId, uploadId, partNumber), sizeBytes: size, exp }, headers)
  const { row } = await ctx.transact(inner => loadUpload(inner, wanted, ['UPLOADING']), 'all')
  checkLength(headers, size)
  // Two tries of one part at once must not write over each other: the row tells which one counts.
  const slot = partNumber + randomInt(2 ** 30) * (fileLimits.maxParts + 1)
  const stored = await ctx.server
    .bytes(ctx.zone)
    .putPart(uploadId, slot, stream, { limitBytes: size, isConsumed: isOfSocket(stream) })
    .catch(explain(stream))
  if (stored.sizeBytes !== size) refuse(files.errors.wrongSize, { found: stored.sizeBytes, expected: size })
  const part = { slot, sizeBytes: size, md5: stored.md5, receivedAt: ctx.now() }
  await ctx.transact(async inner => {
    if ((await lockUpload(inner, objectId)) !== 'UPLOADING') noSuchObject(objectId)
    await inner.db
      .insert(fileParts)
      .values({ uploadId, partNumber, teamId: row.teamId, ...part })
      .onConflictDoUpdate({ target: [fileParts.uploadId, fileParts.partNumber], set: part })
  }, 'all')
  return { partNumber, partObjectId: partIdOf(uploadId, partNumber), etag: stored.md5, size }
}

/** Joins the parts. Repeated, or done twice at once, it answers the same object. */
export async function compose(
  ctx: Context,
  key: UploadKey,
  named: Readonly<Record<string, { partObjectId?: string; etag: string }>>,
): Promise<FileRow> {
  const { row, plan, parts } = await ctx.transact(async inner => {
    // Who ends the upload takes its parts away in the same moment: object and parts are read as of one moment too.
    await lockUpload(inner, key.objectId)
    const upload = await loadUpload(inner, key, ['UPLOADING', 'TEMP', 'NORMAL'])
    return { ...upload, parts: await partsOf(inner, key.nspUploadId) }
  })
  if (row.state !== 'UPLOADING') return row
  checkNamedParts(key.nspUploadId, plan.partCount, parts, named)
  const engine = ctx.server.bytes(ctx.zone)
  const slots = parts.map(part => part.slot)
  const expected = row.sha256 === null ? {} : { sha256: row.sha256 }
  const stored = await engine
    .joinParts(key.nspUploadId, slots, { limitBytes: plan.sizeBytes, ...expected })
    .catch(error => whereStillOpen(ctx, key, error))
  const done =
    stored &&
    (await orDiscard(ctx, stored.sha256, async () => {
      if (stored.sizeBytes !== plan.sizeBytes) {
        refuse(files.errors.wrongSize, { found: stored.sizeBytes, expected: plan.sizeBytes })
      }
      const content = await examine(ctx, stored, row.bizTag)
      return ctx.transact(async inner => {
        await pinBytes(inner, stored.sha256)
        const arrived = await becomeStored(inner, row, { ...stored, ...content })
        if (arrived) await forgetParts(inner, key.nspUploadId)
        return arrived
      })
    }))
  // Another compose was faster and took the parts away, or the upload was aborted meanwhile: the row knows.
  if (!done) return ctx.transact(async inner => (await loadUpload(inner, key, ['TEMP', 'NORMAL'])).row)
  await engine.dropParts(key.nspUploadId)
  return done
}

/** Who was faster took the parts away under our hands: whatever reading them said then is no fault. */
async function whereStillOpen(ctx: Context, { objectId }: UploadKey, error: Error): Promise<null> {
  const state = await ctx.transact(inner => lockUpload(inner, objectId))
  return state === 'UPLOADING' && !(error instanceof NoSuchBytes) ? explain()(error) : null
}

export async function abortUpload(ctx: Context, key: UploadKey): Promise<void> {
  const isEnded = await ctx.transact(async inner => {
    const { row } = await loadUpload(inner, key, ['UPLOADING', 'DELETED'])
    if (row.state === 'DELETED') return false
    const now = ctx.now()
    const ended = await inner.db
      .update(fileObjects)
      .set({
        state: 'DELETED',
        sha256: null,
        updatedAt: now,
        expireAt: now + fileLimits.deletedRowLifeMs,
        revision: sql`${fileObjects.revision} + 1`,
      })
      .where(and(eq(fileObjects.objectId, key.objectId), eq(fileObjects.state, 'UPLOADING')))
      .returning({ objectId: fileObjects.objectId })
    if (ended.length === 0) noSuchObject(key.objectId)
    await inner.db.delete(fileParts).where(eq(fileParts.uploadId, key.nspUploadId))
    inner.emit({ type: 'file.deleted', entity: 'file', entityId: key.objectId })
    inner.audit({ action: 'file.abort', entity: 'file', entityId: key.objectId })
    return true
  })
  if (isEnded) await ctx.server.bytes(ctx.zone).dropParts(key.nspUploadId)
}

/** Keeps an object in its state until the transaction ends. */
async function lockUpload(ctx: Context, objectId: string): Promise<FileState | undefined> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ state: FileState }>({
    text: 'SELECT state FROM file_objects WHERE object_id = $1 FOR SHARE',
    values: [objectId],
  })
  return rows[0]?.state
}

async function forgetParts(ctx: Context, uploadId: string): Promise<void> {
  await ctx.db.delete(fileParts).where(eq(fileParts.uploadId, uploadId))
}

async function loadUpload(ctx: Context, key: UploadKey, states: readonly FileState[]): Promise<Upload> {
  const row = await loadObject(ctx, key.objectId, states)
  const [upload] = await ctx.db
    .select()
    .from(fileUploads)
    .where(and(eq(fileUploads.uploadId, key.nspUploadId), eq(fileUploads.objectId, key.objectId)))
  if (!upload) noSuchObject(key.objectId)
  return { row, plan: { sizeBytes: row.sizeBytes, partSize: upload.partSize, partCount: upload.partCount } }
}

function partsOf(ctx: Context, uploadId: string) {
  return ctx.db.select().from(fileParts).where(eq(fileParts.uploadId, uploadId)).orderBy(fileParts.partNumber)
}

function allParts(plan: { partCount: number }): number[] {
  return Array.from({ length: plan.partCount }, (_, index) => index + 1)
}

function addressOfPart(ctx: Context, key: UploadKey, plan: Upload['plan'], partNumber: number) {
  const size = sizeOfPart(plan, partNumber)
  const path = partPath(key.objectId, key.nspUploadId, partNumber)
  const lifeMs = fileLimits.partAddressLifeMs
  const { url, method, headers } = signedPut(ctx, zones[ctx.zone].slug, { path, sizeBytes: size, lifeMs })
  return { partNumber, partObjectId: partIdOf(key.nspUploadId, partNumber), size, url, method, headers }
}

function checkPartNumbers(partCount: number, partNumbers: readonly number[]): void {
  const wrong = partNumbers.filter(part => part > partCount)
  if (wrong.length > 0) refuse(partUploads.errors.noSuchPart, { partNumbers: wrong, partCount })
}

/** Every part from 1 must have arrived and be named with the etag it got; the refusal lists those that are not. */
function checkNamedParts(
  uploadId: string,
  partCount: number,
  arrived: readonly { partNumber: number; md5: string }[],
  named: Readonly<Record<string, { partObjectId?: string; etag: string }>>,
): void {
  checkPartNumbers(partCount, Object.keys(named).map(Number))
  const etags = new Map(arrived.map(part => [part.partNumber, part.md5]))
  const missing = allParts({ partCount }).filter(part => !etags.has(part) || !Object.hasOwn(named, part))
  if (missing.length > 0) refuse(partUploads.errors.partMissing, { partNumbers: missing, partCount })
  const wrong = allParts({ partCount }).filter(part => {
    const one = named[part]
    const isOther = one?.partObjectId !== undefined && one.partObjectId !== partIdOf(uploadId, part)
    return isOther || one?.etag.replaceAll('"', '') !== etags.get(part)
  })
  if (wrong.length > 0) refuse(partUploads.errors.partEtagMismatch, { partNumbers: wrong })
}
