import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { AppRow } from '../../apps/public.ts'
import { exchangeObjects } from '../../versions/listing/public.ts'
import { materialTests } from '../tables.ts'
import { countsOf } from './counting.ts'
import { differenceOf, objectIdsOf, partsOf, shownOf } from './materials.ts'
import { findingsOf } from './numbers.ts'
import { notLive, otherRuns, versionWaits } from './objections.ts'
import { lockTest, moveTest, type TestRecord, variantsOf } from './rows.ts'
import type { TestAction } from './rules.ts'

const dayMs = 86_400_000

/** Starts a test that was passed; the app must be locked. What is on shelf now is the control. */
export async function startTest(ctx: Context, app: AppRow, test: TestRecord, isConsequence = false) {
  const objections = {
    isLive: notLive(app),
    isFree: await otherRuns(ctx, test),
    isSettled: await versionWaits(ctx, app, test),
  }
  const set = { startedAt: ctx.now(), findings: null }
  return keepControl(ctx, app, await moveTest(ctx, test, 'start', { objections, set, isConsequence }))
}

/** Remembers what is on shelf now, and holds its files: the listing may let go of them. */
export async function keepControl(ctx: Context, app: AppRow, test: TestRecord): Promise<TestRecord> {
  const shown = await shownOf(ctx, app)
  const control = partsOf(shown?.listings ?? [], test)
  await exchangeObjects(ctx, app, objectIdsOf(test.control), objectIdsOf(control))
  const { testId } = test
  const [row] = await ctx.db.update(materialTests).set({ control }).where(eq(materialTests.testId, testId)).returning()
  return row!
}

/** Whether its time to start by itself has come. */
export function isDue(test: TestRecord, now: number): boolean {
  if (test.state !== 'READY' || test.startMode === 'MANUAL') return false
  return test.startMode === 'AUTO_AFTER_AUDIT' || (test.startAt !== null && test.startAt <= now)
}

/**
 * Brings a test to where it should be now: starts it when it is due and can, counts what came in, ends it when its time is
 * over, what it compared with is gone, or a winner is found and that is asked for. Again at once it does nothing.
 */
export async function settleTest(ctx: Context, testId: string): Promise<TestRecord> {
  const { app, test } = await lockTest(ctx, testId)
  if (isDue(test, ctx.now())) return startTest(ctx, app, test, true)
  if (test.state !== 'RUNNING') return test
  const counted = await countNow(ctx, test)
  const end = await endOf(ctx, app, counted)
  if (!end) return counted
  const set = { stoppedAt: ctx.now(), stopReason: end.stopReason }
  return moveTest(ctx, counted, end.action, { set, data: { stopReason: end.stopReason }, isConsequence: true })
}

/** Looks at what came in; the numbers are no change that somebody else's page would have to know of. */
export async function countNow(ctx: Context, test: TestRecord): Promise<TestRecord> {
  const variants = await variantsOf(ctx, [test.testId])
  const findings = findingsOf(test, await countsOf(ctx, test, variants), test.findings, ctx.now())
  const [row] = await ctx.db
    .update(materialTests)
    .set({ findings })
    .where(eq(materialTests.testId, test.testId))
    .returning()
  return row!
}

interface End {
  action: TestAction
  stopReason: NonNullable<TestRecord['stopReason']>
}

async function endOf(ctx: Context, app: AppRow, test: TestRecord): Promise<End | null> {
  if (notLive(app)) return { action: 'drop', stopReason: 'OFF_SHELF' }
  const shown = await shownOf(ctx, app)
  if (differenceOf(test, test.control, partsOf(shown?.listings ?? [], test))) {
    return { action: 'drop', stopReason: 'LISTING_CHANGED' }
  }
  const age = ctx.now() - (test.startedAt ?? 0)
  if (age >= test.maxDays * dayMs) return { action: 'expire', stopReason: 'MAX_DAYS' }
  const { findings } = test
  const isWon = findings?.isSplitHealthy && findings.arms.some(arm => arm.verdict === 'WINNER')
  const isOver = test.autoStop && isWon && age >= test.minDays * dayMs
  return isOver ? { action: 'conclude', stopReason: 'SIGNIFICANT' } : null
}

/** The tests of an app that may have to move: after the app itself did. */
export async function settleTestsOf(ctx: Context, appId: string): Promise<void> {
  const rows = await ctx.db
    .select({ testId: materialTests.testId })
    .from(materialTests)
    .where(and(eq(materialTests.appId, appId), inArray(materialTests.state, ['READY', 'RUNNING'])))
  for (const { testId } of rows) await settleOrWait(ctx, testId)
}

/** Of every app: what starts, ends or is counted by the clock. */
export async function settleAll(ctx: Context): Promise<void> {
  const { state, startMode, startAt } = materialTests
  const isReady = and(
    eq(state, 'READY'),
    or(eq(startMode, 'AUTO_AFTER_AUDIT'), and(eq(startMode, 'TIMED'), sql`${startAt} <= ${ctx.now()}`)),
  )
  const rows = await ctx.db
    .select({ testId: materialTests.testId })
    .from(materialTests)
    .where(or(isReady, eq(state, 'RUNNING')))
  for (const { testId } of rows) await settleOrWait(ctx, testId)
}

/** One that cannot start yet, or whose app is gone, holds up no other. */
export async function settleOrWait(ctx: Context, testId: string): Promise<void> {
  await ctx
    .transact(inner => settleTest(inner, testId))
    .catch(error => {
      if (!(error instanceof Refusal)) throw error
    })
}
