import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Account } from './account.ts'
import { hashPassword } from './passwords.ts'
import { loginKeyOf } from './rules.ts'
import { SessionKeeper } from './session-keeper.ts'
import { accounts } from './tables.home.ts'
import { csrfTokenOf, teamCsrfTokenOf } from './tokens.ts'

/** What judges session tokens on this process; one a server. */
export function createSessionKeeper(server: Server): SessionKeeper {
  return new SessionKeeper(server)
}

/** The double-submit token of the caller's session, and the team-level one of today (UTC). */
export function csrfTokensOf(ctx: Context, teamId: string | null): { csrfToken: string; teamCsrfToken: string | null } {
  const { masterKey } = ctx.server
  const sessionId = ctx.caller.sessionId ?? ''
  const day = new Date(ctx.now()).toISOString().slice(0, 10)
  return {
    csrfToken: csrfTokenOf(masterKey, sessionId),
    teamCsrfToken: teamId === null ? null : teamCsrfTokenOf(masterKey, sessionId, teamId, day),
  }
}

const columns = {
  accountId: accounts.accountId,
  loginName: accounts.loginName,
  name: accounts.name,
  status: accounts.status,
  staffRoles: accounts.staffRoles,
  homeTeamId: accounts.homeTeamId,
  siteId: accounts.siteId,
}

/** The account of a login name, however it is spelt in case and width, or null. */
export async function findAccount(ctx: Context, loginName: string): Promise<Account | null> {
  const [row] = await ctx.home
    .select(columns)
    .from(accounts)
    .where(eq(accounts.loginKey, loginKeyOf(loginName)))
  return row ?? null
}

/** Accounts by id, in no order. */
export async function accountsOf(ctx: Context, accountIds: readonly string[]): Promise<Account[]> {
  if (accountIds.length === 0) return []
  return ctx.home
    .select(columns)
    .from(accounts)
    .where(inArray(accounts.accountId, [...accountIds]))
}

/** Makes an account. Hashing takes tens of milliseconds: call it outside a transaction where that matters. */
export async function createAccount(
  ctx: Context,
  wanted: { loginName: string; name: string; password: string; siteId: number; staffRoles?: string[] },
): Promise<string> {
  const accountId = ctx.newId()
  await ctx.home.insert(accounts).values({
    accountId,
    loginName: wanted.loginName.trim(),
    loginKey: loginKeyOf(wanted.loginName),
    name: wanted.name,
    passwordHash: await hashPassword(wanted.password),
    staffRoles: wanted.staffRoles ?? [],
    siteId: wanted.siteId,
    createdAt: ctx.now(),
  })
  ctx.audit(
    { action: 'account.create', entity: 'account', entityId: accountId, after: { loginName: wanted.loginName } },
    'home',
  )
  return accountId
}

/** The team the account's next sign-in starts in. */
export async function setHomeTeam(
  ctx: Context,
  accountId: string,
  teamId: string | null,
  siteId: number,
): Promise<void> {
  await ctx.home.update(accounts).set({ homeTeamId: teamId, siteId }).where(eq(accounts.accountId, accountId))
}
