import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Materials } from '../versions/listing/public.ts'
import { materialTests } from './tables.ts'
import { countSeen as count, type Seen } from './tests/counting.ts'
import { variantsOf } from './tests/rows.ts'
import type { Element } from './tests/rules.ts'

export type { Seen, SeenKind } from './tests/counting.ts'

/** What the store needs to know of a test to show it. */
export interface ServedTest {
  testId: string
  /** False: passed and not started yet, so that its pictures can be made. */
  isRunning: boolean
  elements: Element[]
  langs: string[]
  /** ISO 3166; empty is everywhere. */
  countries: string[]
  trafficPercent: number
  /** In percent, the control first, then the variants. */
  shares: number[]
  variants: { variantId: string; materials: Materials[] }[]
}

/** The tests of an app that run or wait to start. For workers; the caller has checked that the app may be looked at. */
export async function testsToServe(ctx: Context, appId: string): Promise<ServedTest[]> {
  const rows = await ctx.db
    .select()
    .from(materialTests)
    .where(and(eq(materialTests.appId, appId), inArray(materialTests.state, ['READY', 'RUNNING'])))
    .orderBy(materialTests.testId)
  const variants = await variantsOf(
    ctx,
    rows.map(row => row.testId),
  )
  return rows.map(({ testId, state, elements, langs, countries, trafficPercent, controlShare }) => {
    const own = variants.filter(one => one.testId === testId)
    return {
      ...{ testId, elements, langs, countries, trafficPercent },
      isRunning: state === 'RUNNING',
      shares: [controlShare, ...own.map(one => one.share)],
      variants: own.map(({ variantId, materials }) => ({ variantId, materials })),
    }
  })
}

/** Counts in the zone of the context each device once for what it did in a test that runs. Only for workers. */
export const countSeen = (ctx: Context, seen: readonly Seen[]): Promise<void> => count(ctx, seen)
