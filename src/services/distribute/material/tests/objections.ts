import { and, eq, ne, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { filmFaults } from '../../../../kernel/film.ts'
import type { Context } from '../../../../server/context.ts'
import { objectsOf } from '../../../ground/files/public.ts'
import type { AppRow } from '../../apps/public.ts'
import { nameObjection } from '../../versions/listing/public.ts'
import { publishedOf } from '../../versions/public.ts'
import { materialTests } from '../tables.ts'
import { materialTests as contract } from './contract.ts'
import { differenceOf, objectIdsOf, partsOf, shownOf } from './materials.ts'
import type { Objection, TestRecord, VariantRecord } from './rows.ts'
import { missingOf } from './rules.ts'

const { errors } = contract

export const notLive = (app: AppRow): Objection =>
  app.shelf && app.lifecycle === 'ACTIVE' ? null : () => refuse(errors.notLive, { name: app.name })

/** Another test of the app that runs in one of the languages. */
export async function otherRuns(ctx: Context, test: TestRecord): Promise<Objection> {
  const [other] = await ctx.db
    .select()
    .from(materialTests)
    .where(
      and(
        eq(materialTests.appId, test.appId),
        ne(materialTests.testId, test.testId),
        eq(materialTests.state, 'RUNNING'),
        sql`${materialTests.langs} && ${sql.param([...test.langs])}::text[]`,
      ),
    )
    .limit(1)
  if (!other) return null
  const lang = other.langs.find(one => test.langs.includes(one)) ?? ''
  return () => refuse(errors.otherRuns, { testName: other.name, lang })
}

const waiting: readonly (string | null)[] = ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE']

/** Another version that waits and has something else of what is tested. */
export async function versionWaits(ctx: Context, app: AppRow, test: TestRecord): Promise<Objection> {
  const shown = await shownOf(ctx, app)
  if (!shown || app.openVersionId === null || !waiting.includes(app.openVersionState)) return null
  const next = await publishedOf(ctx, app.openVersionId)
  const difference = differenceOf(test, partsOf(shown.listings, test), partsOf(next.listings, test))
  if (!difference) return null
  const versionName = next.version.versionName ?? next.version.versionId
  return () => refuse(errors.versionWaits, { versionName, ...difference })
}

/** What is still to be done before a review. */
export async function notFilled(ctx: Context, app: AppRow, test: TestRecord, variants: readonly VariantRecord[]) {
  if (variants.length === 0) return () => refuse(errors.noVariants)
  const sum = variants.reduce((all, one) => all + one.share, test.controlShare)
  if (sum !== 100) return () => refuse(errors.sharesMisfit, { sum })
  const shown = await shownOf(ctx, app)
  const langs = shown?.listings.map(one => one.lang) ?? []
  const lang = test.langs.find(one => !langs.includes(one))
  if (lang !== undefined) return () => refuse(errors.noListing, { lang, langs: langs.join(', ') })
  for (const variant of variants) {
    const objection = await notValid(ctx, app, test, variant)
    if (objection) return objection
  }
  return null
}

/** Why a variant's materials cannot be shown, or are not there any more. */
export async function notValid(
  ctx: Context,
  app: AppRow,
  test: TestRecord,
  variant: VariantRecord,
): Promise<Objection> {
  const [missing] = missingOf(test, variant.materials)
  if (missing) return () => refuse(errors.materialMissing, { variant: variant.name, ...missing })
  const ids = [...new Set(objectIdsOf(variant.materials))]
  const there = await objectsOf(ctx, ids)
  const countries = (await shownOf(ctx, app))?.countries ?? []
  for (const one of variant.materials.filter(it => test.langs.includes(it.lang))) {
    const { lang, name, film } = one
    const gone = objectIdsOf([one]).some(objectId => !there.has(objectId))
    if (gone) {
      return () => refuse(errors.materialMissing, { variant: variant.name, lang, element: test.elements.join(', ') })
    }
    if (test.elements.includes('video') && filmFaults(film).some(fault => fault.severity === 'BLOCK')) {
      return () => refuse(errors.filmNotReady, { variant: variant.name, lang, filmState: film?.state ?? '' })
    }
    const reason = test.elements.includes('name') && name ? await nameObjection(ctx, app, name, countries) : null
    if (reason) return () => refuse(errors.nameRefused, { name: name ?? '', lang, reason })
  }
  return null
}
