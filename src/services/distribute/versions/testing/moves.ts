import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { versionTests as contract } from './contract.ts'
import { loadTest, type TestRecord } from './queries.ts'
import { type TestAction, type TestFact, testLifeCycle, testLimits } from './rules.ts'
import { testVersions } from './tables.ts'

/** What the row itself says of the facts; whether a release is reviewed depends on its groups. */
export function factsOf(test: TestRecord, now: number): Record<TestFact, boolean> {
  return {
    needsReview: true,
    startsNow: test.startAt === null || test.startAt <= now,
    isReviewed: test.approvedAt !== null,
    isNotPromoted: test.promotedTo === null,
  }
}

interface Options {
  facts?: Partial<Record<TestFact, boolean>>
  set?: Partial<TestRecord>
  note?: Record<string, unknown>
  data?: Record<string, unknown>
  isConsequence?: boolean
}

/** Moves a test version by its life cycle; its app must be locked. Tells of a start, and has testers mailed. */
export async function moveTest(
  ctx: Context,
  test: TestRecord,
  action: TestAction,
  { facts, set, note, data, isConsequence = false }: Options = {},
): Promise<TestRecord> {
  const now = ctx.now()
  const { versionId, appId, teamId } = test
  const { state } = await transition(ctx, {
    cycle: testLifeCycle,
    table: 'version_tests',
    idColumn: 'version_id',
    row: { id: versionId, state: test.state, revision: test.revision },
    action,
    facts: { ...factsOf({ ...test, ...set }, now), ...facts },
    unmet: fact => refuseUnmet(ctx, test, fact),
    data: { appId, pkgId: test.pkgId, versionId, ...data },
    teamId,
    isConsequence,
    ...(note ? { note } : {}),
  })
  const hasStarted = state === 'TESTING' && test.state !== 'TESTING'
  const hasEnded = test.state === 'TESTING' && state !== 'TESTING'
  const columns = {
    ...set,
    ...(hasStarted ? { startedAt: now, endedAt: null } : {}),
    ...(hasEnded ? { endedAt: now } : {}),
  }
  if (Object.keys(columns).length > 0 && state !== null) {
    await ctx.db.update(testVersions).set(columns).where(eq(testVersions.versionId, versionId))
  }
  if (state === null) return test
  const after = await loadTest(ctx, versionId)
  if (hasStarted) tellStart(ctx, after, action)
  return after
}

function tellStart(ctx: Context, test: TestRecord, action: TestAction): void {
  const { versionId, appId, teamId, pkgId } = test
  // The move of the clock tells of it itself.
  if (action !== 'start') {
    const data = { appId, pkgId, versionId, from: test.state, to: test.state }
    ctx.emit({ type: 'test.started', entity: 'testVersion', entityId: versionId, teamId, data })
  }
  if (test.isNotified) startMails(ctx, test)
}

/** Has everybody mailed who is in the groups of a test and was not told of it yet. */
export function startMails(ctx: Context, { versionId, teamId }: TestRecord): void {
  const input = { versionId }
  ctx.startJob({ kind: 'versions.testMails', subject: versionId, input, deadlineMs: testLimits.mailMs, teamId })
}

function refuseUnmet(ctx: Context, test: TestRecord, fact: TestFact): never {
  if (fact === 'isReviewed') refuse(contract.errors.notReviewed)
  if (fact === 'isNotPromoted') refuse(contract.errors.alreadyPromoted, { versionId: test.promotedTo ?? '' })
  refuse(commonErrors.stateNotAllowed, {
    state: test.state,
    unmet: fact,
    allowedActions: allowedActions(testLifeCycle, test.state, permission => ctx.may(permission)),
  })
}
