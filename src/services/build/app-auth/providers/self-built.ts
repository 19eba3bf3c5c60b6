import { decodeProtectedHeader, importSPKI, errors as joseErrors, jwtVerify } from 'jose'
import type { Context } from '../../../../server/context.ts'
import { safeAddress } from './openid.ts'
import { type ProvenIdentity, refuseProof, textOf } from './proof.ts'

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const
const lifeMostSeconds = 3600

/** Proves a token that the team’s own server signed for one of its users, for this project and not for long. */
export async function proveOwnToken(
  ctx: Context,
  settings: { publicKey: string },
  projectId: string,
  token: string,
): Promise<ProvenIdentity> {
  try {
    const { alg } = decodeProtectedHeader(token)
    const known = algorithms.find(one => one === alg)
    if (!known) refuseProof('it is signed in a way that is not taken')
    const { payload } = await jwtVerify(token, await importSPKI(settings.publicKey, known), {
      algorithms: [known],
      audience: projectId,
      currentDate: new Date(ctx.now()),
      clockTolerance: 30,
      requiredClaims: ['sub', 'exp', 'iat', 'aud'],
    })
    const { sub, exp = 0, iat = 0 } = payload
    if (exp - iat > lifeMostSeconds) refuseProof('it lives longer than an hour')
    const openId = textOf(sub, 255)
    if (openId === '' || openId !== sub) refuseProof('it names nobody')
    return {
      ...{ issuer: 'self', openId, email: null },
      displayName: textOf(payload['name']),
      photoUrl: safeAddress(payload['picture']),
    }
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) refuseProof('it is over')
    if (error instanceof joseErrors.JOSEError || error instanceof TypeError)
      refuseProof('it is not signed by the key of the project')
    throw error
  }
}
