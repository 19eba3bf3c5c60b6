import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { zoneOfSite } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { teamNamed } from '../teams/public.ts'
import { tellClient } from './client-cache.ts'
import { errors } from './contract.ts'
import { checkGrantable, checkHolds, grant, grantScope } from './granting.ts'
import { type ClientRow, clientOf, grantableHere, liveGrantOf, toClient } from './queries.ts'
import { type ClientAction, limits } from './rules.ts'
import { addSecret, endFormer, makeSecret, rotateSecret } from './secrets.ts'
import { apiClients, clientGrants, clientKeys, clientSecrets } from './tables.home.ts'

type Kind = 'team' | 'user'

interface Sent {
  name: string
  description?: string
  permissions: string[]
  scope?: { all?: boolean; projects?: string[]; apps?: string[] }
  zones?: ZoneId[]
  lifeDays?: number
}

const limitOf = { team: limits.clientsOfTeam, user: limits.userClientsOfPerson } as const
const dayMs = 86_400_000
const hourMs = 3_600_000

/** Who decides about the whole team's clients reaches the whole team. */
function assertReach(ctx: Context, kind: Kind): void {
  if (kind === 'team') ctx.assertScope({})
}

/** Takes turns in a team, so that nobody makes more than the limit at once. */
export async function lockClients(ctx: Context): Promise<void> {
  await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(112, hashtext($1))', [ctx.teamId])
}

/** Makes a client with its first secret, which is told once. Opens its own transactions. */
export async function createClient(ctx: Context, kind: Kind, sent: Sent) {
  assertReach(ctx, kind)
  checkGrantable(ctx, sent.permissions)
  const { secret, ...made } = await makeSecret(ctx)
  return ctx.transact(async inner => {
    await lockClients(inner)
    const own =
      kind === 'team'
        ? sql`${apiClients.kind} = 'team'`
        : sql`${apiClients.kind} = 'user' AND ${apiClients.createdBy} = ${inner.accountId}`
    const known = await inner.home.$count(apiClients, sql`${apiClients.teamId} = ${inner.teamId} AND ${own}`)
    if (known >= limitOf[kind]) refuse(errors.tooManyClients, { limit: limitOf[kind] })
    const scope = await grantScope(inner, sent.scope)
    const row = await insertClient(inner, {
      kind,
      name: sent.name,
      description: sent.description ?? '',
      zones: sent.zones ?? [await homeZone(inner)],
      expiresAt: sent.lifeDays === undefined ? null : inner.now() + sent.lifeDays * dayMs,
    })
    await grant(inner, row, { permissions: sent.permissions, scope })
    await addSecret(inner, { clientId: row.clientId, teamId: row.teamId }, made)
    return { client: await toClient(inner, row), clientSecret: secret }
  })
}

