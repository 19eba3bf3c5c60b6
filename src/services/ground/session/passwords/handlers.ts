import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { forgiveAttempt, takeAttempt } from '../attempts.ts'
import { endSessions } from '../ending.ts'
import { deviceOf, knownDeviceOf, rememberDevice, setDeviceCookie } from '../known-device.ts'
import { startMailJob } from '../mail-links.ts'
import { checkPassword, hashPassword, isHashingBusy, isPassword } from '../passwords.ts'
import { assertRecent, markRecent } from '../recent.ts'
import { accounts } from '../tables.home.ts'
import { cancelTickets, readTicket, spendTicket } from '../tickets.ts'
import { passwordCalls } from './contract.ts'

const { errors } = passwordCalls

export default implement(passwordCalls, {
  // Looking the account up is the job's work: this call does the same for every name.
  forgotPassword: async (ctx, { body }) => {
    startMailJob(ctx, 'session.mailReset', { account: body.account })
    return {}
  },

  resetPassword: async (ctx, { body }, { request, reply }) => {
    refuseWhileBusy()
    const account = await ctx.transact(async inner => {
      const ticket = await readTicket(inner, 'reset', body.token)
      return ticket?.accountId ? load(inner, ticket.accountId) : null
    })
    if (!account) refuse(errors.ticketSpent)
    const { accountId, loginName, loginKey } = account
    checkPassword(body.password, [loginName, account.name, account.email])
    const passwordHash = await hashPassword(body.password)
    // Whoever can read the account's mail is no stranger on this device: nobody's failures keep them out.
    const deviceId = await ctx.transact(async inner => {
      if (!(await spendTicket(inner, 'reset', body.token))) refuse(errors.ticketSpent)
      await setPassword(inner, accountId, passwordHash, 'reset')
      await cancelTickets(inner, accountId, ['reset', 'secondFactor', 'email'])
      await endSessions(inner, accountId)
      await forgiveAttempt(inner, { subject: loginKey, knownDeviceId: null })
      return (await rememberDevice(inner, accountId, deviceOf(inner, request))).deviceId
    })
    setDeviceCookie(ctx, reply, deviceId)
    return { loginName }
  },

  changePassword: async (ctx, { body }, { request }) => {
    refuseWhileBusy()
    const account = (await ctx.transact(inner => load(inner, ctx.accountId))) ?? refuse(commonErrors.noSession)
    const { accountId } = account
    if (account.passwordHash === '') {
      await ctx.transact(assertRecent)
    } else {
      const attempt = await ctx.transact(async inner => ({
        subject: `confirm ${accountId}`,
        knownDeviceId: await knownDeviceOf(inner, accountId, deviceOf(inner, request)),
      }))
      await takeAttempt(ctx, attempt)
      if (!(await isPassword(body.current ?? '', account.passwordHash))) refuse(errors.passwordWrong)
      await ctx.transact(inner => forgiveAttempt(inner, attempt))
    }
    checkPassword(body.password, [account.loginName, account.name, account.email])
    const passwordHash = await hashPassword(body.password)
    return ctx.transact(async inner => {
      await setPassword(inner, accountId, passwordHash, 'change')
      await cancelTickets(inner, accountId, ['reset', 'secondFactor'])
      await endSessions(inner, accountId, ctx.caller.sessionId)
      await markRecent(inner, false)
      return { passwordChangedAt: ctx.now() }
    })
  },
})

function refuseWhileBusy(): void {
  if (isHashingBusy()) refuse(commonErrors.unavailable, { retryAfterSeconds: 2 })
}

async function load(ctx: Context, accountId: string) {
  const [row] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
  return row ?? null
}

async function setPassword(ctx: Context, accountId: string, passwordHash: string, how: 'reset' | 'change') {
  await ctx.home
    .update(accounts)
    .set({ passwordHash, passwordChangedAt: ctx.now(), revision: sql`${accounts.revision} + 1` })
    .where(eq(accounts.accountId, accountId))
  ctx.audit({ action: 'account.password', entity: 'account', entityId: accountId, after: { how } }, 'home')
  const data = { accountId, how, ip: ctx.place.ip, at: ctx.now() }
  ctx.emit({ type: 'session.password_changed', entity: 'account', entityId: accountId, data }, 'home')
}
