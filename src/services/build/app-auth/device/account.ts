import { refuse } from '../../../../kernel/errors.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type CodeTarget, checkCode, codeActions, spendCode } from '../codes.ts'
import { errors } from '../contract.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { openMethod } from '../product.ts'
import { safeAddress } from '../providers/openid.ts'
import { limits, providerNumbers } from '../rules.ts'
import { endSessions } from '../sessions.ts'
import { changeUser, deleteUsers, userBy, userOf } from '../users.ts'
import { byTarget, numberIn, targetOf, textIn } from './credential.ts'
import { profileOf } from './sign-in.ts'
import type { Called, SignedIn } from './wire.ts'

type Body = Record<string, unknown>

/** What cannot be taken back needs a proof of the last five minutes. */
export function assertRecent({ project, session }: SignedIn): void {
  if (project.now() - session.authAt > limits.recentMs) refuse(errors.proofTooOld)
}

export async function getProfile({ project, caller, uid }: SignedIn) {
  const user = await project.transact(inner => userOf(inner, caller.projectId, uid))
  const { createdAt, lastSignInAt } = user
  return {
    ...profileOf(user),
    uid,
    userMetaData: { createTime: String(createdAt), lastSignInTime: String(lastSignInAt ?? createdAt) },
  }
}

export async function setProfile({ project, uid }: SignedIn, body: Body) {
  const displayName = textIn(body['displayName']).replace(/\p{Cc}/gu, '')
  const photoUrl = textIn(body['photoUrl'])
  if (displayName.length > 100) throw badField('/displayName', 'maxLength', 'has at most 100 characters')
  if (photoUrl !== '' && safeAddress(photoUrl) !== photoUrl) throw badField('/photoUrl', 'url', 'is an https address')
  await project.transact(inner => changeUser(inner, uid, { displayName, photoUrl }))
  return {}
}

export async function deleteOwn(found: SignedIn) {
  assertRecent(found)
  const { project, caller, uid } = found
  await project.transact(async inner => {
    const user = await userOf(inner, caller.projectId, uid)
    await deleteUsers(inner, caller.projectId, [user], true)
    inner.audit({ action: 'appUser.delete_own', entity: 'appUser', entityId: uid })
  })
  return {}
}

export async function setOwnPassword(found: SignedIn, body: Body) {
  assertRecent(found)
  const { project, caller, uid, session, settings } = found
  const user = await project.transact(inner => userOf(inner, caller.projectId, uid))
  const isMail = numberIn(body['provider']) === providerNumbers.email
  const target: CodeTarget = isMail
    ? { channel: 'EMAIL', target: user.email ?? refuse(errors.notLinked) }
    : { channel: 'PHONE', target: user.phone ?? refuse(errors.notLinked) }
  const password = textIn(body['newPassword'])
  checkPassword(password, settings.passwordPolicy, [user.email, user.displayName])
  const actions = [codeActions.reset]
  const codeId = await checkCode(project, caller, { ...target, actions, code: body['verifyCode'] })
  const passwordHash = await hashPassword(password)
  await project.transact(async inner => {
    await spendCode(inner, codeId)
    await changeUser(inner, uid, { passwordHash, foreignHash: null })
    await endSessions(inner, { uids: [uid], but: session.familyId }, 'PASSWORD')
  })
  return {}
}

export async function setOwnTarget(found: SignedIn, body: Body) {
  assertRecent(found)
  const { project, caller, uid } = found
  const provider = textIn(body['newEmail']) === '' ? providerNumbers.phone : providerNumbers.email
  await project.transact(inner => openMethod(inner, caller.projectId, provider))
  const target = targetOf(provider, { email: body['newEmail'], phone: body['newPhone'] })
  const actions = [codeActions.signIn, codeActions.bind]
  const codeId = await checkCode(project, caller, { ...target, actions, code: body['newVerifyCode'] })
  await project.transact(async inner => {
    await spendCode(inner, codeId)
    const own = byTarget(target)
    await changeUser(inner, uid, { ...own, ...('email' in own ? { emailVerified: true } : {}), isAnonymous: false })
  })
  return {}
}

/** Whoever is not there is told what a wrong code is told. */
export async function resetForgotten({ project, caller, settings }: Called, body: Body) {
  const provider = numberIn(body['provider']) === providerNumbers.phone ? providerNumbers.phone : providerNumbers.email
  await project.transact(inner => openMethod(inner, caller.projectId, provider))
  const target = targetOf(provider, { email: body['account'], phone: body['account'] })
  const password = textIn(body['password'])
  checkPassword(password, settings.passwordPolicy, [target.target])
  const actions = [codeActions.reset]
  const codeId = await checkCode(project, caller, { ...target, actions, code: body['verifyCode'] })
  const passwordHash = await hashPassword(password)
  await project.transact(async inner => {
    await spendCode(inner, codeId)
    const user = await userBy(inner, caller.projectId, byTarget(target))
    if (user?.state !== 'ACTIVE') refuse(errors.codeWrong)
    const verified = target.channel === 'EMAIL' ? { emailVerified: true } : {}
    await changeUser(inner, user.uid, { passwordHash, foreignHash: null, ...verified })
    await endSessions(inner, { uids: [user.uid] }, 'PASSWORD')
  })
  return {}
}
