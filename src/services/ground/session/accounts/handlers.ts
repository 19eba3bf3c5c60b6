import { and, desc, eq, ilike, lt, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { siteOfZone } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { isMailAddress } from '../../../../server/engines/mail/port.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { refuseWhileNeeded, startDeletion, stopDeletion } from '../deletion/asking.ts'
import { endSessions } from '../ending.ts'
import { startMailJob } from '../mail-links.ts'
import { insertAccount } from '../new-account.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { isEmptyInstallation } from '../queries.ts'
import { assertRecent } from '../recent.ts'
import { accountStatus } from '../rules.ts'
import { accounts, sessions } from '../tables.home.ts'
import { readTicket, spendTicket } from '../tickets.ts'
import { accountCalls } from './contract.ts'

const { errors } = accountCalls

export default implement(accountCalls, {
  startSignUp: async (ctx, { body }) => {
    if (ctx.server.config.signUp !== 'open') refuse(errors.signUpClosed)
    startMailJob(ctx, 'session.mailSignUp', { email: checkedAddress(body.email), language: body.language ?? 'en' })
    return {}
  },

  signUp: async (ctx, { body }) => {
    if (ctx.server.config.signUp !== 'open') refuse(errors.signUpClosed)
    const ticket = await ctx.transact(inner => readTicket(inner, 'signUp', body.token))
    const email = ticket?.data['email']
    if (typeof email !== 'string') refuse(errors.ticketSpent)
    checkPassword(body.password, [email, body.name])
    const passwordHash = await hashPassword(body.password)
    await ctx.transact(async inner => {
      if (!(await spendTicket(inner, 'signUp', body.token))) refuse(errors.ticketSpent)
      await insertAccount(inner, {
        loginName: email,
        email,
        name: body.name,
        passwordHash,
        siteId: siteOfZone(ctx.zone),
        language: body.language ?? 'en',
      })
    })
    return { loginName: email }
  },

  setUp: async (ctx, { body }) => {
    checkPassword(body.password, [body.loginName, body.name, body.email])
    if (!(await ctx.transact(inner => readTicket(inner, 'setUp', body.token)))) refuse(errors.ticketSpent)
    const passwordHash = await hashPassword(body.password)
    await ctx.transact(async inner => {
      await inner.transaction('home').query('LOCK TABLE accounts IN EXCLUSIVE MODE')
      if (!(await isEmptyInstallation(inner))) refuse(errors.inUse)
      if (!(await spendTicket(inner, 'setUp', body.token))) refuse(errors.ticketSpent)
      await insertAccount(inner, {
        loginName: body.loginName,
        name: body.name,
        ...(body.email ? { email: checkedAddress(body.email) } : {}),
        passwordHash,
        siteId: siteOfZone(ctx.zone),
        staffRoles: ['storeAdministrator', 'storeOperator'],
      })
    })
    return { loginName: body.loginName }
  },

  getProfile: async ctx => profileOf(ctx),

  updateProfile: async (ctx, { body }) => {
    const before = await profileOf(ctx)
    const [row] = await ctx.home
      .update(accounts)
      .set({
        name: body.name.trim(),
        language: body.language,
        ...(body.phone === undefined ? {} : { phone: body.phone }),
        revision: sql`${accounts.revision} + 1`,
      })
      .where(and(eq(accounts.accountId, ctx.accountId), eq(accounts.revision, body.revision)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    // Names and numbers stay out of the audit, which keeps what it has when an account is erased.
    const changed = (['name', 'phone', 'language'] as const).filter(field => row[field] !== before[field])
    ctx.audit({ action: 'account.update', entity: 'account', entityId: ctx.accountId, after: { changed } }, 'home')
    ctx.signal('home', 'sessions', ctx.accountId)
    return profileOf(ctx)
  },

  startEmail: async (ctx, { body }) => {
    await assertRecent(ctx)
    startMailJob(ctx, 'session.mailProof', { email: checkedAddress(body.email), accountId: ctx.accountId })
    return {}
  },

  confirmEmail: async (ctx, { body }) => {
    const ticket = await spendTicket(ctx, 'email', body.token)
    const email = ticket?.data['email']
    if (!ticket?.accountId || typeof email !== 'string') refuse(errors.ticketSpent)
    const { accountId } = ticket
    const [before] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId)).for('update')
    await ctx.home
      .update(accounts)
      .set({ email, revision: sql`${accounts.revision} + 1` })
      .where(eq(accounts.accountId, accountId))
    ctx.audit({ action: 'account.email', entity: 'account', entityId: accountId }, 'home')
    ctx.emit({ type: 'session.email_changed', entity: 'account', entityId: accountId, data: { accountId } }, 'home')
    const old = before?.email
    if (old && old !== email) startMailJob(ctx, 'session.mailMoved', { email: old, accountId })
    return { email }
  },

  listAccounts: async (ctx, { query }) => {
    const { search, status, cursor, pageSize = 20 } = query
    const filters: SQL[] = []
    if (search) {
      const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
      filters.push(or(ilike(accounts.loginName, like), ilike(accounts.name, like), ilike(accounts.email, like)) as SQL)
    }
    if (status !== undefined) filters.push(eq(accounts.status, status))
    const total = await ctx.home.$count(accounts, and(...filters))
    if (cursor) filters.push(lt(accounts.accountId, cursorOf(cursor)))
    const rows = await ctx.home
      .select()
      .from(accounts)
      .where(and(...filters))
      .orderBy(desc(accounts.accountId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return { total, list, nextCursor: rows.length > pageSize ? (list.at(-1)?.accountId ?? null) : null }
  },

  setAccountStatus: async (ctx, { params, body }) => {
    const { accountId } = params
    if (accountId === ctx.accountId) refuse(errors.ownAccount)
    await assertRecent(ctx)
    if (!(Object.values(accountStatus) as number[]).includes(body.status)) {
      throw badField('/status', 'enum', `must be one of ${Object.values(accountStatus).join(', ')}`)
    }
    const [before] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    if (!before) refuse(commonErrors.notFound, { entity: 'account', id: accountId })
    const isToLeave = body.status === accountStatus.pendingDeletion
    if (isToLeave) await ctx.transact(inner => refuseWhileNeeded(inner, accountId), 'all')
    const [row] = await ctx.home
      .update(accounts)
      .set({ status: body.status, revision: sql`${accounts.revision} + 1` })
      .where(and(eq(accounts.accountId, accountId), eq(accounts.revision, body.revision)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    if (body.status !== accountStatus.normal) await endSessions(ctx, accountId)
    if (isToLeave && before.status !== body.status) await startDeletion(ctx, accountId)
    if (!isToLeave) await stopDeletion(ctx, accountId, 'staff')
    const after = { status: body.status, reason: body.reason ?? null }
    const entry = { action: 'account.status', entity: 'account', entityId: accountId }
    ctx.audit({ ...entry, before: { status: before.status }, after }, 'home')
    const data = { accountId, from: before.status, to: body.status }
    ctx.emit({ type: 'session.status_changed', entity: 'account', entityId: accountId, data }, 'home')
    return row
  },
})

async function profileOf(ctx: Context) {
  const [found] = await ctx.home
    .select({ account: accounts, hasSecondFactor: sessions.hasSecondFactor })
    .from(accounts)
    .leftJoin(sessions, eq(sessions.sessionId, ctx.caller.sessionId ?? ''))
    .where(eq(accounts.accountId, ctx.accountId))
  const { account, hasSecondFactor } = found ?? refuse(commonErrors.noSession)
  const isStaff = account.staffRoles.length > 0
  return {
    ...account,
    hasPassword: account.passwordHash !== '',
    needsSecondFactor: ctx.server.config.staffSecondFactor && isStaff && !hasSecondFactor,
  }
}

function checkedAddress(given: string): string {
  const email = given.normalize('NFKC').trim()
  if (!isMailAddress(email)) throw badField('/email', 'email', 'is no mail address')
  return email
}

function cursorOf(cursor: string): string {
  if (!/^[1-9]\d{0,18}$/.test(cursor)) throw badField('/cursor', 'cursor', 'is not a cursor of this list', 'query')
  return cursor
}
