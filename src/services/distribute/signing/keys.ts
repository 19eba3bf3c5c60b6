import type { Context } from '../../../server/context.ts'
import type { KeyChain, UsedKey } from './apksigner.ts'
import type { ProfileRecord } from './queries.ts'

/** Keys that were made for bundles were sealed for this purpose before there was anything else to sign. */
const purpose = 'packages.appKey'

/** A private key as it lies in the database: under the master key, and bound to its app. */
export function sealKey(ctx: Context, appId: string, privateKey: string): string {
  return ctx.server.masterKey.seal(purpose, appId, privateKey)
}

/** The same key under a fresh seal. */
export function resealKey(ctx: Context, appId: string, sealed: string): string {
  return sealKey(ctx, appId, ctx.server.masterKey.open(purpose, appId, sealed))
}

/** The key in use, opened; null while the store holds none. What it answers stays in this service. */
export function keyInUse(ctx: Context, profile: ProfileRecord): UsedKey | null {
  const { appId, sealedKey, certificate } = profile
  if (sealedKey === null || certificate === null) return null
  return { privateKey: ctx.server.masterKey.open(purpose, appId, sealedKey), certificate }
}

/** Everything a package of the app is signed with; null while the store holds no key. */
export function chainOf(ctx: Context, profile: ProfileRecord): KeyChain | null {
  const newest = keyInUse(ctx, profile)
  if (!newest) return null
  const [first] = profile.olderKeys
  const open = ({ sealedKey, certificate }: { sealedKey: string; certificate: string }): UsedKey => ({
    privateKey: ctx.server.masterKey.open(purpose, profile.appId, sealedKey),
    certificate,
  })
  const lineage = profile.lineage === null ? null : Buffer.from(profile.lineage, 'base64')
  return { newest, oldest: first ? open(first) : newest, lineage }
}
