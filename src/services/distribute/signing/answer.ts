import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import type { AppRow } from '../apps/public.ts'
import { knownOfPem } from './certificates.ts'
import type { SigningView, UploadCertificateView } from './contract.ts'
import type { ProfileRecord, UploadRecord } from './queries.ts'
import { nextRotationAt, type ProfileFact, profileCycle, uploadCycle } from './rules.ts'
import { importKeyOf } from './transport.ts'

/** Of a key from before its first use was noted, the upload certificate tells: it came with the first accepted bundle. */
const isUsed = ({ usedAt, keyMadeAt, uploadCertSha256 }: ProfileRecord): boolean =>
  usedAt !== null || (keyMadeAt === null && uploadCertSha256 !== null)

/** A version that the store has: it may be on shelf at any time, with the signature that it has. */
export const isUnderWay = ({ openVersionState }: AppRow): boolean =>
  openVersionState === 'PRECHECK' || openVersionState === 'IN_REVIEW' || openVersionState === 'PENDING_RELEASE'

/** What decides which actions are possible. */
export function factsOf(ctx: Context, app: AppRow, profile: ProfileRecord): Record<ProfileFact, boolean> {
  const next = nextRotationAt(profile.rotatedAt)
  return {
    isNew: (app.lastShelf?.signers ?? []).length === 0,
    isCalm: !isUnderWay(app),
    isRotationDue: next === null || next <= ctx.now(),
    isUnused: !isUsed(profile),
    hasDeveloperKey: profile.developerCert !== null,
  }
}

export async function toSigningKey(ctx: Context, app: AppRow, profile: ProfileRecord): Promise<SigningView> {
  const { appId, state, source, certificate, olderKeys, developerCert, uploadCertSha256, revision } = profile
  const may = (permission: string) => ctx.may(permission)
  const isAndroid = app.packageType === 'ANDROID'
  const actions = isAndroid ? allowedActions(profileCycle, state, may, factsOf(ctx, app, profile)) : []
  const isStore = state === 'STORE' && certificate !== null
  const takesImport = actions.includes('import') || actions.includes('rotate')
  return {
    appId,
    mode: state,
    appKey: isStore
      ? {
          certPem: certificate,
          certificate: knownOfPem(certificate),
          source,
          createdAt: profile.keyMadeAt ?? profile.createdAt,
        }
      : null,
    lineage:
      isStore && olderKeys.length > 0 ? [...olderKeys.map(one => one.certificate), certificate].map(knownOfPem) : [],
    developerCert,
    uploadCertSha256,
    isUsed: isUsed(profile),
    nextRotationAllowedAt: nextRotationAt(profile.rotatedAt),
    importKey: takesImport ? await importKeyOf(ctx, appId) : null,
    revision,
    allowedActions: actions as SigningView['allowedActions'],
  }
}

export function toUploadCertificate(ctx: Context, row: UploadRecord): UploadCertificateView {
  const { pem, ...rest } = row
  const actions = allowedActions(uploadCycle, row.state, permission => ctx.may(permission))
  return { ...rest, certPem: pem, allowedActions: actions as UploadCertificateView['allowedActions'] }
}
