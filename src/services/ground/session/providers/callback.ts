import { and, eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type ErrorRow, Refusal, refuse } from '../../../../kernel/errors.ts'
import { siteOfZone } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { credentialOf } from '../../../../server/http/credential.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import type { Download, WireAccess } from '../../../../server/implement.ts'
import { insertAccount } from '../new-account.ts'
import { markRecentOf } from '../recent.ts'
import { type AccountRow, afterFirstFactor } from '../sign-in.ts'
import { accounts, identityProviders, linkedIdentities } from '../tables.home.ts'
import { issueTicket, spendTicket, type TicketRow } from '../tickets.ts'
import { readToken } from '../tokens.ts'
import { providerCalls } from './contract.ts'
import { beginAt, finishAt, type ProvenIdentity, type ProviderRow } from './openid.ts'

const { errors } = providerCalls
const cookiePath = '/oauth2/v1/login/provider'
type Intent = 'signIn' | 'link' | 'confirm'

const cookieName = (ctx: Context) =>
  ctx.server.config.publicUrl.startsWith('https:') ? '__Secure-agc_provider' : 'agc_provider'

/** Remembers in the browser and here what is under way, and answers where to send the browser. */
export async function begin(ctx: Context, { reply }: WireAccess, row: ProviderRow, intent: Intent): Promise<string> {
  const { url, ...kept } = await beginAt(ctx, row, intent === 'confirm')
  const sealed = ctx.server.masterKey.seal('provider step', row.providerId, JSON.stringify(kept))
  const secret = await ctx.transact(inner =>
    issueTicket(inner, 'provider', {
      accountId: intent === 'signIn' ? null : inner.accountId,
      data: { providerId: row.providerId, intent, sealed, sessionId: inner.caller.sessionId },
    }),
  )
  const secure = ctx.server.config.publicUrl.startsWith('https:')
  reply.setCookie(cookieName(ctx), secret, { path: cookiePath, httpOnly: true, sameSite: 'lax', secure, maxAge: 600 })
  return url
}

/** The browser is back: finishes what its cookie began, and sends it to the page that goes on. */
export async function answerCallback(ctx: Context, wire: WireAccess): Promise<Download> {
  const { request, reply } = wire
  const secret = cookieOf(request, cookieName(ctx))
  reply.clearCookie(cookieName(ctx), { path: cookiePath })
  let place = '/sign-in'
  try {
    const ticket = secret === undefined ? null : await ctx.transact(inner => spendTicket(inner, 'provider', secret))
    if (!ticket) refuse(errors.ticketSpent)
    if (ticket.data['intent'] !== 'signIn') place = '/security'
    return redirect(ctx, await finish(ctx, wire, ticket))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const keep = error.detail['ticket']
    return redirect(ctx, `${place}?problem=${error.number}${typeof keep === 'string' ? `&keep=${keep}` : ''}`)
  }
}

async function finish(ctx: Context, wire: WireAccess, ticket: TicketRow): Promise<string> {
  const { providerId, intent, sealed, sessionId } = ticket.data as Record<string, string>
  const row = await ctx.transact(async inner => {
    const [found] = await inner.home
      .select()
      .from(identityProviders)
      .where(and(eq(identityProviders.providerId, providerId ?? ''), eq(identityProviders.isEnabled, true)))
    return found
  })
  if (!row || !sealed) refuse(errors.ticketSpent)
  const isProofWanted = intent === 'confirm'
  const kept = JSON.parse(ctx.server.masterKey.open('provider step', row.providerId, sealed))
  const search = /\?.*$/.exec(wire.request.raw.url ?? '')?.[0] ?? ''
  const identity = await finishAt(ctx, row, search, { ...kept, isProofWanted })
  if (!identity) refuse(errors.providerRefused)
  if (intent === 'signIn') return signIn(ctx, wire, row, identity)
  // What a session began only the same session finishes.
  const own = readToken(ctx.server.masterKey, credentialOf(wire.request, ctx.server.config) ?? '')
  if (!ticket.accountId || !own || own.sessionId !== sessionId) refuse(errors.ticketSpent)
  const { accountId } = ticket
  if (intent === 'link') {
    await ctx.transact(inner => link(inner, row, identity, accountId))
    return '/security?done=linked'
  }
  await ctx.transact(async inner => {
    if ((await accountOf(inner, identity))?.accountId !== accountId) refuse(errors.identityUnknown)
    await markRecentOf(inner, own.sessionId)
  })
  return '/security?done=confirmed'
}

async function signIn(ctx: Context, wire: WireAccess, row: ProviderRow, identity: ProvenIdentity): Promise<string> {
  const account = await ctx.transact(async inner => {
    const known = await accountOf(inner, identity)
    if (known) return known
    if (!row.createsAccounts) return null
    return makeAccount(inner, row, identity)
  })
  if (!account) refuse(errors.identityUnknown)
  const next = await afterFirstFactor(ctx, wire, account, 'provider')
  return 'ticket' in next ? `/sign-in?ticket=${next.ticket}` : '/sign-in?done=1'
}

async function accountOf(ctx: Context, identity: ProvenIdentity): Promise<AccountRow | null> {
  const { issuer, subject } = identity
  const [found] = await ctx.home
    .update(linkedIdentities)
    .set({ lastUsedAt: ctx.now() })
    .where(and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject)))
    .returning()
  if (!found) return null
  const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, found.accountId))
  return account ?? null
}

/** A new account is never one that has the same e-mail address: only issuer and subject say who it is. */
async function makeAccount(ctx: Context, row: ProviderRow, identity: ProvenIdentity): Promise<AccountRow> {
  const loginName = `${row.name} ${ctx.newId()}`
  const accountId = await insertAccount(ctx, {
    loginName,
    name: identity.label.slice(0, 64),
    passwordHash: '',
    siteId: siteOfZone(ctx.zone),
  })
  await link(ctx, row, identity, accountId)
  const [account] = await ctx.home.select().from(accounts).where(eq(accounts.accountId, accountId))
  return account ?? refuse(errors.identityUnknown as ErrorRow)
}

async function link(ctx: Context, row: ProviderRow, identity: ProvenIdentity, accountId: string): Promise<void> {
  const values = { ...identity, accountId, providerId: row.providerId, linkedAt: ctx.now(), lastUsedAt: null }
  await ctx.home
    .insert(linkedIdentities)
    .values(values)
    .catch(error => {
      if (isDuplicate(error)) refuse(errors.identityTaken)
      throw error
    })
  ctx.audit(
    { action: 'identity.link', entity: 'account', entityId: accountId, after: { issuer: identity.issuer } },
    'home',
  )
  const data = { accountId, provider: row.name, at: ctx.now() }
  ctx.emit({ type: 'session.identity_linked', entity: 'account', entityId: accountId, data }, 'home')
}

function redirect(ctx: Context, place: string): Download {
  const headers = { location: `${ctx.server.config.publicUrl}/#${place}`, 'cache-control': 'no-store' }
  return { status: 303, headers, body: '' }
}

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const pair = request.headers.cookie?.split(/; */).find(one => one.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
