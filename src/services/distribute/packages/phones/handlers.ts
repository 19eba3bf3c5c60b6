import { and, asc, eq, ilike, or, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import type { Server } from '../../../../server/server.ts'
import { loadPackage, type Scope } from '../queries.ts'
import { deviceModels } from '../tables.home.ts'
import { atomicPhones, phones as contract, lifecyclePhones, phoneDesk } from './contract.ts'
import { builtInModels } from './models.data.ts'
import { misfitOf, type PackageNeeds } from './rules.ts'

const filled = new WeakSet<Server>()

/** The models we know are rows like any other; those that somebody corrected stay as they are. */
async function fillCatalogue(ctx: Context): Promise<void> {
  if (filled.has(ctx.server)) return
  const updatedAt = ctx.now()
  const rows = builtInModels.map(
    ([model, brand, name, deviceType, os, sdk, abis, width, height, density, ramMegabytes]) => ({
      ...{ model, brand, name, deviceType, os, sdk, abis: abis.split(','), width, height, density, ramMegabytes },
      updatedAt,
    }),
  )
  await ctx.transact(inner => inner.home.insert(deviceModels).values(rows).onConflictDoNothing())
  filled.add(ctx.server)
}

interface Wish {
  search?: string
  brand?: string
  os?: 'ANDROID' | 'HARMONY'
  fits?: 'YES' | 'NO'
  cursor?: string
  pageSize?: number
}

/** The models that match; with what a package needs, which of them take it. */
async function pageOfModels(ctx: Context, wish: Wish, needs: PackageNeeds | null) {
  await fillCatalogue(ctx)
  const { os } = wish
  const like = `%${(wish.search ?? '').replace(/[\\%_]/g, found => `\\${found}`)}%`
  const matching = and(
    os && eq(deviceModels.os, os),
    wish.brand ? eq(deviceModels.brand, wish.brand) : undefined,
    wish.search
      ? or(ilike(deviceModels.model, like), ilike(deviceModels.name, like), ilike(deviceModels.brand, like))
      : undefined,
  )
  const rows = await ctx.home
    .select()
    .from(deviceModels)
    .where(matching)
    .orderBy(asc(deviceModels.brand), asc(deviceModels.model))
    .limit(5000)
  const judged = rows.map(row => {
    const misfit = needs && misfitOf(needs, row)
    return { ...row, fits: needs ? misfit === null : null, misfit }
  })
  const wanted = wish.fits ? judged.filter(one => one.fits === (wish.fits === 'YES')) : judged
  const start = Math.max(0, wanted.findIndex(one => one.model === wish.cursor) + 1)
  const pageSize = wish.pageSize ?? 20
  const list = wanted.slice(start, start + pageSize)
  const brands = await ctx.home
    .selectDistinct({ brand: deviceModels.brand })
    .from(deviceModels)
    .where(os && eq(deviceModels.os, os))
    .orderBy(asc(deviceModels.brand))
  return {
    total: wanted.length,
    list,
    nextCursor: start + pageSize < wanted.length ? (list.at(-1)?.model ?? null) : null,
    brands: brands.map(one => one.brand),
    fitting: needs ? judged.filter(one => one.fits).length : null,
    matching: judged.length,
  }
}

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
  listPhones: async (ctx, { query: { pkgId, ...wish } }) => {
    const needs = pkgId === undefined ? null : await loadPackage(ctx, pkgId, { scope })
    return pageOfModels(ctx, scope === null ? wish : { ...wish, os: 'HARMONY' }, needs)
  },
})

export const desk = implement(phoneDesk, {
  listModels: (ctx, { query }) => pageOfModels(ctx, query, null),

  savePhone: async (ctx, { body }) => {
    const { revision = 0, ...facts } = body
    await fillCatalogue(ctx)
    const set = { ...facts, updatedAt: ctx.now(), revision: sql`${deviceModels.revision} + 1` }
    const [row] = await ctx.home
      .insert(deviceModels)
      .values({ ...facts, updatedAt: ctx.now() })
      .onConflictDoUpdate({ target: deviceModels.model, set, setWhere: eq(deviceModels.revision, revision) })
      .returning()
    if (!row) {
      const [known] = await ctx.home.select().from(deviceModels).where(eq(deviceModels.model, body.model))
      refuse(commonErrors.stale, { revision: known?.revision ?? 1 })
    }
    ctx.audit({ action: 'device.save', entity: 'device', entityId: body.model, after: facts }, 'home')
    return row
  },
})

export default implement(contract, handlersOf(null))
export const ofLifecycle = implement(lifecyclePhones, handlersOf(null))
export const ofAtomicServices = implement(atomicPhones, handlersOf('ATOMIC_SERVICE'))
