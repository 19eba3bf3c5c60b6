import type { Context } from '../../../../server/context.ts'
import type { AppRow } from '../../apps/public.ts'
import type { CertRecord } from '../certs/queries.ts'
import { authoritiesOf, authorityInUse, chainAbove } from '../pki/authorities.ts'
import { signedData } from '../pki/signed-data.ts'
import { profileTypes } from '../rules.ts'

export interface ProfileContent {
  app: Pick<AppRow, 'appId' | 'teamId' | 'packageName'>
  cert: Pick<CertRecord, 'certificate'>
  type: number
  uuid: string
  notBefore: number
  notAfter: number
  /** Empty where it holds on every device. */
  udids: readonly string[]
}

/** How devices know who hands the app out. */
const distributions: Readonly<Record<number, string>> = {
  [profileTypes.release]: 'app_gallery',
  [profileTypes.inHouse]: 'enterprise',
  [profileTypes.listed]: 'internaltesting',
}

/** What a profile says, in the words that devices read (OpenHarmony, provision 2.0.0). */
export function profileJson({ app, cert, type, uuid, notBefore, notAfter, udids }: ProfileContent) {
  const isDebug = type === profileTypes.debug
  return {
    'version-name': '2.0.0',
    'version-code': 2,
    uuid,
    type: isDebug ? 'debug' : 'release',
    validity: { 'not-before': Math.floor(notBefore / 1000), 'not-after': Math.floor(notAfter / 1000) },
    'bundle-info': {
      'developer-id': app.teamId,
      [isDebug ? 'development-certificate' : 'distribution-certificate']: cert.certificate,
      'bundle-name': app.packageName,
      apl: 'normal',
      'app-feature': 'hos_normal_app',
      'app-identifier': app.appId,
    },
    acls: { 'allowed-acls': [] },
    permissions: { 'restricted-permissions': [] },
    ...(udids.length > 0 && { 'debug-info': { 'device-ids': udids, 'device-id-type': 'udid' } }),
    ...(!isDebug && { 'app-distribution-type': distributions[type] }),
    issuer: 'app_gallery',
  }
}

/** The profile, signed. */
export async function signProfile(ctx: Context, content: ProfileContent): Promise<Buffer> {
  const signer = await authorityInUse(ctx, 'PROFILE_SIGNER')
  const above = chainAbove(signer.certificate, await authoritiesOf(ctx))
  return signedData(Buffer.from(JSON.stringify(profileJson(content))), signer, above, ctx.now())
}
