import { randomBytes } from 'node:crypto'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { BucketFacts } from './buckets/facts.ts'
import { storageErrors } from './contract.ts'
import { tellFileChanged } from './objects/nearby.ts'
import { type ObjectRow, objectColumns, toRow } from './objects/rows.ts'
import { limits } from './rules.ts'
import type { DownloadToken } from './tables.ts'

const purpose = 'storage download'

/** An address of the console's own, for minutes: no row stands for it. */
export function shortToken(server: Server, bucketId: string, path: string, seconds: number): string {
  const ends = Math.floor(server.clock.now() / 1000) + seconds
  return `s.${ends}.${server.masterKey.sign(purpose, `${bucketId}/${path} ${ends}`)}`
}

/** Whether a token of an address opens a file. */
export function isTokenRight(server: Server, file: ObjectRow, token: string): boolean {
  const now = server.clock.now()
  if (token.startsWith('s.')) {
    const [, ends = '', mac = ''] = token.split('.')
    const message = `${file.bucketId}/${file.path} ${ends}`
    return /^\d{1,12}$/.test(ends) && Number(ends) * 1000 > now && server.masterKey.verify(purpose, message, mac)
  }
  return file.tokens.some(one => one.token === token && (one.expiresAt === null || one.expiresAt > now))
}

/** Tokens that have not ended, the newest first. */
export function livingTokens(file: ObjectRow, now: number): DownloadToken[] {
  return file.tokens
    .filter(one => one.expiresAt === null || one.expiresAt > now)
    .sort((a, b) => b.createdAt - a.createdAt)
}

export interface TokenChange {
  add?: { createdBy: string; ttlSeconds?: number | undefined }
  remove?: string | 'all'
}

/** Makes and revokes download tokens of a file, in the caller's transaction. Refuses 404. */
export async function changeTokens(
  ctx: Context,
  bucket: BucketFacts,
  path: string,
  change: TokenChange,
): Promise<ObjectRow> {
  const { rows } = await ctx.transaction(ctx.zone).query<ObjectRow & Record<string, unknown>>({
    text: `SELECT ${objectColumns} FROM storage_objects WHERE bucket_id = $1 AND path = $2 FOR UPDATE`,
    values: [bucket.bucketId, path],
  })
  if (!rows[0]) refuse(storageErrors.noFile, { path })
  const file = toRow(rows[0])
  const now = ctx.now()
  const kept = change.remove === 'all' ? [] : livingTokens(file, now).filter(one => one.token !== change.remove)
  if (change.remove !== undefined && change.remove !== 'all' && kept.length === livingTokens(file, now).length)
    refuse(storageErrors.tokenWrong)
  if (change.add && kept.length >= limits.tokensOfObject)
    refuse(storageErrors.tooManyTokens, { limit: limits.tokensOfObject })
  const { add } = change
  const tokens = add
    ? [
        {
          token: randomBytes(16).toString('hex'),
          createdAt: now,
          createdBy: add.createdBy,
          expiresAt: add.ttlSeconds === undefined ? null : now + add.ttlSeconds * 1000,
        },
        ...kept,
      ]
    : kept
  await ctx.transaction(ctx.zone).query({
    text: 'UPDATE storage_objects SET tokens = $3 WHERE bucket_id = $1 AND path = $2',
    values: [bucket.bucketId, path, JSON.stringify(tokens)],
  })
  tellFileChanged(ctx, bucket.bucketId, path)
  return { ...file, tokens }
}
