import { greyCookie } from '../../../kernel/hints.ts'
import { toUserPermission } from '../../../kernel/permissions.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { menu } from './contract.ts'
import { favoriteHandlers, favoriteRows } from './favorites.ts'
import { type KnownService, readPermissions, servicesFor } from './open-services.ts'
import { type Category, categories } from './rules.ts'
import { scenariosVersion, sensitivePermissions } from './scenarios.data.ts'
import { supportHandlers } from './support.ts'
import { switchboardOf } from './switches.ts'
import { tagSetHandlers } from './tag-sets.ts'
import { usageHandlers } from './usage.ts'

/** The feature that is the console itself (specification, section 9). */
const consoleFlag = 'agcGreyFlag'

export default implement(menu, {
  ...favoriteHandlers,
  ...usageHandlers,
  ...tagSetHandlers,
  ...supportHandlers,

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
      list: list.map(one => ({
        ...{ ...one, ...numbered(one.category) },
        ...{ permission: one.may, isFavorite: starred.has(one.serviceId) },
      })),
      nextCursor: start + list.length < matching.length ? (list.at(-1)?.serviceId ?? null) : null,
    }
  },

  getMenu: async ctx => {
    const open = (await servicesFor(ctx)).filter(one => one.closedBy === null)
    const list = [...Map.groupBy(open, one => one.category)].map(([category, items]) => ({
      ...{ category, ...numbered(category) },
      items: items.map(one => ({ ...one, menuId: one.serviceId })).toSorted((one, other) => one.order - other.order),
    }))
    return { list }
  },

  checkGrayFlag: async (ctx, { query }, { reply }) => {
    const feature = query.feature ?? consoleFlag
    const isOn = (await switchboardOf(ctx)).isOn(feature)
    if (feature === consoleFlag) {
      reply.setCookie(greyCookie, `${consoleFlag}-${isOn ? 1 : 0}`, { path: '/', sameSite: 'lax' })
    }
    return { feature, isOn, greyFlag: isOn ? 1 : 0 }
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

const numbered = (category: Category) => ({
  categoryId: categories[category].id,
  labelKey: categories[category].labelKey,
})
