import { eq } from 'drizzle-orm'
import type { Input } from '../../../../kernel/contract.ts'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { AppRow } from '../../apps/public.ts'
import { checkMaterials, exchangeObjects, type Materials } from '../../versions/listing/public.ts'
import { materialTests, materialVariants } from '../tables.ts'
import { materialTests as contract } from './contract.ts'
import { lookAtFilms } from './films.ts'
import { objectIdsOf } from './materials.ts'
import { loadVariant, lockTest, moveTest, type TestRecord, type VariantRecord, variantsOf } from './rows.ts'
import { type Element, evenShares, limits, partOf } from './rules.ts'

const { errors } = contract
type Calls = typeof contract.calls
type Wish = NonNullable<Input<Calls['createVariant']>['body']['materials']>[number]

interface Changed {
  variant: VariantRecord
  test: TestRecord
}

export async function addVariant(ctx: Context, body: Input<Calls['createVariant']>['body']): Promise<Changed> {
  const { app, test: before } = await lockTest(ctx, body.testId)
  const others = await variantsOf(ctx, [before.testId])
  const name = body.name.trim()
  let test = await moveTest(ctx, before, 'edit', { note: { variant: name } })
  if (others.length >= limits.variants) refuse(errors.tooManyVariants, { limit: limits.variants })
  mustBeFree(others, name)
  const materials = await mergedOf(ctx, app, test, [], body.materials ?? [])
  await exchangeObjects(ctx, app, [], objectIdsOf(materials))
  const { testId, teamId, appId } = test
  const at = { createdAt: ctx.now(), updatedAt: ctx.now() }
  const row = { variantId: ctx.newId(), testId, teamId, appId, name, share: body.share ?? 1, materials, ...at }
  await ctx.db.insert(materialVariants).values(row)
  if (body.share === undefined) test = await shareEvenly(ctx, test)
  lookAtFilms(ctx, row.variantId, materials)
  return { test, variant: await loadVariant(ctx, row.variantId) }
}

export async function changeVariant(ctx: Context, body: Input<Calls['updateVariant']>['body']): Promise<Changed> {
  const { testId } = await loadVariant(ctx, body.variantId)
  const { app, test: before } = await lockTest(ctx, testId)
  const variant = await loadVariant(ctx, body.variantId)
  const { variantId } = variant
  const test = await moveTest(ctx, before, 'edit', { note: { variant: variant.name } })
  const name = body.name?.trim() ?? variant.name
  const others = (await variantsOf(ctx, [testId])).filter(one => one.variantId !== variantId)
  mustBeFree(others, name)
  const materials = await mergedOf(ctx, app, test, variant.materials, body.materials ?? [])
  await exchangeObjects(ctx, app, objectIdsOf(variant.materials), objectIdsOf(materials))
  const set = { name, share: body.share ?? variant.share, materials, updatedAt: ctx.now() }
  await ctx.db.update(materialVariants).set(set).where(eq(materialVariants.variantId, variantId))
  lookAtFilms(ctx, variantId, materials)
  return { test, variant: { ...variant, ...set } }
}

export async function removeVariant(ctx: Context, variantId: string): Promise<TestRecord> {
  const { testId } = await loadVariant(ctx, variantId)
  const { app, test: before } = await lockTest(ctx, testId)
  const variant = await loadVariant(ctx, variantId)
  const test = await moveTest(ctx, before, 'edit', { note: { removedVariant: variant.name } })
  await ctx.db.delete(materialVariants).where(eq(materialVariants.variantId, variantId))
  await exchangeObjects(ctx, app, objectIdsOf(variant.materials), [])
  return shareEvenly(ctx, test)
}

function mustBeFree(others: readonly VariantRecord[], name: string): void {
  const isTaken = others.some(one => one.name.toLowerCase() === name.toLowerCase())
  if (isTaken) refuse(errors.variantNameTaken, { name })
}

async function shareEvenly(ctx: Context, test: TestRecord): Promise<TestRecord> {
  const variants = await variantsOf(ctx, [test.testId])
  const [controlShare = 100, ...shares] = evenShares(variants.length + 1)
  for (const [at, { variantId }] of variants.entries()) {
    await ctx.db
      .update(materialVariants)
      .set({ share: shares[at] ?? 1 })
      .where(eq(materialVariants.variantId, variantId))
  }
  const { testId } = test
  const [row] = await ctx.db
    .update(materialTests)
    .set({ controlShare })
    .where(eq(materialTests.testId, testId))
    .returning()
  return row!
}

const fieldOf = {
  name: 'name',
  brief: 'brief',
  icon: 'iconObjectId',
  screenshots: 'screenshots',
  video: 'filmObjectId',
} as const satisfies Record<Element, keyof Wish>

/** What was there with what was sent, checked; by the order of the test's languages. */
async function mergedOf(
  ctx: Context,
  app: AppRow,
  test: TestRecord,
  before: readonly Materials[],
  wishes: readonly Wish[],
): Promise<Materials[]> {
  const all = new Map(before.map(one => [one.lang, one]))
  for (const wish of wishes) {
    mustBeTested(test, wish)
    const known = all.get(wish.lang) ?? {
      lang: wish.lang,
      name: null,
      brief: null,
      icon: null,
      screenshots: null,
      film: null,
    }
    // A file that stays was checked when it came.
    const fresh = { ...wish }
    if (wish.iconObjectId === known.icon?.objectId) delete fresh.iconObjectId
    if (wish.filmObjectId === known.film?.objectId) delete fresh.filmObjectId
    const checked = await checkMaterials(ctx, app, fresh)
    all.set(wish.lang, {
      lang: wish.lang,
      name: wish.name === undefined ? known.name : (wish.name?.trim() ?? null),
      brief: wish.brief === undefined ? known.brief : (wish.brief?.trim() ?? null),
      icon: fresh.iconObjectId === undefined ? known.icon : checked.icon,
      screenshots: wish.screenshots === undefined ? known.screenshots : checked.screenshots,
      film: fresh.filmObjectId === undefined ? known.film : checked.film,
    })
  }
  return test.langs.flatMap(lang => all.get(lang) ?? [])
}

function mustBeTested({ langs, elements }: TestRecord, wish: Wish): void {
  const said = { elements: elements.join(', '), langs: langs.join(', ') }
  if (!langs.includes(wish.lang)) refuse(errors.notInTest, { field: 'lang', value: wish.lang, ...said })
  for (const [element, field] of Object.entries(fieldOf) as [Element, keyof Wish][]) {
    const isSent = wish[field] != null
    if (isSent && !elements.includes(element)) refuse(errors.notInTest, { field, value: partOf[element], ...said })
  }
}
