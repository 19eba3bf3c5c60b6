import { and, eq, isNull } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { scopeWithin } from '../teams/scopes/public.ts'
import { tellClient } from './client-cache.ts'
import { errors } from './contract.ts'
import { type GrantRow, grantableHere, liveGrantOf } from './queries.ts'
import { clientGrants, type GrantScope } from './tables.home.ts'

interface ScopeSent {
  all?: boolean
  projects?: string[]
  apps?: string[]
}

/** Refuses permissions that the caller lacks, or that no program may have. */
export function checkGrantable(ctx: Context, permissions: readonly string[]): void {
  const own = new Set(grantableHere(ctx))
  const lacked = permissions.filter(one => !own.has(one))
  if (lacked.length > 0) refuse(errors.aboveRights, { lacked })
}

/**
 * Whoever gets hold of what a client proves itself with acts with its rights: refuses who does not hold all of them.
 * Rights that other teams gave are theirs to judge.
 */
export async function checkHolds(ctx: Context, client: { clientId: string; teamId: string }): Promise<void> {
  const now = await liveGrantOf(ctx, client.clientId, client.teamId)
  checkGrantable(ctx, now?.permissions ?? [])
}

/** A scope as it was sent; the caller's own where none was. */
export async function grantScope(ctx: Context, sent: ScopeSent | undefined): Promise<GrantScope> {
  const { memberScope } = ctx
  const own =
    memberScope === 'all' ? { all: true } : { projects: [...memberScope.projects], apps: [...memberScope.apps] }
  const { scope, projectOfApp } = await scopeWithin(ctx, sent ?? own)
  return { given: scope, projectOfApp }
}

/** Gives a client rights in the caller's team, in the caller's name: what the team gave it before ends. */
export async function grant(
  ctx: Context,
  client: { clientId: string; name: string; teamId: string },
  given: { permissions: readonly string[]; scope: GrantScope; requestId?: string },
): Promise<GrantRow> {
  await endGrantOf(ctx, client.clientId)
  const [row] = await ctx.home
    .insert(clientGrants)
    .values({
      grantId: ctx.newId(),
      teamId: ctx.teamId,
      clientId: client.clientId,
      clientTeamId: client.teamId,
      clientName: client.name,
      permissions: [...given.permissions].sort(),
      scope: given.scope,
      grantedBy: ctx.accountId,
      grantedAt: ctx.now(),
      requestId: given.requestId ?? null,
    })
    .returning()
  if (!row) throw new Error('no grant was made')
  const after = { permissions: row.permissions, scope: row.scope.given, clientTeamId: client.teamId }
  ctx.audit({ action: 'apiClient.grant', entity: 'apiClient', entityId: client.clientId, after }, 'home')
  tellClient(ctx, client.clientId)
  return row
}

/** Ends what the caller's team grants a client. */
export async function endGrantOf(ctx: Context, clientId: string): Promise<void> {
  await ctx.home
    .update(clientGrants)
    .set({ endedAt: ctx.now(), endedBy: ctx.caller.accountId })
    .where(and(eq(clientGrants.clientId, clientId), eq(clientGrants.teamId, ctx.teamId), isNull(clientGrants.endedAt)))
  tellClient(ctx, clientId)
}
