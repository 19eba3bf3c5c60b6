import { and, desc, eq, ilike, inArray, lt, or, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import { isDuplicate } from '../../../server/http/problem.ts'
import type { Handlers } from '../../../server/implement.ts'
import { transition } from '../../../server/life-cycle.ts'
import { teamsFound } from '../teams/public.ts'
import { catalogue } from './catalogue.data.ts'
import { type menu, menuErrors } from './contract.ts'
import { serviceOf } from './open-services.ts'
import type { menuOperations } from './operations/contract.ts'
import { supportCycle } from './rules.ts'
import { supportApplications as rows } from './tables.ts'
import { idCursor } from './tag-sets.ts'

type Row = typeof rows.$inferSelect
type Page = { pageSize?: number | undefined; cursor?: string | undefined }

/** How many teams a word may name before the search looks at the other fields only. */
const teamsOfWord = 100

export const supportHandlers: Pick<Handlers<typeof menu>, 'listSupportApplications' | 'applyForSupport'> = {
  listSupportApplications: async (ctx, { query }) => {
    const own = and(eq(rows.teamId, ctx.teamId), query.state ? eq(rows.state, query.state) : undefined)
    const { list, ...page } = await pageOf(ctx, own, query)
    return { ...page, list: list.map(row => shown(ctx, row)) }
  },

  applyForSupport: async (ctx, { body }) => {
    if (!serviceOf(body.serviceId)) refuse(commonErrors.notFound, { entity: 'service', id: body.serviceId })
    const now = ctx.now()
    const row = {
      applyId: ctx.newId(),
      teamId: ctx.teamId,
      accountId: ctx.accountId,
      ...body,
      state: 'waiting' as const,
      answer: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    }
    await ctx.db
      .insert(rows)
      .values(row)
      .catch(error => {
        const { serviceId } = body
        if (isDuplicate(error, 'support_applications_waiting')) refuse(menuErrors.alreadyApplied, { serviceId })
        throw error
      })
    const { applyId, serviceId } = row
    ctx.audit({ action: 'support.apply', entity: 'support application', entityId: applyId, after: { serviceId } })
    ctx.emit({ type: 'support.applied', entity: 'support application', entityId: applyId, data: { serviceId } })
    return shown(ctx, row)
  },
}

export const answerHandlers: Pick<Handlers<typeof menuOperations>, 'listSupport' | 'answerSupport'> = {
  listSupport: async (ctx, { query }) => {
    const state = query.state ? eq(rows.state, query.state) : undefined
    const search = query.search?.trim()
    const { list, ...page } = await pageOf(ctx, and(state, search ? await saying(ctx, search) : undefined), query)
    const teamIds = [...new Set(list.map(row => row.teamId))]
    const teams = teamIds.length > 0 ? (await teamsFound(ctx, { teamIds, limit: teamIds.length })).list : []
    const nameOf = (teamId: string) => teams.find(team => team.teamId === teamId)?.name ?? null
    return {
      ...page,
      list: list.map(row => ({ ...shown(ctx, row), teamId: row.teamId, teamName: nameOf(row.teamId) })),
    }
  },

  answerSupport: async (ctx, { params, body }) => {
    const is = eq(rows.applyId, params.applyId)
    const [row] = await ctx.db.select().from(rows).where(is)
    if (!row) refuse(commonErrors.notFound, { entity: 'support application', id: params.applyId })
    const { serviceId, accountId, teamId } = row
    await transition(ctx, {
      cycle: supportCycle,
      table: 'support_applications',
      idColumn: 'apply_id',
      row: { id: row.applyId, state: row.state, revision: row.revision },
      action: body.action,
      data: { serviceId, accountId, answer: body.answer },
      teamId,
    })
    const [after] = await ctx.db.update(rows).set({ answer: body.answer }).where(is).returning()
    return shown(ctx, after ?? row)
  },
}

/** What the service is called comes from the catalogue; one that is there no more has its id only. */
function shown(ctx: Context, row: Row) {
  return {
    ...row,
    title: serviceOf(row.serviceId)?.title ?? null,
    allowedActions: allowedActions(supportCycle, row.state, permission => ctx.may(permission)),
  }
}

async function pageOf(ctx: Context, filter: SQL | undefined, { pageSize = 20, cursor }: Page) {
  const found = await ctx.db
    .select()
    .from(rows)
    .where(and(filter, cursor ? lt(rows.applyId, idCursor(cursor)) : undefined))
    .orderBy(desc(rows.applyId))
    .limit(pageSize + 1)
  const list = found.slice(0, pageSize)
  return {
    total: await ctx.db.$count(rows, filter),
    list,
    nextCursor: found.length > pageSize ? (list.at(-1)?.applyId ?? null) : null,
  }
}

/** Applications that say it, come from a team called so, or are about a service called so in any language. */
async function saying(ctx: Context, search: string): Promise<SQL | undefined> {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const teams = await teamsFound(ctx, { search, limit: teamsOfWord })
  const word = search.toLowerCase()
  const services = catalogue.filter(one =>
    [one.serviceId, ...Object.values(one.title)].some(name => name.toLowerCase().includes(word)),
  )
  return or(
    ilike(rows.description, like),
    ilike(rows.contact, like),
    inArray(
      rows.teamId,
      teams.list.map(team => team.teamId),
    ),
    inArray(
      rows.serviceId,
      services.map(one => one.serviceId),
    ),
  )
}
