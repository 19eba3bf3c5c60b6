import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { type AppRow, appInScope, lockApp } from '../../apps/public.ts'
import { materialTests, materialVariants } from '../tables.ts'
import { type TestAction, type TestFact, testCycle } from './rules.ts'

export type TestRecord = typeof materialTests.$inferSelect
export type VariantRecord = typeof materialVariants.$inferSelect

/** Rows the caller may see: his team's within his scope; staff and workers see all. */
export function myTests(ctx: Context): SQL | undefined {
  return ctx.caller.kind === 'user' && ctx.place.teamId !== null
    ? and(eq(materialTests.teamId, ctx.teamId), appInScope(ctx, materialTests.appId))
    : undefined
}

export async function loadTest(ctx: Context, testId: string): Promise<TestRecord> {
  const [row] = await ctx.db
    .select()
    .from(materialTests)
    .where(and(eq(materialTests.testId, testId), myTests(ctx)))
  return row ?? refuse(commonErrors.notFound, { entity: 'material test', id: testId })
}

/** A test to be changed, with its app locked: tests of one app change one after another. */
export async function lockTest(ctx: Context, testId: string): Promise<{ app: AppRow; test: TestRecord }> {
  const { appId } = await loadTest(ctx, testId)
  const app = await lockApp(ctx, appId)
  return { app, test: await loadTest(ctx, testId) }
}

/** The oldest first: their order is that of the arms. */
export async function variantsOf(ctx: Context, testIds: readonly string[]): Promise<VariantRecord[]> {
  if (testIds.length === 0) return []
  return ctx.db
    .select()
    .from(materialVariants)
    .where(inArray(materialVariants.testId, [...testIds]))
    .orderBy(asc(materialVariants.variantId))
}

export async function loadVariant(ctx: Context, variantId: string): Promise<VariantRecord> {
  const [row] = await ctx.db.select().from(materialVariants).where(eq(materialVariants.variantId, variantId))
  if (!row) refuse(commonErrors.notFound, { entity: 'variant', id: variantId })
  // Whoever does not reach the test does not reach what is in it.
  await loadTest(ctx, row.testId).catch(() => refuse(commonErrors.notFound, { entity: 'variant', id: variantId }))
  return row
}

/** What stands against a move; null where nothing does. */
export type Objection = (() => never) | null

interface Moving {
  objections?: Partial<Record<TestFact, Objection>>
  set?: Partial<TestRecord>
  note?: Record<string, unknown>
  data?: Record<string, unknown>
  /** By the clock, the numbers or what became of the app, whoever asked. */
  isConsequence?: boolean
}

const certain: Readonly<Record<TestFact, boolean>> = {
  isFilled: true,
  isImpartial: true,
  hasNote: true,
  isLive: true,
  isFree: true,
  isSettled: true,
  isValid: true,
}

/** Moves a test by its life cycle and writes what changes with it. */
export async function moveTest(ctx: Context, row: TestRecord, action: TestAction, moving: Moving): Promise<TestRecord> {
  const { objections = {}, set = {}, note, data, isConsequence = false } = moving
  const { testId, appId, teamId, state, revision, name } = row
  const held = Object.entries(objections).map(([fact, objection]) => [fact, objection === null])
  await transition(ctx, {
    cycle: testCycle,
    table: 'material_tests',
    idColumn: 'test_id',
    row: { id: testId, state, revision },
    action,
    facts: { ...certain, ...(Object.fromEntries(held) as Partial<Record<TestFact, boolean>>) },
    unmet: fact => objections[fact]?.() as never,
    teamId,
    data: { appId, name, ...data },
    ...(note ? { note } : {}),
    isConsequence,
  })
  const [moved] = await ctx.db
    .update(materialTests)
    .set({ ...set, updatedAt: ctx.now() })
    .where(eq(materialTests.testId, testId))
    .returning()
  return moved!
}
