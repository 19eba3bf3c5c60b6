import { createHash, createPrivateKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq } from 'drizzle-orm'
import type { Answer, Input } from '../../../../kernel/contract.ts'
import { refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { teamBefore } from '../../apps/transfer/public.ts'
import { store } from '../contract.ts'
import { userOfTeam } from '../pseudonym.ts'
import { dayMs } from '../rules.ts'
import { storeLicenceKeys, storeRecords } from '../tables.home.ts'

type Call = (typeof store.calls)['issueLicence']

interface LicenceKey {
  keyId: string
  /** PEM. */
  publicKey: string
  privateKey: KeyObject
}

const purpose = 'store licence key'
const licenceDays = 7
const mostKeys = 2_000
const makeKeyPair = promisify(generateKeyPair)
const keys = new WeakMap<Server, Map<string, Promise<LicenceKey>>>()

/** The key of an app; made and sealed on first use. Two processes that are asked at once agree on one. */
export function licenceKeyOf(server: Server, appId: string): Promise<LicenceKey> {
  const ofServer = keys.get(server) ?? new Map<string, Promise<LicenceKey>>()
  keys.set(server, ofServer)
  let key = ofServer.get(appId)
  if (!key) {
    key = loadKey(server, appId)
    key.catch(() => ofServer.delete(appId))
    ofServer.set(appId, key)
    if (ofServer.size > mostKeys) ofServer.delete(ofServer.keys().next().value as string)
  }
  return key
}

async function loadKey(server: Server, appId: string): Promise<LicenceKey> {
  const ctx = systemContext(server, server.config.zones[0] ?? 'CN', { name: 'store licence key' })
  const find = () =>
    ctx.transact(inner => inner.home.select().from(storeLicenceKeys).where(eq(storeLicenceKeys.appId, appId)))
  let [row] = await find()
  if (!row) {
    const made = await makeKey(server, appId)
    await ctx.transact(inner => inner.home.insert(storeLicenceKeys).values(made).onConflictDoNothing())
    row = (await find())[0] ?? made
  }
  const privateKey = createPrivateKey(server.masterKey.open(purpose, appId, row.sealedKey))
  return { keyId: row.keyId, publicKey: row.publicKey, privateKey }
}

async function makeKey(server: Server, appId: string): Promise<typeof storeLicenceKeys.$inferInsert> {
  const pair = await makeKeyPair('rsa', { modulusLength: 2048 })
  const der = pair.publicKey.export({ type: 'spki', format: 'der' })
  return {
    appId,
    keyId: createHash('sha256').update(der).digest('base64url').slice(0, 16),
    sealedKey: server.masterKey.seal(
      purpose,
      appId,
      pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    createdAt: server.clock.now(),
  }
}

/** So long after an app went to another team its users can be matched with who they were. */
const exchangeDays = 60

/**
 * The user as the team's apps know him. For sixty days after the app came from another team also who he was there, for
 * that team's records of him have come along; later nothing links the two.
 */
async function subjectsOf(system: Context, { appId, teamId }: { appId: string; teamId: string }, userIdHash: string) {
  const { server } = system
  const sub = userOfTeam(server, teamId, userIdHash)
  const before = await system.transact(inner => teamBefore(inner, { appId, teamId }))
  if (before === null || system.now() - before.at >= exchangeDays * dayMs) return { sub }
  return { sub, previousSub: userOfTeam(server, before.teamId, userIdHash) }
}

/** A JSON Web Token over what the copy is, signed with its app's key. Refuses what the store did not publish. */
export async function issueLicence(ctx: Context, body: Input<Call>['body']): Promise<Answer<Call>> {
  const { packageName, versionCode, certSha256, userIdHash, nonce } = body
  const system = systemContext(ctx.server, ctx.zone, { name: 'store licence' })
  const records = await system.transact(inner =>
    inner.home
      .select({ appId: storeRecords.appId, teamId: storeRecords.teamId, signers: storeRecords.signers })
      .from(storeRecords)
      .where(
        and(
          eq(storeRecords.packageName, packageName),
          eq(storeRecords.versionCode, versionCode),
          eq(storeRecords.isForcedOff, false),
          eq(storeRecords.isFrozen, false),
        ),
      ),
  )
  const [record] = records
  if (!record) refuse(store.errors.notPublished, { packageName, versionCode })
  if (!records.some(one => one.signers.includes(certSha256))) refuse(store.errors.otherSigner, { packageName })
  const { keyId, privateKey } = await licenceKeyOf(ctx.server, record.appId)
  const issuedAt = ctx.now()
  const expiresAt = issuedAt + licenceDays * dayMs
  const claims = {
    iss: ctx.server.config.publicUrl,
    package: packageName,
    versionCode,
    userIdHash,
    ...(await subjectsOf(system, record, userIdHash)),
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
    ...(nonce === undefined ? {} : { nonce }),
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${part(claims)}`
  return { licence: `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`, expiresAt }
}
