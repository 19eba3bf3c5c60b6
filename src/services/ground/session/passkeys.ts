import type * as WebAuthn from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { passkeys } from './tables.home.ts'

export type PasskeyRow = typeof passkeys.$inferSelect
type Authentication = WebAuthn.VerifyAuthenticationResponseOpts['response']
type Registration = WebAuthn.VerifyRegistrationResponseOpts['response']
type Transports = NonNullable<
  NonNullable<WebAuthn.GenerateAuthenticationOptionsOpts['allowCredentials']>[number]['transports']
>

/** Loaded by the first passkey: with what it reads certificates with it is a tenth of a start. */
const webAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256: what authenticators have and Node checks without experiments. */
const algorithms = [-8, -7, -257]

/** Passkeys are bound to the address people were told, never to a header. */
function partyOf(ctx: Context): { rpID: string; origin: string } {
  const url = new URL(ctx.server.config.publicUrl)
  return { rpID: url.hostname, origin: url.origin }
}

export async function passkeysOf(ctx: Context, accountId: string): Promise<PasskeyRow[]> {
  return ctx.home.select().from(passkeys).where(eq(passkeys.accountId, accountId)).orderBy(passkeys.createdAt)
}

/** A question for these passkeys, or for whichever the person has here. With `alone` the device verifies the person. */
export async function askPasskey(ctx: Context, of: readonly PasskeyRow[], isAlone: boolean) {
  const options = await (await webAuthn()).generateAuthenticationOptions({
    rpID: partyOf(ctx).rpID,
    allowCredentials: of.map(row => ({ id: row.credentialId, transports: row.transports as Transports })),
    userVerification: isAlone ? 'required' : 'preferred',
  })
  return { options, challenge: options.challenge }
}

/** The passkey that gave a right answer to the challenge, or null. One answer counts once: the ticket sees to it. */
export async function provePasskey(
  ctx: Context,
  answer: { id: string },
  asked: { challenge: string; accountId?: string; mustVerify: boolean },
): Promise<{ row: PasskeyRow; isVerified: boolean } | null> {
  const [row] = await ctx.home
    .select()
    .from(passkeys)
    .where(
      and(
        eq(passkeys.credentialId, answer.id),
        ...(asked.accountId === undefined ? [] : [eq(passkeys.accountId, asked.accountId)]),
      ),
    )
  if (!row) return null
  const { rpID, origin } = partyOf(ctx)
  const result = await (await webAuthn())
    .verifyAuthenticationResponse({
      response: answer as unknown as Authentication,
      expectedChallenge: asked.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: asked.mustVerify,
      credential: {
        id: row.credentialId,
        publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')),
        counter: row.counter,
        transports: row.transports as Transports,
      },
    })
    .catch(() => null)
  if (!result?.verified) return null
  const { newCounter, userVerified } = result.authenticationInfo
  await ctx.home
    .update(passkeys)
    .set({ counter: newCounter, lastUsedAt: ctx.now() })
    .where(eq(passkeys.credentialId, row.credentialId))
  return { row, isVerified: userVerified }
}

/** What a browser needs to make a passkey for an account. */
export async function askForNewPasskey(
  ctx: Context,
  account: { accountId: string; loginName: string; name: string },
  existing: readonly PasskeyRow[],
) {
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: 'Loggia',
    rpID: partyOf(ctx).rpID,
    userName: account.loginName,
    userDisplayName: account.name,
    userID: new Uint8Array(Buffer.from(account.accountId)),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.map(row => ({ id: row.credentialId, transports: row.transports as Transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  return { options, challenge: options.challenge }
}

/** What to keep of a passkey that was just made, or null when the answer does not fit the challenge. */
export async function readNewPasskey(ctx: Context, answer: unknown, challenge: string) {
  const { rpID, origin } = partyOf(ctx)
  const result = await (await webAuthn())
    .verifyRegistrationResponse({
      response: answer as Registration,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    .catch(() => null)
  if (!result?.verified) return null
  const { credential } = result.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])] as string[],
  }
}