/** Adds the row of a client and tells of it. */
export async function insertClient(
  ctx: Context,
  wanted: Pick<ClientRow, 'kind' | 'name' | 'zones'> & Partial<ClientRow>,
): Promise<ClientRow> {
  const now = ctx.now()
  const [row] = await ctx.home
    .insert(apiClients)
    .values({
      ...wanted,
      clientId: ctx.newId(),
      teamId: ctx.teamId,
      state: 'ACTIVE',
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!row) throw new Error('no client was made')
  const after = { kind: row.kind, name: row.name, zones: row.zones, expiresAt: row.expiresAt }
  ctx.audit({ action: 'apiClient.create', entity: 'apiClient', entityId: row.clientId, after }, 'home')
  return row
}

/** The zone where the team's data stays. */
export async function homeZone(ctx: Context): Promise<ZoneId> {
  const team = await teamNamed(ctx, ctx.teamId)
  return zoneOfSite(team?.siteId ?? 1)
}

type Change = Partial<Omit<Sent, 'lifeDays'>> & {
  clientId: string
  revision: number
  action?: ClientAction
  overlapHours?: number
}

/** Changes a client of the revision that was read. Opens its own transactions. */
export async function changeClient(ctx: Context, kind: Kind, sent: Change) {
  assertReach(ctx, kind)
  const made = sent.action === 'rotate' ? await makeSecret(ctx) : null
  return ctx.transact(async inner => {
    const before = await clientOf(inner, kind, sent.clientId, 'update')
    if (before.revision !== sent.revision) refuse(commonErrors.stale, { revision: before.revision })
    await changeRights(inner, before, sent)
    if (made) await checkHolds(inner, before)
    const overlapMs = (sent.overlapHours ?? 24) * hourMs
    if (made) await rotateSecret(inner, { clientId: before.clientId, teamId: before.teamId }, made, overlapMs)
    if (sent.action === 'endFormer') await endFormer(inner, before.clientId)
    const { name = before.name, description = before.description, zones = before.zones } = sent
    const row = await updateRow(inner, before, {
      ...{ name, description, zones },
      ...(sent.action === 'enable' ? { state: 'ACTIVE' as const } : {}),
      ...(sent.action === 'disable' ? { state: 'DISABLED' as const } : {}),
      ...(made && overlapMs === 0 ? { tokensAfter: inner.newId() } : {}),
    })
    const after = { name, zones, state: row.state, ...(made ? { overlapHours: overlapMs / hourMs } : {}) }
    const action = `apiClient.${sent.action ?? 'update'}`
    inner.audit({ action, entity: 'apiClient', entityId: row.clientId, before: { state: before.state }, after }, 'home')
    return { client: await toClient(inner, row), clientSecret: made?.secret ?? null }
  })
}

/** Writes columns of a client that was locked, counts its revision and tells every process. */
export async function updateRow(ctx: Context, before: ClientRow, change: Partial<ClientRow>): Promise<ClientRow> {
  const [row] = await ctx.home
    .update(apiClients)
    .set({ ...change, updatedAt: ctx.now(), revision: before.revision + 1 })
    .where(eq(apiClients.clientId, before.clientId))
    .returning()
  if (!row) throw new Error('no client came back')
  tellClient(ctx, row.clientId)
  return row
}

/** Whoever changes rights, or takes a client over, grants them anew and answers for them. */
async function changeRights(ctx: Context, client: ClientRow, sent: Change): Promise<void> {
  const { action, permissions, scope } = sent
  if (action !== 'takeOver' && !permissions && !scope) return
  const now = await liveGrantOf(ctx, client.clientId, ctx.teamId)
  const own = new Set(grantableHere(ctx))
  const kept = (now?.permissions ?? []).filter(one => own.has(one))
  if (permissions) checkGrantable(ctx, permissions)
  if (action === 'takeOver' && !permissions && kept.length === 0)
    throw badField('/action', 'takeOver', 'you hold none of the rights of this client; choose some')
  await grant(ctx, client, {
    permissions: permissions ?? kept,
    scope: scope || !now ? await grantScope(ctx, scope) : now.scope,
  })
}

/** Deletes a client with what it proves itself with; what it was granted ends and stays as a record. */
export async function deleteClient(ctx: Context, client: ClientRow): Promise<void> {
  const { clientId } = client
  await ctx.transact(async inner => {
    await inner.home
      .update(clientGrants)
      .set({ endedAt: inner.now(), endedBy: ctx.caller.accountId })
      .where(sql`${clientGrants.clientId} = ${clientId} AND ${clientGrants.endedAt} IS NULL`)
    for (const table of [clientSecrets, clientKeys, apiClients])
      await inner.home.delete(table).where(eq(table.clientId, clientId))
    const before = { kind: client.kind, name: client.name }
    inner.audit(
      { action: 'apiClient.delete', entity: 'apiClient', entityId: clientId, teamId: client.teamId, before },
      'home',
    )
    tellClient(inner, clientId)
  }, 'all')
}

/** What the delete calls do. */
export async function removeClient(ctx: Context, kind: Kind, clientId: string) {
  assertReach(ctx, kind)
  await deleteClient(ctx, await clientOf(ctx, kind, clientId))
  return {}
}
