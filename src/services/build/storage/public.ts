import { Readable } from 'node:stream'
import { refuse } from '../../../kernel/errors.ts'
import { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { assertWritable, bucketOf } from './buckets/facts.ts'
import { storageErrors } from './contract.ts'
import { type KnownKey, keyOf, tellUsed } from './keys/secrets.ts'
import { receiveContent } from './objects/content.ts'
import { noAttributes } from './objects/rows.ts'
import { writeObject } from './objects/writing.ts'

/**
 * The key of a project by its id, with its secret, for who checks what it signed; null where there is none, it has ended,
 * or it is not for functions. From memory after the first time.
 */
export async function functionsKeyOf(server: Server, accessKeyId: string): Promise<KnownKey | null> {
  const key = await keyOf(server, accessKeyId)
  return key?.services.includes('functions') ? key : null
}

/** Writes down, now and then, that a key is in use: called once its signature was found right. */
export function tellKeyUsed(server: Server, key: KnownKey): void {
  tellUsed(server, key)
}

/**
 * Puts a small file into a bucket of a project, in a transaction of its own; the same path again is the same file anew.
 * Refuses a bucket that is not the project's (`noBucket`), is suspended, or is full.
 *
 * @param file.hops how many functions led to it
 */
export async function writeFile(
  ctx: Context,
  file: { projectId: string; bucketId: string; path: string; content: Buffer; contentType: string; hops: number },
): Promise<void> {
  const { projectId, bucketId, path, contentType, hops } = file
  const bucket = await bucketOf(ctx.server, bucketId)
  if (bucket.projectId !== projectId) refuse(storageErrors.noBucket, { bucket: bucketId })
  assertWritable(bucket)
  const { teamId, zone } = bucket
  const place = { ...ctx.place, teamId, zone, scope: { team: teamId }, led: { projectId, hops } }
  const expected = { limitBytes: file.content.length, contentType }
  const content = await receiveContent(ctx.server, bucket, Readable.from([file.content]), expected)
  const write = { path, content, attributes: { ...noAttributes, contentType }, ownerUid: null }
  await new Context(ctx.server, place).transact(inner => writeObject(inner, bucket, write))
}
