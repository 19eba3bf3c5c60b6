import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { checkPut, objectPath } from '../addresses.ts'
import { examine, intoEngine, orDiscard, tellArrival } from '../arrival.ts'
import { files } from '../contract.ts'
import { type FileRow, loadObject, pinBytes } from '../queries.ts'
import { fileLimits, fileStates } from '../rules.ts'
import { fileObjects } from '../tables.ts'
import { objectUploads } from './contract.ts'

/** Takes the bytes of a signed address, once. */
export async function putObject(
  ctx: Context,
  objectId: string,
  bound: { size: number; exp: number },
  stream: Readable,
  headers: IncomingHttpHeaders,
): Promise<FileRow> {
  const { size, exp } = bound
  const sha256 = checkPut(ctx, { path: objectPath(objectId), sizeBytes: size, exp }, headers)
  const row = await ctx.transact(inner => loadObject(inner, objectId, fileStates), 'all')
  if (row.state !== 'INIT') refuse(objectUploads.errors.addressUsed)
  checkLength(headers, size)
  const stored = await intoEngine(ctx, stream, {
    limitBytes: size,
    ...(sha256 === undefined ? {} : { sha256 }),
  })
  return orDiscard(ctx, stored.sha256, async () => {
    if (stored.sizeBytes !== size) refuse(files.errors.wrongSize, { found: stored.sizeBytes, expected: size })
    const content = await examine(ctx, stored, row.bizTag)
    return ctx.transact(async inner => {
      await pinBytes(inner, stored.sha256)
      const arrived = await becomeStored(inner, row, { ...stored, ...content })
      return arrived ?? refuse(objectUploads.errors.addressUsed)
    }, 'all')
  })
}

/** INIT or UPLOADING becomes TEMP; undefined where another did it first, or it has ended. */
export async function becomeStored(
  ctx: Context,
  row: FileRow,
  stored: Pick<FileRow, 'sha256' | 'sizeBytes' | 'mime' | 'width' | 'height'>,
): Promise<FileRow | undefined> {
  const now = ctx.now()
  const [arrived] = await ctx.db
    .update(fileObjects)
    .set({
      ...stored,
      state: 'TEMP',
      updatedAt: now,
      expireAt: now + fileLimits.tempLifeMs,
      revision: row.revision + 1,
    })
    .where(
      and(
        eq(fileObjects.objectId, row.objectId),
        eq(fileObjects.state, row.state),
        eq(fileObjects.revision, row.revision),
      ),
    )
    .returning()
  if (arrived) tellArrival(ctx, arrived)
  return arrived
}

/** Refuses a body that says itself that it is not what the address was made for. */
export function checkLength(headers: IncomingHttpHeaders, expected: number): void {
  const length = headers['content-length']
  if (length !== undefined && Number(length) !== expected) {
    refuse(files.errors.wrongSize, { found: Number(length), expected })
  }
}
