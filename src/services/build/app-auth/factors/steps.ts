import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { forgiveAttempt, takeAttempt } from '../attempts.ts'
import type { KnownCaller } from '../caller.ts'
import { errors } from '../contract.ts'
import { assertRecent } from '../device/account.ts'
import { textIn } from '../device/credential.ts'
import type { Called, SignedIn } from '../device/wire.ts'
import { openSession, type SessionRow, type UserRow } from '../sessions.ts'
import { userOf } from '../users.ts'
import { enrolmentOf } from './first-proof.ts'
import { spendTicket, tryTicket } from './tickets.ts'
import { dropFactors, keepTotp, recoveryCodesLeft, spendFactor, totpOf } from './totp.ts'

/**
 * The second step: a ticket of the first one and a code. Opens the session that the first proof was for. Where a factor
 * had to be added, its first code adds it, and the recovery codes are told, once.
 */
export async function finishSignIn(
  called: Called,
  sent: { ticket: unknown; code: unknown },
): Promise<{ user: UserRow; session: SessionRow; recoveryCodes: string[] | null }> {
  const { project, caller, settings, device } = called
  const ticket = await project.transact(inner => tryTicket(inner, caller, ['SIGN_IN', 'ENROL'], textIn(sent.ticket)))
  if (!ticket) refuse(errors.ticketOver)
  const { uid, provider } = ticket
  const attempt = { projectId: caller.projectId, subject: `factor ${uid}`, isKnownPlace: false }
  await takeAttempt(project, attempt)
  const opened = await project.transact(async inner => {
    const { sealedSecret } = ticket
    const recoveryCodes = sealedSecret === null ? null : await addTotp(inner, caller, uid, sealedSecret, sent.code)
    if (recoveryCodes === null && !(sealedSecret === null && (await spendFactor(inner, uid, sent.code)))) return null
    if (!(await spendTicket(inner, ticket))) refuse(errors.ticketOver)
    const user = await userOf(inner, caller.projectId, uid)
    if (user.state !== 'ACTIVE') refuse(errors.userDisabled)
    // A reset or a revocation since the first proof takes it back.
    if (user.tokensAfter > ticket.createdAt) refuse(errors.ticketOver)
    await forgiveAttempt(inner, attempt)
    return { user, session: await openSession(inner, caller, user, { provider, device, settings }), recoveryCodes }
  })
  return opened ?? refuse(errors.factorWrong)
}

/** Keeps a factor whose first code is right; null for a wrong one. */
async function addTotp(ctx: Context, { projectId, teamId }: KnownCaller, uid: string, sealed: string, code: unknown) {
  const codes = await keepTotp(ctx, { uid, projectId, teamId }, sealed, textIn(code).replace(/\s/g, ''))
  if (codes) ctx.audit({ action: 'appUser.factor_add', entity: 'appUser', entityId: uid })
  return codes
}

export async function listFactors({ project, uid }: SignedIn) {
  return project.transact(async inner => {
    const totp = await totpOf(inner, uid)
    const factors = totp ? [{ kind: 'TOTP', createTime: String(totp.createdAt) }] : []
    return { factors, recoveryCodesLeft: await recoveryCodesLeft(inner, uid) }
  })
}

export async function startTotp(found: SignedIn) {
  assertRecent(found)
  const { project, caller, uid, settings } = found
  if (settings.mfa === 'OFF') refuse(errors.factorsOff)
  return project.transact(async inner => {
    if (await totpOf(inner, uid)) refuse(errors.hasFactor)
    const user = await userOf(inner, caller.projectId, uid)
    if (user.isAnonymous) refuse(errors.factorsOff)
    return { ...(await enrolmentOf(inner, caller, user, { kind: 'TOTP', provider: 0 })) }
  })
}

export async function confirmTotp({ project, caller, uid }: SignedIn, sent: { ticket: unknown; code: unknown }) {
  const ticket = await project.transact(inner => tryTicket(inner, caller, ['TOTP'], textIn(sent.ticket)))
  if (!ticket?.sealedSecret || ticket.uid !== uid) return refuse(errors.ticketOver)
  const { sealedSecret } = ticket
  const codes = await project.transact(async inner => {
    const kept = await addTotp(inner, caller, uid, sealedSecret, sent.code)
    if (kept && !(await spendTicket(inner, ticket))) refuse(errors.ticketOver)
    return kept
  })
  return { recoveryCodes: codes ?? refuse(errors.factorWrong) }
}

/** A stolen session with a password is not enough to be rid of it. */
export async function removeTotp(found: SignedIn, code: unknown) {
  assertRecent(found)
  const { project, caller, uid, settings } = found
  if (settings.mfa === 'REQUIRED') refuse(errors.factorKept)
  const attempt = { projectId: caller.projectId, subject: `factor ${uid}`, isKnownPlace: false }
  await takeAttempt(project, attempt)
  const isRight = await project.transact(async inner => {
    if (!(await spendFactor(inner, uid, code))) return false
    await dropFactors(inner, uid)
    await forgiveAttempt(inner, attempt)
    inner.audit({ action: 'appUser.factor_remove', entity: 'appUser', entityId: uid })
    return true
  })
  return isRight ? {} : refuse(errors.factorWrong)
}
