import { and, asc, eq } from 'drizzle-orm'
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { errors } from '../contract.ts'
import { checkHolds } from '../granting.ts'
import { keyedClientOf } from '../queries.ts'
import { type KeyAlgorithm, limits } from '../rules.ts'
import { clientKeys } from '../tables.home.ts'
import { issuerOf, tokenUriOf } from '../tokens/addresses.ts'
import { clientKeyCalls } from './contract.ts'
import { readPublicKey, toPublicKey } from './public-key.ts'

type KeyRow = typeof clientKeys.$inferSelect

export default implement(clientKeyCalls, {
  listKeyPairs: (ctx, { query }) => keysOf(ctx, query.clientId, true),
  listPublicKeys: (ctx, { query }) => keysOf(ctx, query.clientId, false),

  createKeyPair: async (ctx, { body }) => {
    const { clientId, name, algorithm = 'ES256' } = body
    await ctx.transact(inner => roomFor(inner, clientId))
    const pair = await generateKeyPair(algorithm, { extractable: true, modulusLength: 3072 })
    const found = await toPublicKey(await exportJWK(pair.publicKey), algorithm)
    const key = await ctx.transact(inner => addKey(inner, clientId, { name, ...found, isMadeHere: true }))
    const privateKey = await exportPKCS8(pair.privateKey)
    const { config } = ctx.server
    const credential = { clientId, kid: found.kid, algorithm, privateKey }
    return { key, credential: { ...credential, issuer: issuerOf(config), tokenUri: tokenUriOf(config) } }
  },

  registerPublicKey: async (ctx, { body }) => {
    const { clientId, name, publicKey } = body
    await roomFor(ctx, clientId)
    const read = await readPublicKey(publicKey)
    if ('fault' in read) throw badField('/publicKey', read.fault, sentences[read.fault])
    return addKey(ctx, clientId, { name, ...read, isMadeHere: false })
  },

  deleteKey: async (ctx, { query }) => {
    const { clientId, keyId } = query
    ctx.assertScope({})
    await keyedClientOf(ctx, clientId)
    const gone = await ctx.home
      .delete(clientKeys)
      .where(and(eq(clientKeys.clientId, clientId), eq(clientKeys.keyId, keyId)))
      .returning()
    const [key] = gone
    if (!key) refuse(commonErrors.notFound, { entity: 'key', id: keyId })
    tell(ctx, 'apiClient.key_delete', key)
    return {}
  },
})

const sentences = {
  private: 'is a private key; register the public half only, and keep this one to yourself',
  unreadable: 'is no public key as PEM or JWK',
  kind: 'is of a kind that is not taken; use EC P-256 or P-384, RSA of 2048 bits or more, or Ed25519',
} as const

async function keysOf(ctx: Context, clientId: string, isMadeHere: boolean) {
  await keyedClientOf(ctx, clientId)
  const list = await ctx.home
    .select()
    .from(clientKeys)
    .where(and(eq(clientKeys.clientId, clientId), eq(clientKeys.isMadeHere, isMadeHere)))
    .orderBy(asc(clientKeys.keyId))
  return { list }
}

async function roomFor(ctx: Context, clientId: string) {
  ctx.assertScope({})
  const client = await keyedClientOf(ctx, clientId, 'update')
  await checkHolds(ctx, client)
  const known = await ctx.home.$count(clientKeys, eq(clientKeys.clientId, clientId))
  if (known >= limits.keysOfClient) refuse(errors.tooManyKeys, { limit: limits.keysOfClient })
  return client
}

async function addKey(
  ctx: Context,
  clientId: string,
  key: { name: string; kid: string; algorithm: KeyAlgorithm; publicJwk: Record<string, string>; isMadeHere: boolean },
): Promise<KeyRow> {
  const { teamId } = await roomFor(ctx, clientId)
  const made = { keyId: ctx.newId(), clientId, teamId, createdBy: ctx.accountId, createdAt: ctx.now() }
  try {
    const [row] = await ctx.home
      .insert(clientKeys)
      .values({ ...made, ...key })
      .returning()
    if (!row) throw new Error('no key was added')
    tell(ctx, 'apiClient.key_add', row)
    return row
  } catch (error) {
    if (isDuplicate(error, 'client_keys_kid')) refuse(errors.keyKnown, { kid: key.kid })
    throw error
  }
}

function tell(ctx: Context, action: string, { clientId, kid, name, isMadeHere }: KeyRow): void {
  ctx.audit({ action, entity: 'apiClient', entityId: clientId, after: { kid, name, isMadeHere } }, 'home')
}
