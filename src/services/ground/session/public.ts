import { eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import type { Server } from '../../../server/server.ts'
import type { Account } from './account.ts'
import { insertAccount } from './new-account.ts'
import { hashPassword } from './passwords.ts'
import { assertRecent } from './recent.ts'
import { accountStatus, addressIn, loginKeyOf } from './rules.ts'
import { SessionKeeper } from './session-keeper.ts'
import { makeSetUpLink } from './set-up.ts'
import { accounts } from './tables.home.ts'
import { connectTeams, type TeamDoors } from './team-doors.ts'
import { csrfTokenOf, teamCsrfTokenOf } from './tokens.ts'

/** What judges session tokens on this process; one a server. `doors` is what accounts must know of teams. */
export function createSessionKeeper(server: Server, doors: TeamDoors): SessionKeeper {
  connectTeams(server, doors)
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
  return accountsById(ctx.transaction('home'), { accountIds })
}

const accountsById = planned(db =>
  db
    .select(columns)
    .from(accounts)
    .where(sql`${accounts.accountId} = ANY(${sql.placeholder('accountIds')})`),
)

/** Where somebody is reached. `email` is one that was proven, or a login name that is an address; null where none is known. */
export interface AccountContact {
  accountId: string
  email: string | null
  phone: string | null
  name: string
  language: 'zh' | 'en' | 'ru'
}

/** How the accounts are reached, in no order; unknown ids and erased accounts are left out. */
export async function accountContacts(ctx: Context, accountIds: readonly string[]): Promise<AccountContact[]> {
  if (accountIds.length === 0) return []
  const rows = await ctx.home
    .select({
      accountId: accounts.accountId,
      loginName: accounts.loginName,
      email: accounts.email,
      phone: accounts.phone,
      name: accounts.name,
      language: accounts.language,
    })
    .from(accounts)
    .where(inArray(accounts.accountId, [...accountIds]))
  return rows.map(({ loginName, ...row }) => ({ ...row, email: row.email ?? addressIn(loginName) }))
}

/**
 * Makes an account. Hashing takes tens of milliseconds: call it outside a transaction where that matters. Without a
 * password it is frozen: it stands for somebody and nobody signs in as it.
 */
export async function createAccount(
  ctx: Context,
  wanted: { loginName: string; name: string; password: string | null; siteId: number; staffRoles?: string[] },
): Promise<string> {
  const { password, ...rest } = wanted
  if (password === null) return insertAccount(ctx, { ...rest, passwordHash: '', status: accountStatus.frozen })
  return insertAccount(ctx, { ...rest, passwordHash: await hashPassword(password) })
}

/**
 * Refuses with 403 (201010004) unless the person of this session proved who they are within the last five minutes. For
 * changes that hand power over or cannot be undone; the console asks and sends the call again by itself. With
 * `withoutFactor` that must have been by two steps; it is called for an account that has no second one.
 */
export async function assertRecentAuthentication(ctx: Context, withoutFactor?: () => never): Promise<void> {
  await assertRecent(ctx, withoutFactor)
}

/**
 * On an empty installation: the link, good for a day and for one use, with which the first administrator is made. Null
 * when somebody has an account. Each call ends the link before.
 */
export async function openSetUp(server: Server): Promise<string | null> {
  return makeSetUpLink(server)
}

/** Changes the name others see of an account, on every process. Refuses 404. */
export async function renameAccount(ctx: Context, accountId: string, name: string): Promise<Account> {
  const [account] = await ctx.home
    .update(accounts)
    .set({ name, revision: sql`${accounts.revision} + 1` })
    .where(eq(accounts.accountId, accountId))
    .returning(columns)
  if (!account) refuse(commonErrors.notFound, { entity: 'account', id: accountId })
  ctx.signal('home', 'sessions', accountId)
  ctx.audit({ action: 'account.rename', entity: 'account', entityId: accountId, after: { changed: ['name'] } }, 'home')
  return account
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
