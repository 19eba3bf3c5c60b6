import { and, asc, eq, ne, or } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { accountStatus } from './rules.ts'
import { accounts, identityProviders, linkedIdentities } from './tables.home.ts'

/** Nobody has an account yet. */
export async function isEmptyInstallation(ctx: Context): Promise<boolean> {
  const isSomebodys = or(ne(accounts.status, accountStatus.frozen), ne(accounts.passwordHash, ''))
  const [one] = await ctx.home.select({ accountId: accounts.accountId }).from(accounts).where(isSomebodys).limit(1)
  return one === undefined
}

/** What the sign-in page shows of the providers. */
export async function identityProvidersFor(ctx: Context): Promise<{ providerId: string; name: string }[]> {
  return ctx.home
    .select({ providerId: identityProviders.providerId, name: identityProviders.name })
    .from(identityProviders)
    .where(eq(identityProviders.isEnabled, true))
    .orderBy(asc(identityProviders.name))
    .limit(20)
}

/** The providers an account can sign in at. */
export async function linkedProvidersOf(
  ctx: Context,
  accountId: string,
): Promise<{ providerId: string; name: string }[]> {
  return ctx.home
    .select({ providerId: identityProviders.providerId, name: identityProviders.name })
    .from(linkedIdentities)
    .innerJoin(identityProviders, eq(identityProviders.providerId, linkedIdentities.providerId))
    .where(and(eq(linkedIdentities.accountId, accountId), eq(identityProviders.isEnabled, true)))
    .orderBy(asc(identityProviders.name))
}
