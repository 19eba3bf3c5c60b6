import { and, eq } from 'drizzle-orm'
import { generateSecret, generateURI } from 'otplib'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { askForNewPasskey, passkeysOf, readNewPasskey } from '../passkeys.ts'
import { assertRecent, markRecent } from '../recent.ts'
import { limits } from '../rules.ts'
import { factorsOf, makeRecoveryCodes, openSecret, sealSecret, stepOfCode } from '../second-factor.ts'
import { accounts, authenticators, passkeys, recoveryCodes } from '../tables.home.ts'
import { issueTicket, spendTicket, tryTicket } from '../tickets.ts'
import { refuseLastWayIn } from '../ways-in.ts'
import { factorCalls } from './contract.ts'

const { errors } = factorCalls

export default implement(factorCalls, {
  getFactors: async ctx => {
    const found = await factorsOf(ctx, ctx.accountId)
    const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, ctx.accountId))
    return { ...found, isRequired: ctx.server.config.staffSecondFactor && (account?.staffRoles.length ?? 0) > 0 }
  },

  startAuthenticator: async ctx => {
    await assertRecent(ctx)
    const { accountId } = ctx
    if ((await factorsOf(ctx, accountId)).authenticator) refuse(errors.hasAuthenticator)
    const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    const secret = generateSecret()
    const uri = generateURI({ issuer: 'Loggia', label: account?.loginName ?? accountId, secret })
    const ticket = await issueTicket(ctx, 'totp', { accountId, data: { secret: sealSecret(ctx, accountId, secret) } })
    return { ticket, secret, uri }
  },

  confirmAuthenticator: async (ctx, { body }) => {
    const { accountId } = ctx
    const ticket = await ctx.transact(inner => tryTicket(inner, 'totp', body.ticket))
    if (ticket?.accountId !== accountId) refuse(errors.ticketSpent)
    const sealed = String(ticket.data['secret'])
    const step = await stepOfCode(ctx, openSecret(ctx, accountId, sealed), body.code.replace(/\s/g, ''))
    if (step === null) refuse(errors.codeWrong)
    return ctx.transact(async inner => {
      if (!(await spendTicket(inner, 'totp', body.ticket))) refuse(errors.ticketSpent)
      const made = await inner.home
        .insert(authenticators)
        .values({ accountId, secret: sealed, lastStep: step, createdAt: ctx.now() })
        .onConflictDoNothing()
        .returning({ accountId: authenticators.accountId })
      if (made.length === 0) refuse(errors.hasAuthenticator)
      const codes = await makeRecoveryCodes(inner, accountId)
      await markRecent(inner, true)
      tellChanged(inner, 'authenticator.add')
      return { recoveryCodes: codes }
    })
  },

  removeAuthenticator: async ctx => {
    await assertRecent(ctx)
    const { accountId } = ctx
    const gone = await ctx.home.delete(authenticators).where(eq(authenticators.accountId, accountId)).returning()
    if (gone.length === 0) refuse(commonErrors.notFound, { entity: 'authenticator', id: accountId })
    await ctx.home.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
    tellChanged(ctx, 'authenticator.remove')
    return {}
  },

  renewRecoveryCodes: async ctx => {
    await assertRecent(ctx)
    const { authenticator } = await factorsOf(ctx, ctx.accountId)
    if (!authenticator) refuse(commonErrors.notFound, { entity: 'authenticator', id: ctx.accountId })
    const codes = await makeRecoveryCodes(ctx, ctx.accountId)
    tellChanged(ctx, 'recoveryCodes.renew')
    return { recoveryCodes: codes }
  },

  startPasskey: async ctx => {
    await assertRecent(ctx)
    const { accountId } = ctx
    const existing = await passkeysOf(ctx, accountId)
    if (existing.length >= limits.passkeysOfAccount) refuse(errors.tooMany, { limit: limits.passkeysOfAccount })
    const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    const { options, challenge } = await askForNewPasskey(ctx, account ?? refuse(commonErrors.noSession), existing)
    return {
      ticket: await issueTicket(ctx, 'passkeyRegistration', { accountId, data: { challenge } }),
      passkey: options,
    }
  },

  addPasskey: async (ctx, { body }) => {
    const { accountId } = ctx
    const ticket = await ctx.transact(inner => spendTicket(inner, 'passkeyRegistration', body.ticket))
    if (ticket?.accountId !== accountId) refuse(errors.ticketSpent)
    const read = await readNewPasskey(ctx, body.passkey, String(ticket.data['challenge']))
    if (!read) refuse(errors.passkeyRefused)
    const row = { ...read, accountId, name: body.name.trim(), createdAt: ctx.now(), lastUsedAt: null }
    await ctx.transact(async inner => {
      await inner.home
        .insert(passkeys)
        .values(row)
        .catch(error => refuse(isDuplicate(error) ? errors.passkeyRefused : commonErrors.internal))
      await markRecent(inner, true)
      tellChanged(inner, 'passkey.add')
    })
    return row
  },

  renamePasskey: async (ctx, { body }) => {
    const [row] = await ctx.home
      .update(passkeys)
      .set({ name: body.name.trim() })
      .where(and(eq(passkeys.credentialId, body.credentialId), eq(passkeys.accountId, ctx.accountId)))
      .returning()
    if (!row) refuse(commonErrors.notFound, { entity: 'passkey', id: body.credentialId })
    ctx.audit({ action: 'passkey.rename', entity: 'account', entityId: ctx.accountId }, 'home')
    return row
  },

  removePasskey: async (ctx, { query }) => {
    await assertRecent(ctx)
    const gone = await ctx.home
      .delete(passkeys)
      .where(and(eq(passkeys.credentialId, query.credentialId), eq(passkeys.accountId, ctx.accountId)))
      .returning()
    if (gone.length === 0) refuse(commonErrors.notFound, { entity: 'passkey', id: query.credentialId })
    await refuseLastWayIn(ctx, ctx.accountId)
    tellChanged(ctx, 'passkey.remove')
    return {}
  },
})

function tellChanged(ctx: Context, action: string): void {
  const { accountId } = ctx
  ctx.audit({ action, entity: 'account', entityId: accountId }, 'home')
  const data = { accountId, change: action, ip: ctx.place.ip, at: ctx.now() }
  ctx.emit({ type: 'session.second_factor_changed', entity: 'account', entityId: accountId, data }, 'home')
}
