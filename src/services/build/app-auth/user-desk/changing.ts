import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { errors } from '../contract.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { projectHere, settingsOf } from '../product.ts'
import { safeAddress } from '../providers/openid.ts'
import { claimsFault, mailOf, phoneOf } from '../rules.ts'
import { endSessions, type UserRow } from '../sessions.ts'
import type { appUsers } from '../tables.ts'
import { changeUser, makeUser, userOf } from '../users.ts'
import { toViews } from './queries.ts'

export interface Person {
  displayName?: string
  photoUrl?: string
  email?: string | null
  emailVerified?: boolean
  phone?: string | null
  password?: string
  claims?: Record<string, unknown>
}

type Columns = Partial<typeof appUsers.$inferInsert>

/** The columns that a person’s fields mean; only these, whatever else was sent. */
function columnsOf(sent: Person): Columns {
  const { displayName, photoUrl, email, emailVerified, phone, claims } = sent
  if (photoUrl && safeAddress(photoUrl) !== photoUrl) throw badField('/photoUrl', 'https', 'is an https address')
  const fault = claims && claimsFault(claims)
  if (fault) refuse(errors.claimsWrong, { fault: fault === 'large' ? 'are too large' : 'use a reserved name' })
  const mail = email == null ? email : (mailOf(email) ?? refuse(errors.mailInvalid))
  const number = phone == null ? phone : (phoneOf(phone) ?? refuse(errors.phoneInvalid))
  const all: Columns = {
    displayName: displayName?.replace(/\p{Cc}/gu, ''),
    ...{ photoUrl, emailVerified, claims, email: mail, phone: number },
    // An address that somebody typed here proves nothing.
    ...(mail !== undefined && emailVerified === undefined ? { emailVerified: false } : {}),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Columns
}

async function hashOf(ctx: Context, projectId: string, sent: Person): Promise<string | null> {
  if (sent.password === undefined) return null
  const { passwordPolicy } = await ctx.transact(inner => settingsOf(inner, projectId))
  checkPassword(sent.password, passwordPolicy, [sent.email ?? null, sent.displayName ?? null])
  return hashPassword(sent.password)
}

export async function createUser(ctx: Context, { projectId, ...person }: Person & { projectId: string }) {
  await ctx.transact(inner => projectHere(inner, projectId))
  const columns = columnsOf(person)
  const passwordHash = await hashOf(ctx, projectId, person)
  return ctx.transact(async inner => {
    const { teamId } = await projectHere(inner, projectId)
    const settings = await settingsOf(inner, projectId)
    const isAnonymous = !columns.email && !columns.phone
    const user = await makeUser(inner, { ...columns, projectId, teamId, passwordHash, isAnonymous }, settings)
    inner.audit({ action: 'appUser.create', entity: 'appUser', entityId: user.uid, after: { projectId } })
    return viewOf(inner, user)
  })
}

interface Change {
  projectId: string
  uid: string
  person: Person & { disabled?: boolean }
  revision?: number
  revokeTokens?: boolean
}

export async function updateUser(ctx: Context, { projectId, uid, person, revision, revokeTokens = false }: Change) {
  await ctx.transact(async inner => {
    await projectHere(inner, projectId)
    await userOf(inner, projectId, uid)
  })
  const columns = columnsOf(person)
  const passwordHash = await hashOf(ctx, projectId, person)
  return ctx.transact(async inner => {
    await inner.transaction(inner.zone).query('SELECT 1 FROM app_users WHERE uid = $1 FOR UPDATE', [uid])
    const before = await userOf(inner, projectId, uid)
    if (revision !== undefined && before.revision !== revision)
      refuse(commonErrors.stale, { revision: before.revision })
    const { disabled } = person
    const user = await changeUser(inner, uid, {
      ...columns,
      ...(disabled === undefined ? {} : { state: disabled ? 'DISABLED' : 'ACTIVE' }),
      ...(passwordHash === null ? {} : { passwordHash, foreignHash: null }),
      ...(columns.email || columns.phone ? { isAnonymous: false } : {}),
    })
    if (disabled) await endSessions(inner, { uids: [uid] }, 'DISABLED')
    else if (passwordHash !== null) await endSessions(inner, { uids: [uid] }, 'PASSWORD')
    else if (revokeTokens) await endSessions(inner, { uids: [uid] }, 'REVOKED')
    // Names and addresses of users stand in no audit: they would outlive the user.
    const after = { projectId, fields: Object.keys(person), revokeTokens }
    inner.audit({ action: 'appUser.update', entity: 'appUser', entityId: uid, after })
    return viewOf(inner, user)
  })
}

async function viewOf(ctx: Context, user: UserRow) {
  const [view] = await toViews(ctx, [user])
  return view ?? refuse(commonErrors.internal)
}
