import { and, eq, gt } from 'drizzle-orm'
import { type ErrorRow, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { readJson } from '../../../../server/http/json-body.ts'
import { type Attempt, forgiveAttempt, takeAttempt } from '../attempts.ts'
import { type CodeTarget, checkCode, codeActions } from '../codes.ts'
import { errors } from '../contract.ts'
import { judgePassword } from '../passwords.ts'
import { type OpenMethod, openMethod, placeOf } from '../product.ts'
import type { ProvenIdentity } from '../providers/proof.ts'
import { proveIdentity } from '../providers/prove.ts'
import { phoneOfCarrier } from '../quick-login.ts'
import { mailOf, phoneOf, providerKinds, providerNumbers } from '../rules.ts'
import type { UserRow } from '../sessions.ts'
import { appUserSessions } from '../tables.ts'
import { hasPassword, userBy, userOfIdentity } from '../users.ts'
import type { Called } from './wire.ts'

const dayMs = 86_400_000
const knownPlaceMs = 90 * dayMs

export interface SentCredential {
  provider?: unknown
  token?: unknown
  extraData?: unknown
}

/** What a credential proved: somebody’s own address or number, or who somebody is elsewhere. */
export type ProvenCredential = { method: OpenMethod; user: UserRow | null } & (
  | { kind: 'own'; target: CodeTarget; codeId: string | null; password: string; isForeign: boolean }
  | { kind: 'identity'; identity: ProvenIdentity }
)

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberIn = (value: unknown): number =>
  Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN)

/** A mail address or a phone number as it was sent. Refuses what is none. */
export function targetOf(provider: number, sent: { email?: unknown; phone?: unknown }): CodeTarget {
  if (provider === providerNumbers.email) {
    const target = mailOf(textIn(sent.email)) ?? refuse(errors.mailInvalid)
    return { channel: 'EMAIL', target }
  }
  return { channel: 'PHONE', target: phoneOf(textIn(sent.phone)) ?? refuse(errors.phoneInvalid) }
}

export const byTarget = ({ channel, target }: CodeTarget) =>
  channel === 'EMAIL' ? { email: target } : { phone: target }

/** Proves a credential of any kind. Has no transaction of its own: hashing and asking others takes its time. */
export async function prove(called: Called, sent: SentCredential): Promise<ProvenCredential> {
  const { project, caller } = called
  const provider = numberIn(sent.provider)
  const method = await project.transact(inner => openMethod(inner, caller.projectId, provider))
  const kind = providerKinds[method.name]
  if (method.name === 'anonymous') refuse(errors.providerOff as ErrorRow, { provider: 'anonymous' })
  if (kind === 'own') return proveOwn(called, method, sent)
  const identity = await proveIdentity(project, method, { token: textIn(sent.token), extra: textIn(sent.extraData) })
  const user = await project.transact(inner => userOfIdentity(inner, caller.projectId, provider, identity))
  return { kind: 'identity', method, user, identity }
}

async function proveOwn(called: Called, method: OpenMethod, sent: SentCredential): Promise<ProvenCredential> {
  const { project, caller } = called
  const { projectId } = caller
  const { password, code, carrier } = extraOf(sent.extraData)
  if (carrier !== '') {
    const phone = await phoneOfCarrier(project, { projectId, carrier, token: textIn(sent.token) })
    const target: CodeTarget = { channel: 'PHONE', target: phone }
    const user = await project.transact(inner => userBy(inner, projectId, { phone }))
    return { kind: 'own', method, target, user, codeId: null, password: '', isForeign: false }
  }
  const target = targetOf(method.row.provider, { email: sent.token, phone: sent.token })
  if (code === '' && password === '') refuse(errors.noPassword)
  if (code !== '') {
    const actions = [codeActions.signIn, codeActions.bind]
    const codeId = await checkCode(project, caller, { ...target, actions, code })
    const user = await project.transact(inner => userBy(inner, projectId, byTarget(target)))
    // Who sends both means both, but for a password that is yet to be set.
    const hasOne = user !== null && hasPassword(user)
    const judged = password !== '' && hasOne ? await judgedPassword(called, target, user, password) : 'right'
    return { kind: 'own', method, target, user, codeId, password, isForeign: judged === 'foreign' }
  }
  const user = await project.transact(inner => userBy(inner, projectId, byTarget(target)))
  const judged = await judgedPassword(called, target, user, password)
  return { kind: 'own', method, target, user, codeId: null, password, isForeign: judged === 'foreign' }
}

/** Judges a password under the limit of tries; whoever is not there takes as long as whoever is. */
async function judgedPassword(
  { project, caller }: Called,
  { target }: CodeTarget,
  user: UserRow | null,
  password: string,
): Promise<'right' | 'foreign'> {
  const { projectId } = caller
  const isKnownPlace = await project.transact(inner => wasHereBefore(inner, user?.uid ?? '0'))
  const attempt: Attempt = { projectId, subject: target, isKnownPlace }
  await takeAttempt(project, attempt)
  const openKey = (sealed: string) =>
    Buffer.from(project.server.masterKey.open('app auth import', projectId, sealed), 'base64')
  const judged = await judgePassword(password, user, openKey)
  if (judged === 'wrong') refuse(errors.credentialWrong)
  await project.transact(inner => forgiveAttempt(inner, attempt))
  return judged
}

async function wasHereBefore(ctx: Context, uid: string): Promise<boolean> {
  const found = await ctx.db
    .select({ familyId: appUserSessions.familyId })
    .from(appUserSessions)
    .where(
      and(
        eq(appUserSessions.uid, uid),
        eq(appUserSessions.place, placeOf(ctx)),
        gt(appUserSessions.createdAt, ctx.now() - knownPlaceMs),
      ),
    )
    .limit(1)
  return found.length > 0
}

function extraOf(extraData: unknown): { password: string; code: string; carrier: string } {
  const nothing = { password: '', code: '', carrier: '' }
  if (typeof extraData !== 'string' || !extraData.startsWith('{')) return nothing
  try {
    const read = readJson(extraData) as Record<string, unknown>
    const { password, verifyCode, quickLogin } = read
    return { password: textIn(password), code: textIn(verifyCode), carrier: textIn(quickLogin) }
  } catch (error) {
    if (error instanceof SyntaxError) return nothing
    throw error
  }
}
