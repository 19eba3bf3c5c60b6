import type { Context } from '../../../../server/context.ts'
import type { KnownCaller } from '../caller.ts'
import { defaultHost, productRow } from '../product.ts'
import type { UserRow } from '../sessions.ts'
import type { AuthSettings } from '../tables.ts'
import { issueTicket } from './tickets.ts'
import { newSecret, sealSecret, totpOf } from './totp.ts'

/** A secret for a user who has none, as an authenticator app takes it, and the ticket that its first code comes with. */
export interface Enrolment {
  ticket: string
  secret: string
  uri: string
}

/** What stands between a first proof and a session: a code, a factor that must be added first, or null for nothing. */
export async function stepAfterProof(
  ctx: Context,
  { caller, settings }: { caller: KnownCaller; settings: AuthSettings },
  user: UserRow,
  provider: number,
): Promise<{ ticket: string } | { enrolment: Enrolment } | null> {
  const { uid } = user
  if (settings.mfa === 'OFF') return null
  if (await totpOf(ctx, uid)) return { ticket: await issueTicket(ctx, caller, { kind: 'SIGN_IN', uid, provider }) }
  if (settings.mfa !== 'REQUIRED' || user.isAnonymous) return null
  return { enrolment: await enrolmentOf(ctx, caller, user, { kind: 'ENROL', provider }) }
}

/** Makes a secret for a user, and the ticket for its first code. */
export async function enrolmentOf(
  ctx: Context,
  caller: KnownCaller,
  { uid, email, phone }: UserRow,
  { kind, provider }: { kind: 'ENROL' | 'TOTP'; provider: number },
): Promise<Enrolment> {
  const { appName } = { ...defaultHost, ...(await productRow(ctx, caller.projectId))?.host }
  const { secret, uri } = newSecret(appName || 'App', email ?? phone ?? uid)
  const sealedSecret = sealSecret(ctx, uid, secret)
  return { secret, uri, ticket: await issueTicket(ctx, caller, { kind, uid, provider, sealedSecret }) }
}
