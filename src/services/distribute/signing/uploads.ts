import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import type { AppRow } from '../apps/public.ts'
import type { UploadRecord } from './queries.ts'
import { limits, uploadCycle } from './rules.ts'
import { type KnownCertificate, signingProfiles, uploadCertificates } from './tables.ts'

type OfApp = Pick<AppRow, 'appId' | 'teamId'>

/** A certificate that is in force from now on, where there was none. */
export async function beginUploads(
  ctx: Context,
  app: OfApp,
  wanted: { pem: string | null; certificate: KnownCertificate; registeredBy: string | null },
): Promise<UploadRecord> {
  const row = await addUpload(ctx, app, wanted, 'ACTIVE', 0)
  await countFor(ctx, app.appId, wanted.certificate.certSha256)
  return row
}

/** A certificate that takes the place of the one in force after two days, unless it is approved or canceled before. */
export function queueUpload(
  ctx: Context,
  app: OfApp,
  wanted: { pem: string; certificate: KnownCertificate; registeredBy: string },
): Promise<UploadRecord> {
  return addUpload(ctx, app, wanted, 'PENDING', limits.resetMs)
}

async function addUpload(
  ctx: Context,
  { appId, teamId }: OfApp,
  wanted: { pem: string | null; certificate: KnownCertificate; registeredBy: string | null },
  state: 'ACTIVE' | 'PENDING',
  waitMs: number,
): Promise<UploadRecord> {
  const now = ctx.now()
  const effectiveAt = now + waitMs
  const certId = ctx.newId()
  const [row] = await ctx.db
    .insert(uploadCertificates)
    .values({ certId, appId, teamId, state, ...wanted, effectiveAt, createdAt: now, updatedAt: now })
    .returning()
  const { certSha256 } = wanted.certificate
  const entity = { entity: 'uploadCertificate', entityId: certId, teamId }
  ctx.audit({ action: 'uploadCertificate.register', ...entity, after: { appId, state, certSha256, effectiveAt } })
  const data = { appId, from: null, to: state, certSha256, effectiveAt }
  ctx.emit({ type: 'signing.upload_cert.changed', ...entity, data })
  return row!
}

/** Moves a certificate that waits, in the transaction of the call or the sweep. */
export async function settleUpload(
  ctx: Context,
  row: UploadRecord,
  action: 'approve' | 'take' | 'cancel',
): Promise<void> {
  const { appId, teamId, certificate } = row
  if (action !== 'cancel') {
    const [before] = await ctx.db
      .select()
      .from(uploadCertificates)
      .where(and(eq(uploadCertificates.appId, appId), eq(uploadCertificates.state, 'ACTIVE')))
    if (before) await move(ctx, before, 'replace')
    await countFor(ctx, appId, certificate.certSha256)
    await ctx.db
      .update(uploadCertificates)
      .set({ effectiveAt: ctx.now() })
      .where(and(eq(uploadCertificates.certId, row.certId), eq(uploadCertificates.teamId, teamId)))
  }
  await move(ctx, row, action)
}

async function move(ctx: Context, row: UploadRecord, action: 'approve' | 'take' | 'cancel' | 'replace'): Promise<void> {
  const { certId, appId, teamId, state, revision, certificate } = row
  await transition(ctx, {
    cycle: uploadCycle,
    table: 'signing_upload_certs',
    idColumn: 'cert_id',
    row: { id: certId, state, revision },
    action,
    data: { appId, certSha256: certificate.certSha256 },
    note: { appId, certSha256: certificate.certSha256 },
    teamId,
    isConsequence: action === 'replace',
  })
}

/** The one place that says what uploads of an app must be signed with. */
async function countFor(ctx: Context, appId: string, uploadCertSha256: string): Promise<void> {
  await ctx.db
    .update(signingProfiles)
    .set({ uploadCertSha256, updatedAt: ctx.now(), revision: sql`${signingProfiles.revision} + 1` })
    .where(eq(signingProfiles.appId, appId))
}
