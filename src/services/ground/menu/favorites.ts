import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { orderKeyBetween } from '../../../kernel/order-key.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import type { Handlers } from '../../../server/implement.ts'
import { type menu, menuErrors } from './contract.ts'
import { serviceOf, servicesFor } from './open-services.ts'
import { limits, orderKeyAfter } from './rules.ts'
import { favorites } from './tables.home.ts'

type FavoriteCalls = 'listFavorites' | 'addFavorite' | 'removeFavorite' | 'orderFavorites'

const rowsOfAccount = planned(db =>
  db
    .select({ serviceId: favorites.serviceId, orderKey: favorites.orderKey, revision: favorites.revision })
    .from(favorites)
    .where(eq(favorites.accountId, sql.placeholder('accountId')))
    .orderBy(sql`order_key COLLATE "C"`, favorites.serviceId),
)

/** The person's favourites in order, of services that are still there. */
export async function favoriteRows(ctx: Context) {
  const rows = await rowsOfAccount(ctx.transaction('home'), { accountId: ctx.accountId })
  return rows.filter(row => serviceOf(row.serviceId) !== undefined)
}

async function listed(ctx: Context) {
  const rows = await favoriteRows(ctx)
  const services = new Map((await servicesFor(ctx)).map(one => [one.serviceId, one]))
  const list = rows.flatMap(row => {
    const service = services.get(row.serviceId)
    return service ? [{ ...row, path: service.path, title: service.title, isOpen: service.closedBy === null }] : []
  })
  return { total: list.length, list }
}

export const favoriteHandlers: Pick<Handlers<typeof menu>, FavoriteCalls> = {
  listFavorites: ctx => listed(ctx),

  addFavorite: async (ctx, { body }) => {
    const { serviceId } = body
    if (!serviceOf(serviceId)) refuse(commonErrors.notFound, { entity: 'service', id: serviceId })
    await takeTurn(ctx)
    const rows = await favoriteRows(ctx)
    if (rows.some(row => row.serviceId === serviceId)) return listed(ctx)
    if (rows.length >= limits.favorites) refuse(menuErrors.tooManyFavorites, { limit: limits.favorites })
    const orderKey = orderKeyBetween(rows.at(-1)?.orderKey ?? null, null)
    await ctx.home.insert(favorites).values({ accountId: ctx.accountId, serviceId, orderKey, createdAt: ctx.now() })
    return listed(ctx)
  },

  removeFavorite: async (ctx, { query }) => {
    await ctx.home.delete(favorites).where(isOwn(ctx, query.serviceId))
    return listed(ctx)
  },

  orderFavorites: async (ctx, { body }) => {
    await takeTurn(ctx)
    const rows = await favoriteRows(ctx)
    for (const serviceId of [body.serviceId, body.after]) {
      if (serviceId !== null && !rows.some(row => row.serviceId === serviceId))
        refuse(commonErrors.notFound, { entity: 'favourite', id: serviceId })
    }
    if (body.serviceId === body.after) return listed(ctx)
    const orderKey = orderKeyAfter(rows, body.serviceId, body.after)
    if (orderKey !== null) {
      await ctx.home
        .update(favorites)
        .set({ orderKey, revision: sql`${favorites.revision} + 1` })
        .where(isOwn(ctx, body.serviceId))
    }
    return listed(ctx)
  },
}

const isOwn = (ctx: Context, serviceId: string) =>
  and(eq(favorites.accountId, ctx.accountId), eq(favorites.serviceId, serviceId))

/** Two writes of one person at once take turns: keys are made from their neighbours. */
async function takeTurn(ctx: Context): Promise<void> {
  await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(106, hashtext($1))', [ctx.accountId])
}
