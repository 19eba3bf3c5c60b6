import { and, asc, eq, inArray, lte, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { groupsOf } from '../../beta-test/public.ts'
import type { Decision } from '../decide.ts'
import { loadVersions } from '../queries.ts'
import { mustBeVerified } from '../readiness/submitter.ts'
import { isCountry } from '../rules.ts'
import { versionTests as contract } from './contract.ts'
import { mustNotBeFormal } from './drafts.ts'
import { moveTest } from './moves.ts'
import { countLive, lockTest, type TestRecord } from './queries.ts'
import { isTestWindow, needsReview, preparedStates, testLimits, testTypes } from './rules.ts'
import { testVersions } from './tables.ts'

interface Window {
  startAt?: number
  endAt: number
}

/** Gives a draft to groups. */
export async function releaseToGroups(
  ctx: Context,
  wish: Window & { versionId: string; groupIds: string[]; notify?: boolean; selfDetect?: number },
): Promise<TestRecord> {
  await mustBeOfTestLane(ctx, wish.versionId)
  const { test } = await lockTest(ctx, wish.versionId)
  const found = new Map((await groupsOf(ctx, wish.groupIds)).map(group => [group.groupId, group]))
  const groups = wish.groupIds.map(groupId => {
    const group = found.get(groupId)
    if (group?.appId === test.appId) return group
    return refuse(commonErrors.notFound, { entity: 'test group', id: groupId })
  })
  const empty = groups.find(group => group.people === 0)
  if (empty) refuse(contract.errors.testGroupEmpty, { name: empty.name, groupId: empty.groupId })
  return release(ctx, test, wish, needsReview(groups.map(group => group.kind)), {
    testType: testTypes.invite,
    groupIds: wish.groupIds,
    installLimit: null,
    countries: [],
    isNotified: wish.notify ?? false,
    isSelfDetected: wish.selfDetect === 1,
  })
}

/** Opens a draft to everybody who has its address; the store always looks first. */
export async function releaseToAll(
  ctx: Context,
  wish: Partial<Window> & { versionId: string; installLimit?: number; countries?: string[] },
): Promise<TestRecord> {
  await mustBeOfTestLane(ctx, wish.versionId)
  const { test } = await lockTest(ctx, wish.versionId)
  const { endAt, startAt, countries = [] } = wish
  if (endAt === undefined) throw badField('/endAt', 'required', 'An open test needs an end.')
  countries.forEach((code, index) => {
    if (!isCountry(code)) throw badField(`/countries/${index}`, 'country', `${code} is no ISO 3166 code.`)
  })
  const window = { endAt, ...(startAt === undefined ? {} : { startAt }) }
  return release(ctx, test, window, true, {
    testType: testTypes.open,
    groupIds: [],
    installLimit: wish.installLimit ?? testLimits.installs,
    countries,
    isNotified: false,
    isSelfDetected: false,
  })
}

async function mustBeOfTestLane(ctx: Context, versionId: string): Promise<void> {
  const [formal] = await loadVersions(ctx, [versionId])
  if (formal) refuse(contract.errors.alreadyFormal, { versionCode: formal.versionCode ?? versionId, versionId })
}

async function release(
  ctx: Context,
  test: TestRecord,
  window: Window,
  isReviewed: boolean,
  set: Partial<TestRecord>,
): Promise<TestRecord> {
  if (isReviewed) await mustBeVerified(ctx)
  const now = ctx.now()
  const startAt = Math.max(window.startAt ?? now, now)
  mustBeWindow(startAt, window.endAt, now)
  const isPrepared = (preparedStates as readonly string[]).includes(test.state)
  if (isPrepared && (await countLive(ctx, test.appId)) >= testLimits.live) {
    refuse(contract.errors.testLimit, { limit: testLimits.live })
  }
  if (test.versionCode !== null) await mustNotBeFormal(ctx, test.appId, test.versionCode)
  const columns = { ...set, startAt, endAt: window.endAt, submittedAt: now, approvedAt: null, rejection: null }
  return moveTest(ctx, test, 'release', { facts: { needsReview: isReviewed }, set: columns })
}

function mustBeWindow(startAt: number, endAt: number, now: number): void {
  if (isTestWindow(startAt, endAt, now)) return
  const [start, end] = [new Date(startAt).toISOString(), new Date(endAt).toISOString()]
  const days = testLimits.windowMs / 86_400_000
  refuse(contract.errors.testWindow, { now: new Date(now).toISOString(), days, start, end })
}

/** The store's verdict on a test that is in review. */
export async function decideTest(ctx: Context, { versionId, verdict, note = '' }: Decision): Promise<TestRecord> {
  const { test } = await lockTest(ctx, versionId)
  if (!ctx.may('review.decide')) refuse(commonErrors.notAllowed, { permission: 'review.decide' })
  const now = ctx.now()
  const said = { isConsequence: true, note: { reason: note }, data: { note } }
  if (verdict === 'appeal') refuse(commonErrors.stateNotAllowed, { state: test.state, allowedActions: [] })
  if (verdict === 'ask') return moveTest(ctx, test, 'ask', said)
  if (verdict === 'reject') return moveTest(ctx, test, 'reject', { ...said, set: { rejection: { note, at: now } } })
  return moveTest(ctx, test, 'approve', { ...said, set: { approvedAt: now } })
}

/** A later end, or more installs; the people who have it keep it. */
export async function extendTest(
  ctx: Context,
  wish: { versionId: string; endAt?: number; installLimit?: number },
): Promise<TestRecord> {
  const { test } = await lockTest(ctx, wish.versionId)
  const { endAt = test.endAt ?? 0, installLimit = test.installLimit } = wish
  if (wish.installLimit !== undefined && test.testType !== testTypes.open) {
    throw badField('/installLimit', 'testType', 'Only an open test has a limit of installs.')
  }
  const after = await moveTest(ctx, test, 'extend', {
    set: {
      endAt,
      installLimit,
      ...(installLimit !== null && installLimit > test.installCount ? { quotaReachedAt: null } : {}),
    },
    note: { endAt, installLimit },
  })
  mustBeWindow(test.startAt ?? 0, endAt, ctx.now())
  if (installLimit !== null && installLimit < test.installCount) {
    refuse(contract.errors.installsBelow, { installCount: test.installCount })
  }
  return after
}

/** Ends a test; one that nobody has yet is taken back. */
export async function stopTest(ctx: Context, versionId: string): Promise<TestRecord> {
  const { test } = await lockTest(ctx, versionId)
  const isEarly = test.state === 'IN_REVIEW' || test.state === 'WAITING'
  return moveTest(ctx, test, isEarly ? 'withdraw' : 'stop')
}

/** Starts and ends tests by the server's clock, each in a transaction of its own. */
export async function sweepTests(ctx: Context): Promise<void> {
  const now = ctx.now()
  const due = await ctx.db
    .select({ versionId: testVersions.versionId })
    .from(testVersions)
    .where(
      or(
        and(eq(testVersions.state, 'WAITING'), lte(testVersions.startAt, now)),
        and(inArray(testVersions.state, ['WAITING', 'TESTING']), lte(testVersions.endAt, now)),
      ),
    )
    .orderBy(asc(testVersions.endAt))
    .limit(200)
  for (const { versionId } of due) {
    await ctx
      .transact(inner => turnOne(inner, versionId))
      .catch(error => {
        ctx.log.error({ versionId, reason: (error as Error).message }, 'a test could not be started or ended')
      })
  }
}

async function turnOne(ctx: Context, versionId: string): Promise<void> {
  const { app, test } = await lockTest(ctx, versionId)
  const now = ctx.now()
  if (test.state !== 'WAITING' && test.state !== 'TESTING') return
  if (test.endAt !== null && test.endAt <= now) await moveTest(ctx, test, 'expire')
  // Of a frozen app nothing starts; it does when the freeze ends.
  else if (test.state === 'WAITING' && app.lifecycle === 'ACTIVE') await moveTest(ctx, test, 'start')
}
