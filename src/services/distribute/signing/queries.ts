import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { AppRow } from '../apps/public.ts'
import { signing } from './contract.ts'
import { heldKeys, type KnownCertificate, signingProfiles, uploadCertificates } from './tables.ts'

export type ProfileRecord = typeof signingProfiles.$inferSelect
export type UploadRecord = typeof uploadCertificates.$inferSelect

const shownBefore = 20

/** The profile of an app; one that nothing is known of is NONE. The caller has checked that the app is his. */
export async function profileOf(ctx: Context, app: Pick<AppRow, 'appId' | 'teamId'>): Promise<ProfileRecord> {
  const [row] = await ctx.db
    .select()
    .from(signingProfiles)
    .where(and(eq(signingProfiles.appId, app.appId), eq(signingProfiles.teamId, app.teamId)))
  return row ?? { ...emptyProfile(ctx, app), ...nothingYet }
}

const nothingYet = {
  sealedKey: null,
  certificate: null,
  certSha256: null,
  source: 'GENERATED',
  keyMadeAt: null,
  usedAt: null,
  olderKeys: [],
  lineage: null,
  rotatedAt: null,
  uploadCertSha256: null,
  developerCert: null,
  developerCertSha256: null,
  revision: 1,
} as const satisfies Partial<Record<keyof ProfileRecord, unknown>> & { olderKeys: never[] }

function emptyProfile(ctx: Context, { appId, teamId }: Pick<AppRow, 'appId' | 'teamId'>) {
  return { appId, teamId, state: 'NONE' as const, createdAt: ctx.now(), updatedAt: ctx.now() }
}

/** The same, locked until the transaction ends; made where it was not there. */
export async function lockProfile(ctx: Context, app: Pick<AppRow, 'appId' | 'teamId'>): Promise<ProfileRecord> {
  await ctx.db.insert(signingProfiles).values(emptyProfile(ctx, app)).onConflictDoNothing()
  const [row] = await ctx.db.select().from(signingProfiles).where(eq(signingProfiles.appId, app.appId)).for('update')
  return row!
}

/** The certificates that count or wait, and the last of those that did. */
export async function uploadCertificatesOf(ctx: Context, { appId, teamId }: Pick<AppRow, 'appId' | 'teamId'>) {
  const ofApp = and(eq(uploadCertificates.appId, appId), eq(uploadCertificates.teamId, teamId))
  const open = await ctx.db
    .select()
    .from(uploadCertificates)
    .where(and(ofApp, inArray(uploadCertificates.state, ['ACTIVE', 'PENDING'])))
  const previous = await ctx.db
    .select()
    .from(uploadCertificates)
    .where(and(ofApp, inArray(uploadCertificates.state, ['REPLACED', 'CANCELED'])))
    .orderBy(desc(uploadCertificates.certId))
    .limit(shownBefore)
  const inState = (state: UploadRecord['state']) => open.find(one => one.state === state) ?? null
  return { current: inState('ACTIVE'), pending: inState('PENDING'), previous }
}

/** Notes that the store holds this key for the app. Refuses 409 when it holds it, or held it, for any app of the zone. */
export async function holdKey(ctx: Context, app: Pick<AppRow, 'appId' | 'teamId'>, keySha256: string): Promise<void> {
  const { appId, teamId } = app
  const held = await ctx.db
    .insert(heldKeys)
    .values({ keySha256, appId, teamId, heldAt: ctx.now() })
    .onConflictDoNothing()
    .returning({ appId: heldKeys.appId })
  if (held.length === 0) refuse(signing.errors.keyAlreadyUsedByOtherApp)
}

/** Refuses 409 when developers sign another app of the zone with this certificate, whosever it is. */
export async function assertSignsNoOther(ctx: Context, appId: string, certificate: KnownCertificate): Promise<void> {
  const [other] = await ctx.transact(
    inner =>
      inner.db
        .select({ appId: signingProfiles.appId })
        .from(signingProfiles)
        .where(and(eq(signingProfiles.developerCertSha256, certificate.certSha256), ne(signingProfiles.appId, appId)))
        .limit(1),
    'all',
  )
  if (other) refuse(signing.errors.keyAlreadyUsedByOtherApp)
}
