import { refuse } from '../../../kernel/errors.ts'
import { zoneOfSlug } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { files } from './contract.ts'
import { fileLimits, type PictureSize } from './rules.ts'

/** What `x-amz-content-sha256` says where the sender has not hashed the file. */
export const unsigned = 'UNSIGNED-PAYLOAD'
const purpose = 'files address'
const scheme = 'LOGGIA-HMAC-SHA256'

/** What a pre-signed PUT binds: another method, path, content, size or time has another signature. */
interface Bound {
  path: string
  sha256: string
  sizeBytes: number
  exp: number
}

export interface PutAddress {
  url: string
  method: 'PUT'
  headers: Record<string, string>
  expireAt: number
}

export function objectPath(objectId: string): string {
  return `${files.prefix}/object/${objectId}`
}

export function objectIdOf({ zone, hour, name }: { zone: string; hour: string; name: string }): string {
  return `${zone}/${hour}/${name}`
}

export function partPath(objectId: string, uploadId: string, partNumber: number): string {
  return `${files.prefix}/part/${objectId}/${uploadId}/${partNumber}`
}

/** An address to PUT exactly these bytes to, without a session. */
export function signedPut(
  ctx: Context,
  zoneSlug: string,
  wanted: { path: string; sha256?: string | null; sizeBytes: number; lifeMs: number },
): PutAddress {
  const { path, sizeBytes } = wanted
  const exp = ctx.now() + wanted.lifeMs
  const sha256 = wanted.sha256 ?? unsigned
  const signature = ctx.server.masterKey.sign(purpose, putMessage({ path, sha256, sizeBytes, exp }))
  return {
    url: `${ctx.server.config.publicUrl}/${zoneSlug}${path}?size=${sizeBytes}&exp=${exp}`,
    method: 'PUT',
    headers: { authorization: `${scheme} ${signature}`, 'x-amz-content-sha256': sha256 },
    expireAt: exp,
  }
}

/** Refuses a PUT whose address was changed or has ended. Returns the promised sha256, where there is one. */
export function checkPut(
  ctx: Context,
  bound: Omit<Bound, 'sha256'>,
  sent: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const sha256 = String(sent['x-amz-content-sha256'] ?? unsigned)
  const [given, signature] = String(sent['authorization'] ?? '').split(' ')
  const isRight = ctx.server.masterKey.verify(purpose, putMessage({ ...bound, sha256 }), signature ?? '')
  if (given !== scheme || !isRight) refuse(files.errors.signatureInvalid)
  if (bound.exp <= ctx.now()) refuse(files.errors.addressExpired, { expireAt: bound.exp })
  return sha256 === unsigned ? undefined : sha256
}

function putMessage({ path, sha256, sizeBytes, exp }: Bound): string {
  return `PUT|${path}|${sha256}|${sizeBytes}|${exp}`
}

/** An address to read one object from, without a session, in the object's own zone. */
export function signedDownload(
  ctx: Context,
  objectId: string,
  options: { ttlSeconds?: number; fileName?: string; picture?: PictureSize } = {},
): string {
  const slug = objectId.slice(0, 2)
  if (zoneOfSlug(slug) === undefined) throw new Error('the zone Id is invalid')
  const lifeMs = options.ttlSeconds === undefined ? fileLimits.addressLifeMs : options.ttlSeconds * 1000
  const exp = ctx.now() + lifeMs
  const name = options.fileName ?? ''
  const path = objectPath(objectId)
  const { picture } = options
  const sig = ctx.server.masterKey.sign(purpose, getMessage(path, name, exp, picture))
  const query = new URLSearchParams({
    exp: String(exp),
    ...(name ? { name } : {}),
    ...(picture ? { picture } : {}),
    sig,
  })
  const { filesUrl, publicUrl } = ctx.server.config
  return `${filesUrl ?? publicUrl}/${slug}${path}?${query}`
}

/** Refuses a GET whose address was changed or has ended. */
export function checkGet(ctx: Context, objectId: string, sent: SignedQuery): void {
  const message = getMessage(objectPath(objectId), sent.name ?? '', sent.exp, sent.picture)
  if (!ctx.server.masterKey.verify(purpose, message, sent.sig)) refuse(files.errors.signatureInvalid)
  if (sent.exp <= ctx.now()) refuse(files.errors.addressExpired, { expireAt: sent.exp })
}

interface SignedQuery {
  exp: number
  name?: string
  picture?: PictureSize
  sig: string
}

function getMessage(path: string, name: string, exp: number, picture?: PictureSize): string {
  return `GET|${path}|${name}|${exp}${picture ? `|${picture}` : ''}`
}
