import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { missingPrograms } from '../../../server/programs.ts'
import { type AppRow, appOf } from '../apps/public.ts'
import { signWith } from './apksigner.ts'
import { knownOfPem } from './certificates.ts'
import { moveProfile, putKey } from './changes.ts'
import { chainOf } from './keys.ts'
import { makeSigningKey } from './make-certificate.ts'
import { lockProfile, type ProfileRecord, profileOf } from './queries.ts'
import { type KnownCertificate, signingProfiles } from './tables.ts'
import { beginUploads } from './uploads.ts'

type OfApp = Pick<AppRow, 'appId' | 'teamId'>

/** What the store signs an app with: the newest certificate, and those before it. */
export interface StoreSigner {
  certSha256: string
  /** Oldest first, the signer's own included; empty without rotation. */
  lineage: string[]
  /** The newest first. */
  certificates: KnownCertificate[]
}

/** Who signs the app for devices where that is the store; null where uploads go out as they are. */
export async function storeSignerOf(ctx: Context, app: OfApp): Promise<StoreSigner | null> {
  const profile = await profileOf(ctx, app)
  return profile.state === 'STORE' ? toSigner(profile) : null
}

/** The certificates that the store signs with or signed with, by app; of those apps that it signs. One query. */
export async function storeCertificatesOf(ctx: Context, appIds: readonly string[]): Promise<Map<string, string[]>> {
  if (appIds.length === 0) return new Map()
  const { appId, certSha256, olderKeys, state } = signingProfiles
  const rows = await ctx.db
    .select({ appId, certSha256, olderKeys })
    .from(signingProfiles)
    .where(and(inArray(appId, [...new Set(appIds)]), eq(state, 'STORE'), isNotNull(certSha256)))
  return new Map(rows.map(row => [row.appId, [row.certSha256!, ...row.olderKeys.map(one => one.certSha256)]]))
}

/**
 * The same for what is made of bundles, which nobody but the store can sign: the key is made and sealed on first use, and
 * two jobs that start at once agree on one. Opens its own transactions.
 */
export async function bundleSignerOf(ctx: Context, app: OfApp): Promise<StoreSigner> {
  const known = toSigner(await ctx.transact(inner => profileOf(inner, app)))
  if (known) return known
  const made = await makeSigningKey('RSA3072', `App ${app.appId}`, ctx.now())
  return ctx.transact(async inner => {
    const profile = await lockProfile(inner, app)
    const row = profile.sealedKey === null ? await putKey(inner, app, made, knownOfPem(made.certificate), {}) : profile
    return toSigner(row)!
  })
}

/** Programs without which nothing is signed, and the line that installs them; null when all are there. */
export function missingForSigning(): Promise<{ missing: string; install: string } | null> {
  return missingPrograms({ apksigner: 'apksigner' })
}

/**
 * Signs an APK with the store's key of the app, and with its lineage after a rotation. The key stays in here. Opens its own
 * transaction; throws ProgramFailure with what apksigner said. Answers the certificate it signed with.
 */
export async function signForDevices(
  ctx: Context,
  app: OfApp,
  file: { input: string; output: string; minSdk: number; signal: AbortSignal },
): Promise<string> {
  const profile = await ctx.transact(inner => profileOf(inner, app))
  const chain = chainOf(ctx, profile)
  if (!chain || profile.certSha256 === null) throw new Error('the store holds no key of this app')
  await signWith(chain, file)
  return profile.certSha256
}

/** The certificate that uploads of the app must be signed with; null until one is registered or the first is accepted. */
export async function uploadCertificateOf(ctx: Context, app: OfApp): Promise<string | null> {
  return (await profileOf(ctx, app)).uploadCertSha256
}

/** A certificate that counts for an app, and as what. */
export interface Expected {
  match: 'UPLOAD_CERT' | 'APP_CERT' | 'LINEAGE'
  certSha256: string
}

/** Every certificate that counts for the app, and as what. Without a store's key that is what devices have, else what was accepted. */
export async function expectedOf(ctx: Context, app: AppRow): Promise<Expected[]> {
  const profile = await profileOf(ctx, app)
  const { state, uploadCertSha256, certSha256, olderKeys, developerCertSha256 } = profile
  const isStore = state === 'STORE'
  const shelved = app.lastShelf?.signers ?? []
  const own = isStore ? certSha256 : (shelved[0] ?? developerCertSha256)
  const before = isStore ? olderKeys.map(one => one.certSha256) : shelved.slice(1)
  return [
    ...(uploadCertSha256 === null ? [] : [{ match: 'UPLOAD_CERT' as const, certSha256: uploadCertSha256 }]),
    ...(own === null || own === undefined ? [] : [{ match: 'APP_CERT' as const, certSha256: own }]),
    ...before.map(one => ({ match: 'LINEAGE' as const, certSha256: one })),
  ]
}

/** What was accepted of an app, as far as signatures go. */
export interface Accepted {
  isBundle: boolean
  /** Who signed the upload. */
  uploader: KnownCertificate
  /** The store's certificate on what devices get; null where they get the upload. */
  signedWith: string | null
}

/**
 * Notes an accepted package, in the transaction of its acceptance. The first upload decides who uploads; the store's key is
 * in use from then on; where developers sign, their key is pinned, and follows them until devices have a version. Throws
 * when the key was given back while the package was made, so that it is made again.
 */
export async function recordAccepted(ctx: Context, appId: string, accepted: Accepted): Promise<void> {
  const { uploader, signedWith, isBundle } = accepted
  const app = await appOf(ctx, appId)
  const profile = await lockProfile(ctx, app)
  const ofApp = eq(signingProfiles.appId, appId)
  if (signedWith === null) {
    if (profile.state === 'STORE' || profile.developerCertSha256 === uploader.certSha256) return
    if (profile.state === 'NONE') await moveProfile(ctx, { app, profile }, 'pin', { certSha256: uploader.certSha256 })
    const pinned = { developerCert: uploader, developerCertSha256: uploader.certSha256, updatedAt: ctx.now() }
    await ctx.db.update(signingProfiles).set(pinned).where(ofApp)
    return
  }
  const own = [profile.certSha256, ...profile.olderKeys.map(one => one.certSha256)]
  if (!own.includes(signedWith)) throw new Error('the signing key of the app changed meanwhile')
  if (profile.state !== 'STORE' && isBundle)
    await moveProfile(ctx, { app, profile }, 'bundle', { certSha256: signedWith })
  if (profile.usedAt === null) await ctx.db.update(signingProfiles).set({ usedAt: ctx.now() }).where(ofApp)
  if (profile.uploadCertSha256 === null) {
    await beginUploads(ctx, app, { pem: null, certificate: uploader, registeredBy: null })
  }
}

function toSigner({ certificate, certSha256, olderKeys }: ProfileRecord): StoreSigner | null {
  if (certificate === null || certSha256 === null) return null
  const before = olderKeys.map(one => one.certSha256)
  return {
    certSha256,
    lineage: before.length === 0 ? [] : [...before, certSha256],
    certificates: [certificate, ...olderKeys.map(one => one.certificate).reverse()].map(knownOfPem),
  }
}
