import { X509Certificate } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import { type AppRow, lockApp } from '../apps/public.ts'
import { factsOf, isUnderWay } from './answer.ts'
import { rotate } from './apksigner.ts'
import { keyDigest, knownOfPem } from './certificates.ts'
import { signing } from './contract.ts'
import { keyInUse, sealKey } from './keys.ts'
import type { MadeKey } from './make-certificate.ts'
import { assertSignsNoOther, holdKey, lockProfile, type ProfileRecord } from './queries.ts'
import { nextRotationAt, type ProfileAction, type ProfileFact, profileCycle, weaknessOf } from './rules.ts'
import { heldKeys, type KnownCertificate, signingProfiles } from './tables.ts'
import { beginUploads } from './uploads.ts'

/** The app, and its profile as it was read: what is decided on it holds only as long as its revision. */
export interface Known {
  app: AppRow
  profile: ProfileRecord
}

/** Moves the profile, with the refusals that are said in words. */
export async function moveProfile(
  ctx: Context,
  { app, profile }: Known,
  action: ProfileAction,
  data: Record<string, unknown> = {},
): Promise<void> {
  const { appId, teamId } = app
  await transition(ctx, {
    cycle: profileCycle,
    table: 'app_signing_keys',
    idColumn: 'app_id',
    row: { id: appId, state: profile.state, revision: profile.revision },
    action,
    facts: factsOf(ctx, app, profile),
    unmet: fact => refuseFor(fact, { app, profile }),
    data: { appId, ...data },
    note: data,
    teamId,
  })
}

function refuseFor(fact: ProfileFact, { app, profile }: Known): never {
  const { errors } = signing
  if (fact === 'isNew') refuse(errors.shelfOfDeveloper, { expected: app.lastShelf?.signers[0] })
  if (fact === 'isCalm') refuse(errors.releaseUnderWay)
  if (fact === 'isUnused') refuse(errors.keyInUse)
  const day = (at: number | null) => new Date(at ?? 0).toISOString().slice(0, 10)
  const next = nextRotationAt(profile.rotatedAt)
  refuse(errors.rotationTooSoon, { rotatedAt: day(profile.rotatedAt), nextRotationAllowedAt: day(next), nextAt: next })
}

/** Refuses what may not sign this app: weak keys, short certificates, keys of other apps, keys that devices do not know. */
async function assertFits(ctx: Context, app: AppRow, made: MadeKey, use: 'FIRST' | 'NEXT'): Promise<void> {
  const certificate = knownOfPem(made.certificate)
  const reason = weaknessOf(certificate, 'APP', ctx.now())
  if (reason !== null) refuse(signing.errors.keyWeak, { reason })
  const expected = app.lastShelf?.signers[0]
  if (use === 'FIRST' && expected !== undefined && expected !== certificate.certSha256) {
    refuse(signing.errors.signerChanged, { found: certificate.certSha256, expected })
  }
  await assertSignsNoOther(ctx, app.appId, certificate)
}

/** The store signs from now on, with this key. Who signed until now is who uploads, where nobody was named. */
export async function beginStore(
  ctx: Context,
  appId: string,
  made: MadeKey,
  how: { action: 'generate' | 'import'; revision: number | undefined },
): Promise<void> {
  const app = await lockApp(ctx, appId)
  if (how.action === 'import') await assertFits(ctx, app, made, 'FIRST')
  const profile = await lockProfile(ctx, app)
  assertCurrent(profile, how.revision)
  const certificate = knownOfPem(made.certificate)
  const isAnother = certificate.certSha256 !== profile.developerCertSha256
  if (isAnother && app.lastShelf === null && isUnderWay(app)) refuse(signing.errors.releaseUnderWay)
  const source = how.action === 'import' ? 'IMPORTED' : 'GENERATED'
  await moveProfile(ctx, { app, profile }, how.action, { certSha256: certificate.certSha256, source })
  await putKey(ctx, app, made, certificate, { source })
  if (profile.uploadCertSha256 === null && profile.developerCert) {
    await beginUploads(ctx, app, { pem: null, certificate: profile.developerCert, registeredBy: null })
  }
}

/** Writes a key that is new to the app. */
export async function putKey(
  ctx: Context,
  app: Pick<AppRow, 'appId' | 'teamId'>,
  made: MadeKey,
  certificate: KnownCertificate,
  more: Partial<typeof signingProfiles.$inferInsert>,
): Promise<ProfileRecord> {
  await holdKey(ctx, app, keyDigest(new X509Certificate(made.certificate).publicKey))
  const [row] = await ctx.db
    .update(signingProfiles)
    .set({
      sealedKey: sealKey(ctx, app.appId, made.privateKey),
      certificate: made.certificate,
      certSha256: certificate.certSha256,
      keyMadeAt: ctx.now(),
      updatedAt: ctx.now(),
      ...more,
    })
    .where(eq(signingProfiles.appId, app.appId))
    .returning()
  return row!
}

/** The new key in the place of the old, with the proof that the old one hands over. */
export async function rotateTo(
  ctx: Context,
  known: Known,
  made: MadeKey,
  source: ProfileRecord['source'],
): Promise<void> {
  const { app, profile } = known
  const before = keyInUse(ctx, profile)
  const { sealedKey, certificate, certSha256 } = profile
  if (!before || sealedKey === null || certificate === null || certSha256 === null) {
    return refuse(commonErrors.stateNotAllowed, { state: profile.state, allowedActions: [] })
  }
  const given = profile.lineage === null ? null : Buffer.from(profile.lineage, 'base64')
  const lineage = (await rotate(before, made, given)).toString('base64')
  const madeAt = profile.keyMadeAt ?? profile.createdAt
  const olderKeys = [...profile.olderKeys, { sealedKey, certificate, certSha256, madeAt }]
  await ctx.transact(async inner => {
    await assertFits(inner, await lockApp(inner, app.appId), made, 'NEXT')
    const next = knownOfPem(made.certificate)
    await moveProfile(inner, known, 'rotate', { certSha256: next.certSha256, before: certSha256 })
    const now = inner.now()
    await putKey(inner, app, made, next, { source, olderKeys, lineage, rotatedAt: now, keyMadeAt: now })
  })
}

/** Gives a key back that signed nothing that was accepted. */
export async function discardKey(ctx: Context, app: AppRow, revision: number | undefined): Promise<void> {
  await lockApp(ctx, app.appId)
  const profile = await lockProfile(ctx, app)
  assertCurrent(profile, revision)
  await moveProfile(ctx, { app, profile }, 'discard')
  const certificates = [profile.certificate, ...profile.olderKeys.map(one => one.certificate)]
  for (const pem of certificates.filter(one => one !== null)) {
    const keySha256 = keyDigest(new X509Certificate(pem).publicKey)
    await ctx.db.delete(heldKeys).where(and(eq(heldKeys.keySha256, keySha256), eq(heldKeys.appId, app.appId)))
  }
  const none = { sealedKey: null, certificate: null, certSha256: null, keyMadeAt: null, lineage: null, rotatedAt: null }
  await ctx.db
    .update(signingProfiles)
    .set({ ...none, olderKeys: [], source: 'GENERATED', updatedAt: ctx.now() })
    .where(eq(signingProfiles.appId, app.appId))
}

export function assertCurrent(profile: ProfileRecord, revision: number | undefined): void {
  if (revision !== undefined && revision !== profile.revision)
    refuse(commonErrors.stale, { revision: profile.revision })
}
