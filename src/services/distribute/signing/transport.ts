import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { desc, eq } from 'drizzle-orm'
import { compactDecrypt, decodeProtectedHeader } from 'jose'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { signing } from './contract.ts'
import { limits } from './rules.ts'
import { transportKeys } from './tables.ts'

const purpose = 'signing.transport'
const noncePurpose = 'signing.import'
const makeKeyPair = promisify(generateKeyPair)

/** What a key is encrypted to, and the nonce that binds it to the app and to the next half hour. */
export async function importKeyOf(ctx: Context, appId: string) {
  const find = () => ctx.db.select().from(transportKeys).orderBy(desc(transportKeys.kid)).limit(1)
  let [row] = await find()
  if (!row) {
    const { privateKey, publicKey } = await makeKeyPair('rsa', { modulusLength: 3072 })
    const kid = ctx.newId()
    const sealedKey = ctx.server.masterKey.seal(
      purpose,
      kid,
      privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    )
    const made = publicKey.export({ type: 'spki', format: 'pem' }) as string
    ;[row] = await ctx.db
      .insert(transportKeys)
      .values({ kid, sealedKey, publicKey: made, createdAt: ctx.now() })
      .returning()
  }
  const { kid, publicKey } = row!
  const expiresAt = ctx.now() + limits.importMs
  return { kid, publicKey, nonce: nonceOf(ctx, appId, expiresAt), expiresAt }
}

const nonceOf = (ctx: Context, appId: string, expiresAt: number) =>
  `${expiresAt}.${ctx.server.masterKey.sign(noncePurpose, `${appId} ${expiresAt}`)}`

/** What was encrypted to us for this app. Refuses 422 with the reason, which never quotes what came. */
export async function openImport(ctx: Context, appId: string, encrypted: string): Promise<Record<string, unknown>> {
  const unreadable = (reason: string) => refuse(signing.errors.importUnreadable, { reason })
  const kid = kidOf(encrypted)
  if (kid === null) unreadable('it is no JWE whose header names the kid of the public key')
  const [row] = await ctx.transact(inner =>
    inner.db
      .select()
      .from(transportKeys)
      .where(eq(transportKeys.kid, kid as string)),
  )
  if (!row) unreadable('it is encrypted to a key that is not ours')
  const { sealedKey } = row as NonNullable<typeof row>
  const key = createPrivateKey(ctx.server.masterKey.open(purpose, kid as string, sealedKey))
  const algorithms = { keyManagementAlgorithms: ['RSA-OAEP-256'], contentEncryptionAlgorithms: ['A256GCM'] }
  const opened = await compactDecrypt(encrypted, key, algorithms).catch(() =>
    unreadable('it is not encrypted with RSA-OAEP-256 and A256GCM to our key, or was changed on the way'),
  )
  const content = asObject(Buffer.from(opened.plaintext).toString('utf8'))
  if (!content) return unreadable('what was encrypted is no JSON object')
  if (content['appId'] !== appId) refuse(signing.errors.importForOther)
  const [expiresAt = ''] = String(content['nonce']).split('.')
  const isOurs = content['nonce'] === nonceOf(ctx, appId, Number(expiresAt))
  if (!isOurs || Number(expiresAt) <= ctx.now()) refuse(signing.errors.importExpired)
  return content
}

function kidOf(encrypted: string): string | null {
  try {
    const { kid } = decodeProtectedHeader(encrypted)
    return typeof kid === 'string' && /^[1-9][0-9]{0,18}$/.test(kid) ? kid : null
  } catch {
    return null
  }
}

function asObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
