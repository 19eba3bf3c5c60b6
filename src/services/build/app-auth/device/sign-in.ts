import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { takeAnonymous } from '../attempts.ts'
import { spendCode } from '../codes.ts'
import { errors } from '../contract.ts'
import { type Enrolment, stepAfterProof } from '../factors/first-proof.ts'
import { askHooks } from '../hooks.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { providerNumbers } from '../rules.ts'
import { openSession, type SessionRow, tokensOf, type UserRow } from '../sessions.ts'
import { changeUser, hasPassword, identitiesOf, linkIdentity, makeUser, providersOf } from '../users.ts'
import { byTarget, numberIn, type ProvenCredential } from './credential.ts'
import type { Called } from './wire.ts'

/** What the public SDK reads after a sign-in. */
export async function signedInAnswer(
  { project, settings }: Called,
  user: UserRow,
  session: SessionRow,
): Promise<Record<string, unknown>> {
  const identities = (await project.transact(inner => identitiesOf(inner, [user.uid]))).get(user.uid) ?? []
  const openId = identities.find(one => one.provider === session.provider)?.openId
  return {
    uid: user.uid,
    ...(await tokensOf(project, user, session, settings)),
    userInfo: {
      ...profileOf(user),
      uid: user.uid,
      provider: session.provider,
      ...(openId === undefined ? {} : { openId }),
    },
    providers: providersOf(user, identities),
  }
}

export function profileOf(user: UserRow) {
  return {
    displayName: user.displayName,
    photoUrl: user.photoUrl,
    email: user.email ?? '',
    phone: user.phone ?? '',
    emailVerified: user.emailVerified ? 1 : 0,
    passwordSetted: hasPassword(user) ? 1 : 0,
  }
}

const hookFacts = (called: Called, provider: number, user: Partial<UserRow>) => ({
  projectId: called.caller.projectId,
  provider,
  uid: user.uid ?? null,
  email: user.email ?? null,
  phone: user.phone ?? null,
  displayName: user.displayName ?? '',
})

/** Makes a user by a code for an address, as the person it belongs to wants. */
export async function registerUser(
  called: Called,
  wanted: {
    provider: number
    target: { channel: 'EMAIL' | 'PHONE'; target: string }
    codeId: string
    password: string
  },
) {
  const { project, caller, settings } = called
  const { provider, target, codeId, password } = wanted
  const own = byTarget(target)
  if (password !== '') checkPassword(password, settings.passwordPolicy, [target.target])
  const claims = await askHooks(project, 'BEFORE_CREATE', hookFacts(called, provider, own))
  const passwordHash = password === '' ? null : await hashPassword(password)
  return project.transact(async (inner): Promise<Opened> => {
    await spendCode(inner, codeId)
    const { projectId, teamId } = caller
    const fields = { projectId, teamId, passwordHash, claims, ...own, emailVerified: target.channel === 'EMAIL' }
    const user = await makeUser(inner, fields, settings)
    return openAfterSteps(inner, called, user, provider)
  })
}

/** A session, the ticket for the second step of who has a second factor, or what he must add as one first. */
export type Opened = { user: UserRow } & ({ session: SessionRow } | { ticket: string } | { enrolment: Enrolment })

async function openAfterSteps(ctx: Context, called: Called, user: UserRow, provider: number): Promise<Opened> {
  const { caller, device, settings } = called
  const step = await stepAfterProof(ctx, called, user, provider)
  return step
    ? { user, ...step }
    : { user, session: await openSession(ctx, caller, user, { provider, device, settings }) }
}

/** Signs in whom a credential proved; makes a user of a provider’s person when the app wants that. */
export async function signInBy(called: Called, proven: ProvenCredential, autoCreate: unknown): Promise<Opened> {
  const { project } = called
  const { provider } = proven.method.row
  const { user } = proven
  if (!user && (proven.kind === 'own' || numberIn(autoCreate) === 0)) refuse(errors.userMissing)
  if (user && user.state !== 'ACTIVE') refuse(errors.userDisabled)
  const facts = hookFacts(called, provider, user ?? { displayName: named(proven) })
  const claims = user ? {} : await askHooks(project, 'BEFORE_CREATE', facts)
  await askHooks(project, 'BEFORE_SIGN_IN', facts)
  const newHash = proven.kind === 'own' && proven.isForeign ? await hashPassword(proven.password) : null
  return project.transact(async inner => {
    if (proven.kind === 'own' && proven.codeId !== null) await spendCode(inner, proven.codeId)
    const known = user ?? (await makeOfProvider(inner, called, proven, claims))
    const current =
      newHash === null ? known : await changeUser(inner, known.uid, { passwordHash: newHash, foreignHash: null })
    return openAfterSteps(inner, called, current, provider)
  })
}

const named = (proven: ProvenCredential) => (proven.kind === 'identity' ? proven.identity.displayName : '')

async function makeOfProvider(
  ctx: Context,
  { caller, settings }: Called,
  proven: ProvenCredential,
  claims: Record<string, unknown>,
): Promise<UserRow> {
  if (proven.kind !== 'identity') return refuse(errors.userMissing)
  const { projectId, teamId } = caller
  const { displayName, photoUrl } = proven.identity
  // Never by the address that the provider tells: that may be another user’s here.
  const user = await makeUser(ctx, { projectId, teamId, displayName, photoUrl, claims }, settings)
  await linkIdentity(ctx, user, proven.method.row.provider, proven.identity)
  return user
}

export async function registerAnonymous(called: Called) {
  const { project, caller, settings, device } = called
  const provider = providerNumbers.anonymous
  await takeAnonymous(project, caller.projectId)
  const claims = await askHooks(project, 'BEFORE_CREATE', hookFacts(called, provider, {}))
  return project.transact(async inner => {
    const { projectId, teamId } = caller
    const user = await makeUser(inner, { projectId, teamId, isAnonymous: true, claims }, settings)
    return { user, session: await openSession(inner, caller, user, { provider, device, settings }) }
  })
}
