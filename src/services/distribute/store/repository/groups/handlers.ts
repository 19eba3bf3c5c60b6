import { randomBytes } from 'node:crypto'
import { and, count, desc, eq, ilike, lt, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../../kernel/errors.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import type { Context } from '../../../../../server/context.ts'
import { isDuplicate } from '../../../../../server/http/problem.ts'
import { implement } from '../../../../../server/implement.ts'
import { appsOf } from '../../../apps/public.ts'
import { storeRepositories } from '../../tables.home.ts'
import { signingKeyOf } from '../signing-key.ts'
import { storeGroups as contract } from './contract.ts'
import { digestOf, groupAddress } from './group.ts'
import { groupActions, groupLimits } from './rules.ts'

type Row = typeof storeRepositories.$inferSelect
const { errors } = contract

export default implement(contract, {
  listGroups: async (ctx, { query }) => {
    const wanted = and(
      await ofMember(ctx),
      query.state && eq(storeRepositories.state, query.state),
      query.search ? ilike(storeRepositories.name, `%${query.search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
    )
    const size = query.pageSize ?? 20
    const after = /^\d{1,19}$/.test(query.cursor ?? '')
      ? lt(storeRepositories.repositoryId, query.cursor as string)
      : undefined
    const found = await ctx.home
      .select()
      .from(storeRepositories)
      .where(and(wanted, after))
      .orderBy(desc(storeRepositories.repositoryId))
      .limit(size + 1)
    const [counted] = await ctx.home.select({ total: count() }).from(storeRepositories).where(wanted)
    const list = found.slice(0, size)
    const nextCursor = found.length > size ? (list.at(-1)?.repositoryId ?? null) : null
    return { total: counted?.total ?? 0, list: list.map(row => toGroup(ctx, row)), nextCursor }
  },

  createGroup: async (ctx, { body }) => {
    const token = newToken(ctx)
    const row = await ctx.transact(inner => insert(inner, body, token.columns))
    return withAddress(ctx, row, token.secret)
  },

  updateGroup: async (ctx, { body }) => {
    const before = await loadActive(ctx, body.repositoryId)
    await checkApps(ctx, body.appIds)
    const name = body.name.trim()
    const row = await change(ctx, before, body, { name, appIds: body.appIds })
    note(ctx, 'update', row, { name, appIds: body.appIds })
    return toGroup(ctx, row)
  },

  rotateGroupToken: async (ctx, { body }) => {
    const token = newToken(ctx)
    const row = await ctx.transact(async inner => {
      const before = await loadActive(inner, body.repositoryId)
      const changed = await change(inner, before, body, token.columns)
      note(inner, 'rotate', changed, { tokenEnd: changed.tokenEnd })
      return changed
    })
    return withAddress(ctx, row, token.secret)
  },

  revokeGroup: async (ctx, { body }) => {
    const before = await loadActive(ctx, body.repositoryId)
    const row = await change(ctx, before, body, { state: 'REVOKED', revokedAt: ctx.now() })
    note(ctx, 'revoke', row, { state: row.state })
    return toGroup(ctx, row)
  },
})

const ofTeam = (ctx: Context): SQL | undefined =>
  and(eq(storeRepositories.teamId, ctx.teamId), eq(storeRepositories.zone, ctx.zone))

/** Who reaches only some apps sees the groups that share nothing else: their address would give him the rest. */
async function ofMember(ctx: Context): Promise<SQL | undefined> {
  if (ctx.memberScope === 'all') return ofTeam(ctx)
  const { appIds } = storeRepositories
  const shared = await ctx.home
    .selectDistinct({ appId: sql<string>`unnest(${appIds})` })
    .from(storeRepositories)
    .where(ofTeam(ctx))
  const reached = await appsOf(
    ctx,
    shared.map(row => row.appId),
  )
  return and(ofTeam(ctx), sql`${appIds} <@ ${sql.param(reached.map(app => app.appId))}::bigint[]`)
}

async function insert(
  ctx: Context,
  body: { name: string; appIds: string[] },
  token: Pick<Row, 'tokenDigest' | 'tokenEnd' | 'tokenAt'>,
): Promise<Row> {
  await checkApps(ctx, body.appIds)
  const [counted] = await ctx.home
    .select({ active: count() })
    .from(storeRepositories)
    .where(and(ofTeam(ctx), eq(storeRepositories.state, 'ACTIVE')))
  if ((counted?.active ?? 0) >= groupLimits.activeOfTeam) refuse(errors.tooMany, { most: groupLimits.activeOfTeam })
  const now = ctx.now()
  const row: Row = {
    repositoryId: ctx.newId(),
    teamId: ctx.teamId,
    zone: ctx.zone,
    name: body.name.trim(),
    appIds: body.appIds,
    state: 'ACTIVE',
    ...token,
    createdBy: ctx.accountId,
    createdAt: now,
    updatedAt: now,
    revokedAt: null,
    usedAt: null,
    revision: 1,
  }
  await ctx.home.insert(storeRepositories).values(row).catch(orNameTaken(row.name))
  note(ctx, 'create', row, { name: row.name, appIds: row.appIds })
  return row
}

async function loadActive(ctx: Context, repositoryId: string): Promise<Row> {
  const [row] = await ctx.home
    .select()
    .from(storeRepositories)
    .where(and(await ofMember(ctx), eq(storeRepositories.repositoryId, repositoryId)))
  if (!row) refuse(commonErrors.notFound, { entity: 'repository', id: repositoryId })
  if (row.state !== 'ACTIVE') refuse(errors.revoked, { name: row.name })
  return row
}

async function change(ctx: Context, before: Row, sent: { revision: number }, set: Partial<Row>): Promise<Row> {
  const [row] = await ctx.home
    .update(storeRepositories)
    .set({ ...set, updatedAt: ctx.now(), revision: sql`${storeRepositories.revision} + 1` })
    .where(
      and(
        ofTeam(ctx),
        eq(storeRepositories.repositoryId, before.repositoryId),
        eq(storeRepositories.state, 'ACTIVE'),
        eq(storeRepositories.revision, sent.revision),
      ),
    )
    .returning()
    .catch(orNameTaken(set.name ?? before.name))
  return row ?? refuse(commonErrors.stale, { revision: before.revision })
}

/** Every app is the team's own, of this zone. */
async function checkApps(ctx: Context, appIds: readonly string[]): Promise<void> {
  const own = new Set((await appsOf(ctx, appIds)).map(app => app.appId))
  const other = appIds.find(appId => !own.has(appId))
  if (other !== undefined) refuse(commonErrors.notFound, { entity: 'app', id: other })
}

/** 192 random bits. */
function newToken(ctx: Context) {
  const secret = randomBytes(24).toString('base64url')
  const columns = { tokenDigest: digestOf(ctx.server, secret), tokenEnd: secret.slice(-4), tokenAt: ctx.now() }
  return { secret, columns }
}

function orNameTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'store_repositories_name')) refuse(errors.nameTaken, { name })
    throw error
  }
}

function note(ctx: Context, verb: string, row: Row, after: Record<string, unknown>): void {
  ctx.audit({ action: `store.repository.${verb}`, entity: 'repository', entityId: row.repositoryId, after }, 'home')
}

type Group = Static<typeof contract.calls.updateGroup.answer>

function toGroup(ctx: Context, row: Row): Group {
  return { ...row, allowedActions: groupActions(row.state, ctx.may('store.share')) }
}

async function withAddress(ctx: Context, row: Row, secret: string) {
  const { fingerprint } = await signingKeyOf(ctx.server)
  return { ...toGroup(ctx, row), address: groupAddress(ctx.server, secret), fingerprint }
}
