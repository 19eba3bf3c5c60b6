import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'
import { apiClientsHandover } from './handover.ts'
import { tokenKeys } from './key-ring.ts'
import { deleteClient } from './making.ts'
import type { ClientRow } from './queries.ts'
import { apiClients, revokedTokens, usedAssertions } from './tables.home.ts'

/** How long a debug credential is shown as run out before its row goes. */
const debugKeptMs = 24 * 3_600_000

export default {
  handover: apiClientsHandover,
  listeners: [
    { name: 'apiClients.erased', on: ['session.account_erased'], run: endOfPerson },
    { name: 'apiClients.teamDeleted', on: ['team.deleted'], run: endOfTeam },
    { name: 'apiClients.appDeleted', on: ['app.deleted'], run: endOfApp },
  ],
  sweeps: [
    { name: 'apiClients.keys', every: '35 * * * * *', database: 'home', run: tokenKeys.turn },
    { name: 'apiClients.over', every: '15 */5 * * * *', database: 'home', run: forgetOver },
  ],
} satisfies Work

async function endAll(ctx: Context, rows: readonly ClientRow[]): Promise<void> {
  for (const row of rows) await deleteClient(ctx, row)
}

/** An account was erased: what acted as this person ends; a team's client waits for somebody to take it over. */
async function endOfPerson(ctx: Context, event: Event): Promise<void> {
  const isOwn = and(eq(apiClients.createdBy, event.entityId), inArray(apiClients.kind, ['user', 'debug']))
  await endAll(ctx, await ctx.home.select().from(apiClients).where(isOwn))
}

async function endOfTeam(ctx: Context, event: Event): Promise<void> {
  await endAll(ctx, await ctx.home.select().from(apiClients).where(eq(apiClients.teamId, event.entityId)))
}

async function endOfApp(ctx: Context, event: Event): Promise<void> {
  await endAll(ctx, await ctx.home.select().from(apiClients).where(eq(apiClients.appId, event.entityId)))
}

/** Forgets what no check asks for any more. */
async function forgetOver(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.home.delete(usedAssertions).where(lt(usedAssertions.expiresAt, now))
  await ctx.home.delete(revokedTokens).where(lt(revokedTokens.expiresAt, now))
  const over = and(eq(apiClients.kind, 'debug'), lt(apiClients.expiresAt, now - debugKeptMs))
  await endAll(ctx, await ctx.home.select().from(apiClients).where(over).limit(500))
}
