import { eq } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { credentialOf } from '../../../server/http/credential.ts'
import { implement, type WireAccess } from '../../../server/implement.ts'
import { type Attempt, forgiveAttempt, takeAttempt } from './attempts.ts'
import { session } from './contract.ts'
import { handOver, takeBack } from './hand-over.ts'
import { deviceOf, knownDeviceOf } from './known-device.ts'
import { maySignInByOwn } from './own-sign-in/rules.ts'
import { isOwnSignInOn } from './own-sign-in/switches.ts'
import { askPasskey, provePasskey } from './passkeys.ts'
import { isHashingBusy, isPassword } from './passwords.ts'
import { identityProvidersFor, isEmptyInstallation, linkedProvidersOf } from './queries.ts'
import { authenticatedAt, markRecent } from './recent.ts'
import { renew } from './rotation.ts'
import { loginKeyOf, recentMs } from './rules.ts'
import { factorsOf, spendCode } from './second-factor.ts'
import { type AccountRow, afterFirstFactor, enter, type SignInMethod } from './sign-in.ts'
import { accounts, sessions } from './tables.home.ts'
import { issueTicket, readTicket, setTicketData, spendTicket, tryTicket } from './tickets.ts'
import { readToken } from './tokens.ts'

export default implement(session, {
  signInOptions: async ctx => ({
    maySignUp: ctx.server.config.signUp === 'open',
    needsSetUp: ctx.server.config.firstRun === 'set-up' && (await isEmptyInstallation(ctx)),
    hasDemo: ctx.server.config.demo === 'on',
    providers: await identityProvidersFor(ctx),
  }),

  login: async (ctx, { body }, wire) => {
    refuseWhileBusy()
    const subject = loginKeyOf(body.account)
    const { account, attempt, isOn } = await ctx.transact(async inner => {
      const [found] = await inner.home.select().from(accounts).where(eq(accounts.loginKey, subject))
      const isOn = await isOwnSignInOn(inner, body.shownAs)
      return { account: found, isOn, attempt: await attemptOf(inner, subject, found?.accountId, wire) }
    })
    const { isLast } = await takeAttempt(ctx, attempt)
    const isRight = await isPassword(body.password, account?.passwordHash)
    // Switched off, it says one thing to everybody: neither who is of the staff nor whether a password is right.
    if (!isRight || !account || !maySignInByOwn(isOn, account)) {
      await tellRefused(ctx, account ?? null, isLast)
      refuse(isOn ? session.errors.badCredentials : session.errors.ownSignInOff)
    }
    const next = await afterFirstFactor(ctx, wire, account, 'password', inner => forgiveAttempt(inner, attempt))
    if ('ticket' in next) refuse(session.errors.secondFactorNeeded, next)
    return next.signedIn
  },

  secondFactorOptions: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const ticket = (await readTicket(inner, 'secondFactor', body.ticket)) ?? refuse(session.errors.ticketSpent)
      const { authenticator, passkeys } = await factorsOf(inner, ticket.accountId ?? '')
      const options = { hasAuthenticator: authenticator !== null, hasPasskeys: passkeys.length > 0 }
      if (passkeys.length === 0) return options
      const asked = await askPasskey(inner, passkeys, false)
      await setTicketData(inner, ticket, { challenge: asked.challenge })
      return { ...options, passkey: asked.options }
    }),

  secondFactor: async (ctx, { body }, wire) => {
    const ticket = await ctx.transact(inner => tryTicket(inner, 'secondFactor', body.ticket))
    if (!ticket?.accountId) refuse(session.errors.ticketSpent)
    const { accountId } = ticket
    const subject = `code ${accountId}`
    const attempt = await ctx.transact(inner => attemptOf(inner, subject, accountId, wire))
    const { isLast } = await takeAttempt(ctx, attempt)
    const account = await loadAccount(ctx, accountId)
    const isProven = await ctx.transact(async inner => {
      if (body.code !== undefined) return (await spendCode(inner, accountId, body.code)) !== null
      const challenge = ticket.data['challenge']
      if (body.passkey === undefined || typeof challenge !== 'string') return false
      return (await provePasskey(inner, body.passkey, { challenge, accountId, mustVerify: false })) !== null
    })
    if (!isProven) {
      await tellRefused(ctx, account, isLast)
      refuse(body.passkey === undefined ? session.errors.codeWrong : session.errors.passkeyRefused)
    }
    const method = (ticket.data['method'] as SignInMethod | undefined) ?? 'password'
    return enter(ctx, wire, account, { method, hasSecondFactor: true }, async inner => {
      if (!(await spendTicket(inner, 'secondFactor', body.ticket))) refuse(session.errors.ticketSpent)
      await forgiveAttempt(inner, attempt)
    })
  },

  passkeyOptions: async ctx => {
    const { options, challenge } = await askPasskey(ctx, [], true)
    return { ticket: await issueTicket(ctx, 'passkeySignIn', { data: { challenge } }), passkey: options }
  },

  passkeyLogin: async (ctx, { body }, wire) => {
    const account = await ctx.transact(async inner => {
      const ticket = await spendTicket(inner, 'passkeySignIn', body.ticket)
      const challenge = ticket?.data['challenge']
      if (typeof challenge !== 'string') return 'spent'
      const proven = await provePasskey(inner, body.passkey, { challenge, mustVerify: true })
      if (!proven) return 'refused'
      const [row] = await inner.home.select().from(accounts).where(eq(accounts.accountId, proven.row.accountId))
      if (row && !maySignInByOwn(await isOwnSignInOn(inner, body.shownAs), row)) return 'off'
      return row ?? 'refused'
    })
    if (account === 'off') refuse(session.errors.ownSignInOff)
    if (account === 'spent') refuse(session.errors.ticketSpent)
    if (account === 'refused') refuse(session.errors.passkeyRefused)
    return enter(ctx, wire, account, { method: 'passkey', hasSecondFactor: true })
  },

  recentOptions: async ctx => {
    const { accountId } = ctx
    const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    const { authenticator, passkeys } = await factorsOf(ctx, accountId)
    const leftMs = (await authenticatedAt(ctx)) + recentMs - ctx.now()
    const options = {
      isRecent: leftMs > 0,
      recentForMs: Math.max(leftMs, 0),
      hasPassword: Boolean(account?.passwordHash),
      hasAuthenticator: authenticator !== null,
      hasPasskeys: passkeys.length > 0,
      providers: await linkedProvidersOf(ctx, accountId),
    }
    if (passkeys.length === 0) return options
    const { options: passkey, challenge } = await askPasskey(ctx, passkeys, false)
    return { ...options, passkey, ticket: await issueTicket(ctx, 'passkeyFactor', { accountId, data: { challenge } }) }
  },

  confirm: async (ctx, { body }, wire) => {
    refuseWhileBusy()
    const account = await loadAccount(ctx, ctx.accountId)
    const attempt = await ctx.transact(inner =>
      attemptOf(inner, `confirm ${account.accountId}`, account.accountId, wire),
    )
    const { isLast } = await takeAttempt(ctx, attempt)
    const isRightPassword = body.password !== undefined && (await isPassword(body.password, account.passwordHash))
    const at = await ctx.transact(async inner => {
      const isFactor = isRightPassword ? false : await isFactorProven(inner, account.accountId, body)
      if (!isRightPassword && !isFactor) return null
      await forgiveAttempt(inner, attempt)
      return markRecent(inner, isFactor)
    })
    if (at === null) {
      await tellRefused(ctx, account, isLast)
      if (body.password !== undefined) refuse(session.errors.passwordWrong)
      refuse(body.passkey === undefined ? session.errors.codeWrong : session.errors.passkeyRefused)
    }
    return { authenticatedAt: at }
  },

  refresh: async (ctx, _input, { request, reply }) => {
    const token = readToken(ctx.server.masterKey, credentialOf(request, ctx.server.config) ?? '')
    if (!token) refuse(session.errors.refreshRefused)
    const { renewed, accountStatus } = await ctx.transact(inner => renew(inner, token))
    if (!renewed) throw new Refusal(session.errors.refreshRefused, accountStatus === undefined ? {} : { accountStatus })
    return handOver(ctx, reply, renewed.account, renewed.session)
  },

  logout: async (ctx, _input, { reply }) => {
    const sessionId = ctx.caller.sessionId ?? ''
    await ctx.home.update(sessions).set({ revokedAt: ctx.now() }).where(eq(sessions.sessionId, sessionId))
    ctx.signal('home', 'sessions', sessionId)
    ctx.audit({ action: 'session.logout', entity: 'session', entityId: sessionId }, 'home')
    const data = { accountId: ctx.accountId, sessionId }
    ctx.emit({ type: 'session.signed_out', entity: 'session', entityId: sessionId, data }, 'home')
    takeBack(ctx, reply)
    return {}
  },
})

