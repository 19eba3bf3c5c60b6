import { wholeBasisPoints } from '../../../../kernel/bucketing.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { downloadUrlOf } from '../../../ground/files/public.ts'
import type { Materials } from '../../versions/listing/public.ts'
import type { MaterialTest, Result, TestPage, Variant } from './contract.ts'
import type { Findings } from './numbers.ts'
import { type TestRecord, type VariantRecord, variantsOf } from './rows.ts'
import { testCycle } from './rules.ts'

type TestView = Static<typeof MaterialTest>

/** Tests as the wire has them, with what the caller may do with each. */
export async function toTests(ctx: Context, rows: readonly TestRecord[]): Promise<TestView[]> {
  const variants = await variantsOf(
    ctx,
    rows.map(row => row.testId),
  )
  return rows.map(row =>
    toTest(
      ctx,
      row,
      variants.filter(one => one.testId === row.testId),
    ),
  )
}

export async function toTestAlone(ctx: Context, row: TestRecord): Promise<TestView> {
  return toTest(ctx, row, await variantsOf(ctx, [row.testId]))
}

function toTest(ctx: Context, row: TestRecord, variants: readonly VariantRecord[]): TestView {
  const { mdeBp, baseRateBp, confidencePercent, findings } = row
  return {
    ...row,
    mde: mdeBp / wholeBasisPoints,
    baseRate: baseRateBp / wholeBasisPoints,
    confidence: (confidencePercent / 100) as TestView['confidence'],
    variants: variants.map(({ variantId, name, share }) => ({ variantId, name, share })),
    result: findings && toResult(findings, variants),
    allowedActions: allowedActions(testCycle, row.state, permission => ctx.may(permission)),
  }
}

export function toResult(findings: Findings, variants: readonly VariantRecord[]): Static<typeof Result> {
  const nameOf = (id: string | null) => variants.find(one => one.variantId === id)?.name ?? null
  return { ...findings, arms: findings.arms.map(arm => ({ ...arm, name: nameOf(arm.variantId) })) }
}

export async function toPage(ctx: Context, row: TestRecord): Promise<Static<typeof TestPage>> {
  const variants = await variantsOf(ctx, [row.testId])
  return {
    ...toTest(ctx, row, variants),
    variants: variants.map(one => toVariant(ctx, one)),
    control: row.control.map(one => toMaterials(ctx, one)),
  }
}

export function toVariant(ctx: Context, row: VariantRecord): Static<typeof Variant> {
  const { variantId, name, share, materials } = row
  return { variantId, name, share, materials: materials.map(one => toMaterials(ctx, one)) }
}

function toMaterials(ctx: Context, one: Materials): Static<typeof Variant>['materials'][number] {
  const { icon, screenshots, film } = one
  const picture = <T extends { objectId: string }>(image: T) => ({
    ...image,
    url: downloadUrlOf(ctx, image.objectId, { picture: '1024' }),
  })
  return {
    ...one,
    icon: icon && picture(icon),
    screenshots: screenshots?.map(device => ({ ...device, images: device.images.map(picture) })) ?? null,
    film: film && { ...film, url: downloadUrlOf(ctx, film.objectId) },
  }
}
