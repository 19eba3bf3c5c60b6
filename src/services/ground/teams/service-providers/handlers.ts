import { and, desc, eq, inArray, lt, ne, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { loadTeam, lockTeam } from '../queries.ts'
import { limits } from '../rules.ts'
import { providerBindings as rows, teamRows } from '../tables.home.ts'
import { serviceProviders as contract, serviceProvidersV2 } from './contract.ts'
import { bindingLifeCycle } from './rules.ts'

const { errors } = contract
type Row = typeof rows.$inferSelect
type Page = { cursor?: string; pageSize?: number }

/** Rows belong to the served team; the provider's side reaches them with the scope of all, and names itself. */
const handlers: Handlers<typeof contract> = {
  listServiceProviders: async (ctx, { query }) =>
    ctx.transact(async inner => {
      const own = query.side === 'provider' ? eq(rows.spId, ctx.teamId) : eq(rows.teamId, ctx.teamId)
      const page = await pageOf(inner, and(own, query.state && eq(rows.state, query.state)), query)
      const names = await teamNames(inner, page.list)
      return { ...page, list: page.list.map(row => toBinding(ctx, row, names)) }
    }, 'all'),

  inviteServiceProvider: async (ctx, { body }) => {
    ctx.assertScope({})
    if (body.spId === ctx.teamId) refuse(errors.ownTeam)
    return ctx.transact(async inner => {
      await lockTeam(inner)
      await loadTeam(inner, body.spId)
      const live = and(eq(rows.teamId, ctx.teamId), ne(rows.state, 'ended'))
      const count = await inner.home.$count(rows, live)
      if (count >= limits.providersOfTeam) refuse(errors.tooManyProviders, { limit: limits.providersOfTeam })
      const now = ctx.now()
      const [row] = await inner.home
        .insert(rows)
        .values({
          bindingId: inner.newId(),
          teamId: ctx.teamId,
          spId: body.spId,
          note: body.note ?? '',
          state: 'invited',
          createdAt: now,
          updatedAt: now,
        })
        .returning()
        .catch(error => {
          if (isDuplicate(error, 'provider_bindings_live')) refuse(errors.alreadyBound, { spId: body.spId })
          throw error
        })
      if (!row) throw new Error('no row came back')
      const said = { entity: 'provider_binding', entityId: row.bindingId }
      inner.audit({ action: 'provider_binding.create', ...said, after: { spId: row.spId } }, 'home')
      const data = { teamId: row.spId, clientTeamId: row.teamId }
      inner.emit({ type: 'team.provider_invited', ...said, data, teamId: row.spId }, 'home')
      return toBinding(ctx, row, await teamNames(inner, [row]))
    }, 'all')
  },

  changeServiceProvider: async (ctx, { body }) => {
    ctx.assertScope({})
    return ctx.transact(async inner => {
      const row = await loadBinding(inner, body.bindingId)
      const may = sideOf(ctx, row)
      const { action } = body
      const move = moveFor(bindingLifeCycle, row.state, action, may)
      if (!move) {
        const allowed = allowedActions(bindingLifeCycle, row.state, may)
        refuse(commonErrors.stateNotAllowed, { state: row.state, allowedActions: allowed })
      }
      if (body.revision !== row.revision) refuse(commonErrors.stale, { revision: row.revision })
      await transition(inner, {
        cycle: bindingLifeCycle,
        table: 'provider_bindings',
        idColumn: 'binding_id',
        row: { id: row.bindingId, state: row.state, revision: row.revision },
        action,
        data: { teamId: row.teamId, spId: row.spId },
        teamId: row.teamId,
        isConsequence: true,
        database: 'home',
      })
      // Whether the team is a provider is remembered with its memberships.
      inner.signal('home', 'teams', `team:${row.spId}`)
      const after = await loadBinding(inner, body.bindingId)
      return toBinding(ctx, after, await teamNames(inner, [after]))
    }, 'all')
  },

  listServedTeams: async (ctx, { query }) =>
    ctx.transact(async inner => {
      const page = await pageOf(inner, and(eq(rows.spId, ctx.teamId), eq(rows.state, 'active')), query)
      const names = await teamNames(inner, page.list)
      return {
        ...page,
        list: page.list.map(({ bindingId, teamId, updatedAt }) => ({
          bindingId,
          teamId,
          teamName: names.get(teamId) ?? '',
          since: updatedAt,
        })),
      }
    }, 'all'),
}

export default implement(contract, handlers)
export const secondGeneration = implement(serviceProvidersV2, handlers)

/** A binding of the caller's team, on either side. Refuses 404. */
async function loadBinding(ctx: Context, bindingId: string): Promise<Row> {
  const [row] = await ctx.home.select().from(rows).where(eq(rows.bindingId, bindingId))
  const isOwn = row && (row.teamId === ctx.teamId || row.spId === ctx.teamId)
  return isOwn ? row : refuse(commonErrors.notFound, { entity: 'binding', id: bindingId })
}

function sideOf(ctx: Context, row: Row) {
  return (right: string) =>
    ctx.may('teams.providers') && (right === 'provider' ? row.spId === ctx.teamId : row.teamId === ctx.teamId)
}

async function pageOf(ctx: Context, matches: SQL | undefined, { cursor, pageSize = 20 }: Page) {
  const found = await ctx.home
    .select()
    .from(rows)
    .where(and(matches, /^[0-9]{1,19}$/.test(cursor ?? '') ? lt(rows.bindingId, cursor ?? '') : undefined))
    .orderBy(desc(rows.bindingId))
    .limit(pageSize + 1)
  const list = found.slice(0, pageSize)
  return {
    total: await ctx.home.$count(rows, matches),
    list,
    nextCursor: found.length > pageSize ? (list.at(-1)?.bindingId ?? null) : null,
  }
}

async function teamNames(ctx: Context, list: readonly Row[]): Promise<Map<string, string>> {
  const ids = [...new Set(list.flatMap(row => [row.teamId, row.spId]))]
  if (ids.length === 0) return new Map()
  const teams = await ctx.home
    .select({ teamId: teamRows.teamId, name: teamRows.name })
    .from(teamRows)
    .where(inArray(teamRows.teamId, ids))
  return new Map(teams.map(one => [one.teamId, one.name]))
}

function toBinding(ctx: Context, row: Row, names: ReadonlyMap<string, string>) {
  const isKnown = row.state === 'active' || row.spId === ctx.teamId
  return {
    ...row,
    teamName: names.get(row.teamId) ?? '',
    spName: isKnown ? (names.get(row.spId) ?? '') : null,
    allowedActions: allowedActions(bindingLifeCycle, row.state, sideOf(ctx, row)),
  }
}
