import { and, asc, count, desc, eq, gt, ilike, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { accountsOf } from '../session/public.ts'
import { rightsIn } from '../teams/scopes/public.ts'
import { allOf, grantableOf } from './rules.ts'
import { apiClients, clientGrants, clientKeys, clientSecrets } from './tables.home.ts'

export type ClientRow = typeof apiClients.$inferSelect
export type GrantRow = typeof clientGrants.$inferSelect
type Kind = ClientRow['kind']

/** Clients of the caller's team of one kind; those of persons are each person's own. */
function ownClients(ctx: Context, kind: Kind): SQL | undefined {
  const isPersonal = kind === 'user' || kind === 'debug'
  return and(
    eq(apiClients.teamId, ctx.teamId),
    eq(apiClients.kind, kind),
    isPersonal ? eq(apiClients.createdBy, ctx.accountId) : undefined,
  )
}

/** One client of the caller's team, or 404. */
export async function clientOf(ctx: Context, kind: Kind, clientId: string, lock?: 'update'): Promise<ClientRow> {
  const found = ctx.home
    .select()
    .from(apiClients)
    .where(and(eq(apiClients.clientId, clientId), ownClients(ctx, kind)))
  const [row] = lock ? await found.for('update') : await found
  return row ?? refuse(commonErrors.notFound, { entity: 'client', id: clientId })
}

/** A client that may have keys: one of the team, or one of the caller's own. */
export async function keyedClientOf(ctx: Context, clientId: string, lock?: 'update'): Promise<ClientRow> {
  const found = ctx.home
    .select()
    .from(apiClients)
    .where(and(eq(apiClients.clientId, clientId), or(ownClients(ctx, 'team'), ownClients(ctx, 'user'))))
  const [row] = lock ? await found.for('update') : await found
  return row ?? refuse(commonErrors.notFound, { entity: 'client', id: clientId })
}

/** What is granted to a client by a team now. */
export async function liveGrantOf(ctx: Context, clientId: string, teamId: string): Promise<GrantRow | undefined> {
  const [row] = await ctx.home
    .select()
    .from(clientGrants)
    .where(and(eq(clientGrants.clientId, clientId), eq(clientGrants.teamId, teamId), isNull(clientGrants.endedAt)))
  return row
}

interface ListWanted {
  search?: string
  state?: ClientRow['state']
  cursor?: string
  pageSize?: number
}

export async function listClients(ctx: Context, kind: Kind, wanted: ListWanted) {
  const { search, state, cursor, pageSize = 20 } = wanted
  const matches = and(
    ownClients(ctx, kind),
    state && eq(apiClients.state, state),
    search?.trim() ? ilike(apiClients.name, `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
  const rows = await ctx.home
    .select()
    .from(apiClients)
    .where(and(matches, isCursor ? gt(apiClients.clientId, cursor) : undefined))
    .orderBy(asc(apiClients.clientId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.home.$count(apiClients, matches),
    list: await toClients(ctx, list),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.clientId ?? null) : null,
  }
}

export async function toClient(ctx: Context, row: ClientRow) {
  const [client] = await toClients(ctx, [row])
  if (!client) throw new Error('no client came back')
  return client
}

/** Clients as pages see them, whatever their number in a fixed number of queries. */
async function toClients(ctx: Context, rows: readonly ClientRow[]) {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.clientId)
  const grants = await ctx.home
    .select()
    .from(clientGrants)
    .where(and(inArray(clientGrants.clientId, ids), eq(clientGrants.teamId, ctx.teamId), isNull(clientGrants.endedAt)))
  const people = [...new Set(grants.map(grant => grant.grantedBy))]
  const names = new Map((await accountsOf(ctx, people)).map(one => [one.accountId, one.name]))
  const rights = await rightsIn(ctx, ctx.teamId, people)
  const secrets = await secretsOf(ctx, ids)
  const keys = await ctx.home
    .select({ clientId: clientKeys.clientId, keys: count() })
    .from(clientKeys)
    .where(inArray(clientKeys.clientId, ids))
    .groupBy(clientKeys.clientId)
  return rows.map(row => {
    const grant = grants.find(one => one.clientId === row.clientId)
    const held = grant && rights.get(grant.grantedBy)?.permissions
    const isOver = row.expiresAt !== null && row.expiresAt <= ctx.now()
    const state = isOver ? ('EXPIRED' as const) : row.state
    const given = grant?.scope.given ?? { projects: [], apps: [] }
    return {
      ...row,
      state,
      permissions: grant?.permissions ?? [],
      permissionsNow: grant && held ? [...allOf(grant.permissions, held)] : [],
      scope: given,
      grantedBy: grant
        ? { accountId: grant.grantedBy, name: names.get(grant.grantedBy) ?? '', isMember: held !== undefined }
        : null,
      secrets: secrets.get(row.clientId) ?? [],
      keys: keys.find(one => one.clientId === row.clientId)?.keys ?? 0,
      allowedActions: actionsOf(ctx, row, grant, (secrets.get(row.clientId) ?? []).length),
    }
  })
}

/** What the caller may do with a client now. */
function actionsOf(ctx: Context, row: ClientRow, grant: GrantRow | undefined, secrets: number): string[] {
  if (!ctx.may(row.kind === 'team' ? 'apiClients.edit' : 'apiClients.own')) return []
  const own = new Set(grantableHere(ctx))
  const isHeld = (grant?.permissions ?? []).every(one => own.has(one))
  const isOther = row.kind === 'team' && grant?.grantedBy !== ctx.accountId
  return [
    'edit',
    row.state === 'ACTIVE' ? 'disable' : 'enable',
    ...(isHeld ? ['rotate'] : []),
    ...(secrets > 1 ? ['endFormer'] : []),
    ...(isOther ? ['takeOver'] : []),
    'delete',
  ]
}

/** The good secrets of some clients, the oldest first. */
export async function secretsOf(ctx: Context, clientIds: readonly string[]) {
  const rows = await ctx.home
    .select()
    .from(clientSecrets)
    .where(inArray(clientSecrets.clientId, [...clientIds]))
    .orderBy(asc(clientSecrets.secretId))
  const live = rows.filter(row => row.expiresAt === null || row.expiresAt > ctx.now())
  return Map.groupBy(live, row => row.clientId)
}

/** Grants by cursor, the newest first. */
export async function listGrants(ctx: Context, matches: SQL | undefined, cursor: string | undefined, pageSize: number) {
  const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
  const rows = await ctx.home
    .select()
    .from(clientGrants)
    .where(and(matches, isCursor ? lt(clientGrants.grantId, cursor) : undefined))
    .orderBy(desc(clientGrants.grantId))
    .limit(pageSize + 1)
  return { rows, total: await ctx.home.$count(clientGrants, matches) }
}

/** What of the caller's rights he may give away. */
export function grantableHere(ctx: Context): string[] {
  return grantableOf(ctx.caller.permissions)
}
