import { randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { fileSizeText } from '../../../kernel/text.ts'
import type { Context } from '../../../server/context.ts'
import { type PutOptions, type StoredBytes, TooManyBytes, WrongBytes } from '../../../server/engines/bytes/port.ts'
import { badField } from '../../../server/http/problem.ts'
import { findOut } from './content.ts'
import { files } from './contract.ts'
import { type FileRow, folderOf, leaveToCollector, pinBytes } from './queries.ts'
import type { HeldFor } from './references.ts'
import { type BizTag, bizTagRules, extensionOf, fileLimits, safeFileName } from './rules.ts'
import type { Sniffed } from './sniff.ts'
import { fileObjects } from './tables.ts'

export interface Arriving {
  stream: Readable
  fileName: string
  bizTag: BizTag
  teamId: string
  sha256?: string
  limitBytes?: number
  /** NORMAL comes with one reference. */
  state?: 'TEMP' | 'NORMAL'
  heldFor?: HeldFor
  /** Looks at what follows the bytes in the same request, before they become an object. */
  atEnd?: () => Promise<void>
}

/** Refuses a size that the tag does not take, before a byte is read. */
export function checkSize(bizTag: BizTag, sizeBytes: number, pointer: string, part: 'body' | 'query' | 'header'): void {
  const { limitBytes } = bizTagRules[bizTag]
  if (sizeBytes === 0) refuse(files.errors.emptyFile)
  if (sizeBytes <= limitBytes) return
  const limit = `${limitBytes} bytes (${fileSizeText(limitBytes)})`
  throw badField(pointer, 'maximum', `is ${sizeBytes}; a file for ${bizTag} has at most ${limit}`, part)
}

/** Streams bytes in and makes the object that has them, committed when this returns. */
export async function receiveBytes(ctx: Context, arriving: Arriving): Promise<FileRow> {
  const { bizTag, teamId, state = 'TEMP', heldFor } = arriving
  const limitBytes = arriving.limitBytes ?? bizTagRules[bizTag].limitBytes
  const stored = await intoEngine(ctx, arriving.stream, { limitBytes, ...promised(arriving.sha256) })
  return orDiscard(ctx, stored.sha256, async () => {
    await arriving.atEnd?.()
    const content = await examine(ctx, stored, bizTag)
    const fileName = safeFileName(arriving.fileName)
    return ctx.transact(async inner => {
      await pinBytes(inner, stored.sha256)
      const now = ctx.now()
      const row = {
        objectId: `${folderOf(ctx)}/${randomUUID()}.${extensionOf(fileName)}`,
        teamId,
        bizTag,
        fileName,
        ...stored,
        ...content,
        state,
        refCount: state === 'NORMAL' ? 1 : 0,
        appId: heldFor?.appId ?? null,
        projectId: heldFor?.projectId ?? null,
        createdBy: ctx.caller.accountId,
        createdAt: now,
        updatedAt: now,
        expireAt: state === 'NORMAL' ? null : now + fileLimits.tempLifeMs,
        revision: 1,
      }
      await inner.db.insert(fileObjects).values(row)
      tellArrival(inner, row)
      return row
    })
  })
}

/** Chunks that came over a socket belong to nobody else; what is put from inside may be somebody's still. */
export function isOfSocket(stream: Readable): boolean {
  return stream instanceof IncomingMessage
}

/** Puts a stream into the zone's engine; every way it can fail has its own sentence. */
export async function intoEngine(ctx: Context, stream: Readable, options: PutOptions): Promise<StoredBytes> {
  const stored = await ctx.server
    .bytes(ctx.zone)
    .put(stream, { ...options, isConsumed: isOfSocket(stream) })
    .catch(explain(stream))
  if (stored.sizeBytes === 0) {
    await discard(ctx, stored.sha256)
    refuse(files.errors.emptyFile)
  }
  return stored
}

/** For `.catch` of an engine's put: what went wrong, told to the sender. */
export function explain(stream?: Readable): (error: unknown) => never {
  return error => {
    if (error instanceof TooManyBytes) refuse(commonErrors.tooLarge, { limitBytes: error.limitBytes })
    if (error instanceof WrongBytes) refuse(files.errors.wrongHash, { expected: error.expected, found: error.found })
    // A sender that went away, not a disk that failed: the stream itself carries this error.
    if (stream?.errored) refuse(files.errors.uploadCut)
    throw error
  }
}

/** What the bytes are and whether the tag takes them. */
export async function examine(ctx: Context, stored: StoredBytes, bizTag: BizTag): Promise<Sniffed> {
  const content = await findOut(ctx.server.bytes(ctx.zone), stored)
  const { mimes } = bizTagRules[bizTag]
  if (mimes && !mimes.includes(content.mime)) {
    refuse(files.errors.wrongContent, { bizTag, expected: mimes.join(', '), found: content.mime })
  }
  const pixels = (content.width ?? 0) * (content.height ?? 0)
  if (pixels > fileLimits.maxPixels) refuse(files.errors.tooManyPixels, { ...content, limit: fileLimits.maxPixels })
  if (content.isAnimated && mimes) refuse(files.errors.animated)
  return { mime: content.mime, width: content.width, height: content.height }
}

/** Leaves bytes that no object will have to the collector when `work` fails. */
export async function orDiscard<T>(ctx: Context, sha256: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await discard(ctx, sha256).catch(() => undefined)
    throw error
  }
}

async function discard(ctx: Context, sha256: string): Promise<void> {
  await ctx.transact(inner => leaveToCollector(inner, [sha256]))
}

export function tellArrival(
  ctx: Context,
  row: Pick<FileRow, 'objectId' | 'teamId' | 'bizTag' | 'sizeBytes' | 'sha256'>,
) {
  const { objectId, teamId, bizTag, sizeBytes, sha256 } = row
  const what = { bizTag, sizeBytes, sha256 }
  ctx.emit({ type: 'file.uploaded', entity: 'file', entityId: objectId, teamId, data: what })
  ctx.audit({ action: 'file.upload', entity: 'file', entityId: objectId, teamId, after: what })
}

const promised = (sha256: string | undefined) => (sha256 === undefined ? {} : { sha256 })
