import { and, desc, eq, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { toUserPermission } from '../../../kernel/permissions.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { menu } from './contract.ts'
import { favoriteHandlers, favoriteRows } from './favorites.ts'
import { type KnownService, readPermissions, serviceOf, servicesFor } from './open-services.ts'
import { scenariosVersion, sensitivePermissions } from './scenarios.data.ts'
import { switchboardOf } from './switches.ts'
import { supportApplications } from './tables.ts'
import { idCursor, tagSetHandlers } from './tag-sets.ts'
import { usageHandlers } from './usage.ts'

/** The feature that is the console itself (specification, section 9). */
const consoleFlag = 'agcGreyFlag'

export default implement(menu, {
  ...favoriteHandlers,
  ...usageHandlers,
  ...tagSetHandlers,

  getServiceCatalog: async (ctx, { query }) => {
    const starred = new Set((await favoriteRows(ctx)).map(row => row.serviceId))
    const words = fold(query.search ?? '').split(' ')
    const matching = (await servicesFor(ctx)).filter(
      one => (!query.category || one.category === query.category) && words.every(word => textOf(one).includes(word)),
    )
    const start = query.cursor === undefined ? 0 : placeAfter(matching, query.cursor)
    const list = matching.slice(start, start + (query.pageSize ?? 20))
    return {
      total: matching.length,
      list: list.map(one => ({ ...one, permission: one.may, isFavorite: starred.has(one.serviceId) })),
      nextCursor: start + list.length < matching.length ? (list.at(-1)?.serviceId ?? null) : null,
    }
  },

  getMenu: async ctx => {
    const open = (await servicesFor(ctx)).filter(one => one.closedBy === null)
    const list = [...Map.groupBy(open, one => one.category)].map(([category, items]) => ({
      category,
      items: items.map(one => ({ ...one, menuId: one.serviceId })).toSorted((one, other) => one.order - other.order),
    }))
    return { list }
  },

  checkGrayFlag: async (ctx, { query }, { reply }) => {
    const feature = query.feature ?? consoleFlag
    const isOn = (await switchboardOf(ctx)).isOn(feature)
    if (feature === consoleFlag) {
      reply.setCookie('x-hd-grey', `${consoleFlag}-${isOn ? 1 : 0}`, { path: '/', sameSite: 'lax' })
    }
    return { feature, isOn, greyFlag: isOn ? 1 : 0 }
  },

  listSupportApplications: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const own = eq(supportApplications.teamId, ctx.teamId)
    const rows = await ctx.db
      .select()
      .from(supportApplications)
      .where(and(own, query.cursor ? lt(supportApplications.applyId, idCursor(query.cursor)) : undefined))
      .orderBy(desc(supportApplications.applyId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(supportApplications, own),
      list,
      nextCursor: rows.length > pageSize ? (list.at(-1)?.applyId ?? null) : null,
    }
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
      .insert(supportApplications)
      .values(row)
      .catch(error => {
        if (isDuplicate(error, 'support_applications_waiting'))
          refuse(menu.errors.alreadyApplied, { serviceId: body.serviceId })
        throw error
      })
    const { applyId, serviceId } = row
    ctx.audit({ action: 'support.apply', entity: 'support application', entityId: applyId, after: { serviceId } })
    ctx.emit({ type: 'support.applied', entity: 'support application', entityId: applyId, data: { serviceId } })
    return row
  },

  listSensitiveScenarios: async (_ctx, { query }) => ({
    version: scenariosVersion,
    list: sensitivePermissions.filter(one => query.permission === undefined || one.permission === query.permission),
  }),

  getDemoUserRole: async ctx => {
    const mayEditMembers = (await switchboardOf(ctx)).isOn('demoMemberEditing')
    const permissions = [...readPermissions, ...(mayEditMembers ? ['teams.members'] : [])]
    return {
      userRoles: ['demo'],
      userPermission: toUserPermission(permissions) as Record<string, 'Y'>,
      isReadOnly: !mayEditMembers,
    }
  },
})

const fold = (text: string) => text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')

function textOf({ serviceId, title, text, keywords }: KnownService): string {
  return fold([serviceId, ...Object.values(title), ...Object.values(text), keywords].join(' '))
}

function placeAfter(list: readonly KnownService[], cursor: string): number {
  const place = list.findIndex(one => one.serviceId === cursor)
  if (place < 0) throw badField('/cursor', 'cursor', 'is not the nextCursor of a page with this search', 'query')
  return place + 1
}
