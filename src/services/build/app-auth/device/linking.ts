import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { callerChannel } from '../caller.ts'
import { spendCode } from '../codes.ts'
import { errors } from '../contract.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { providerNumbers } from '../rules.ts'
import { appUserIdentities, appUserSessions } from '../tables.ts'
import { changeUser, hasPassword, identitiesOf, linkIdentity, userOf, waysIn } from '../users.ts'
import { byTarget, prove, type SentCredential } from './credential.ts'
import { signedInAnswer } from './sign-in.ts'
import type { SignedIn } from './wire.ts'

/** Gives the user one more way in. What is another’s stays another’s, and neither user is changed. */
export async function linkWay(found: SignedIn, body: SentCredential) {
  const { project, caller, settings, uid } = found
  const { projectId } = caller
  const proven = await prove(found, body)
  const { provider } = proven.method.row
  if (proven.user) refuse(errors.alreadyLinked, { what: proven.method.name })
  if (proven.kind === 'identity') {
    const { identity } = proven
    await project.transact(async inner => {
      const user = await userOf(inner, projectId, uid)
      await linkIdentity(inner, user, provider, identity)
      const displayName = user.displayName || identity.displayName
      const photoUrl = user.photoUrl || identity.photoUrl
      await changeUser(inner, uid, { isAnonymous: false, displayName, photoUrl })
    })
    const { openId, displayName, photoUrl } = identity
    return { providerUserInfo: { uid, provider, openId, displayName, photoUrl } }
  }
  const { target, codeId, password } = proven
  // An address is linked by a code for it alone: a password proves nothing about an address that is nobody’s.
  if (codeId === null) refuse(errors.codeWrong)
  const user = await project.transact(inner => userOf(inner, projectId, uid))
  const isTaken = target.channel === 'EMAIL' ? user.email !== null : user.phone !== null
  if (isTaken) refuse(errors.alreadyLinked, { what: proven.method.name })
  const setsPassword = password !== '' && !hasPassword(user)
  if (setsPassword) checkPassword(password, settings.passwordPolicy, [target.target])
  const passwordHash = setsPassword ? await hashPassword(password) : user.passwordHash
  await project.transact(async inner => {
    await spendCode(inner, codeId)
    const own = byTarget(target)
    const verified = 'email' in own ? { emailVerified: true } : {}
    await changeUser(inner, uid, { ...own, ...verified, passwordHash, isAnonymous: false }).catch(linkedElsewhere)
  })
  const { displayName, photoUrl } = user
  return { providerUserInfo: { uid, provider, displayName, photoUrl, ...byTarget(target) } }
}

/** Between the look and the write somebody else took it. */
function linkedElsewhere(error: unknown): never {
  if ((error as { number?: number }).number === errors.userExists[0]) refuse(errors.alreadyLinked, { what: 'address' })
  throw error
}

export async function unlinkWay({ project, caller, uid }: SignedIn, provider: number) {
  await project.transact(async inner => {
    await inner.transaction(inner.zone).query('SELECT 1 FROM app_users WHERE uid = $1 FOR UPDATE', [uid])
    const user = await userOf(inner, caller.projectId, uid)
    const identities = (await identitiesOf(inner, [uid])).get(uid) ?? []
    const isMail = provider === providerNumbers.email && user.email !== null
    const isPhone = provider === providerNumbers.phone && user.phone !== null
    if (!isMail && !isPhone && !identities.some(one => one.provider === provider)) refuse(errors.notLinked)
    if (waysIn(user, identities) < 2) refuse(errors.lastProvider)
    if (isMail || isPhone) {
      const left = isMail ? user.phone : user.email
      await changeUser(inner, uid, {
        ...(isMail ? { email: null, emailVerified: false } : { phone: null }),
        ...(left === null ? { passwordHash: null, foreignHash: null } : {}),
      })
      return
    }
    await inner.db
      .delete(appUserIdentities)
      .where(and(eq(appUserIdentities.uid, uid), eq(appUserIdentities.provider, provider)))
  })
  return {}
}

/** Proves again who the user is; the session counts as fresh for five minutes. */
export async function proveAgain(found: SignedIn, body: SentCredential) {
  const { project, uid, session } = found
  const proven = await prove(found, body)
  const { user } = proven
  if (user?.uid !== uid) refuse(errors.credentialWrong)
  const kept = await project.transact(async inner => {
    if (proven.kind === 'own' && proven.codeId !== null) await spendCode(inner, proven.codeId)
    const [row] = await inner.db
      .update(appUserSessions)
      .set({ authAt: inner.now(), lastUsedAt: inner.now() })
      .where(and(eq(appUserSessions.familyId, session.familyId), sql`${appUserSessions.endedAt} IS NULL`))
      .returning()
    inner.signal(inner.zone, callerChannel, `f ${session.familyId}`)
    return row ?? refuse(errors.credentialWrong)
  })
  return signedInAnswer(found, user, kept)
}