function refuseWhileBusy(): void {
  if (isHashingBusy()) refuse(commonErrors.unavailable, { retryAfterSeconds: 2 })
}

async function attemptOf(
  ctx: Context,
  subject: string,
  accountId: string | undefined,
  { request }: WireAccess,
): Promise<Attempt> {
  return { subject, knownDeviceId: await knownDeviceOf(ctx, accountId, deviceOf(ctx, request)) }
}

async function loadAccount(ctx: Context, accountId: string): Promise<AccountRow> {
  return ctx.transact(async inner => {
    const [row] = await inner.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    return row ?? refuse(commonErrors.noSession)
  })
}

async function isFactorProven(
  ctx: Context,
  accountId: string,
  body: { code?: string; ticket?: string; passkey?: { id: string } },
): Promise<boolean> {
  if (body.code !== undefined) return (await spendCode(ctx, accountId, body.code)) !== null
  if (body.passkey === undefined || body.ticket === undefined) return false
  const ticket = await spendTicket(ctx, 'passkeyFactor', body.ticket)
  const challenge = ticket?.accountId === accountId ? ticket.data['challenge'] : undefined
  if (typeof challenge !== 'string') return false
  return (await provePasskey(ctx, body.passkey, { challenge, accountId, mustVerify: false })) !== null
}

/** Every refused proof leaves a row; the one after which others must wait is told to the person. */
async function tellRefused(ctx: Context, account: AccountRow | null, isLast: boolean): Promise<void> {
  const accountId = account?.accountId ?? null
  await ctx.transact(async inner => {
    inner.audit(
      { action: 'session.refused', entity: 'account', entityId: accountId ?? 'unknown', after: { isLast } },
      'home',
    )
    if (!isLast || accountId === null) return
    const data = { accountId, ip: ctx.place.ip, at: ctx.now() }
    inner.emit({ type: 'session.locked', entity: 'account', entityId: accountId, data }, 'home')
  })
}
