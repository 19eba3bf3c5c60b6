import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { readSecret } from '../address.ts'
import { tell } from '../invitations/answering.ts'
import type { UserRecord } from '../queries.ts'
import { entitledStates, isInvitationOpen } from '../rules.ts'
import { testUsers } from '../tables.ts'
import { type TestFacts, testsOn } from '../test-doors.ts'

/** A person who may test, by the groups of the app that he is in at this moment. */
export interface Tester {
  kind: 'user'
  user: UserRecord
  appId: string
  groupIds: string[]
  /** Goes up when what he may test changes with his groups; epoch milliseconds. */
  changedAt: number
}

/** Who a secret lets test now: looked up anew each time, so that whoever was taken out has nothing from then on. */
export async function testerOf(
  ctx: Context,
  secret: string,
): Promise<Tester | { kind: 'open'; versionId: string } | null> {
  const holder = readSecret(ctx, secret)
  if (holder?.kind === 'open') return holder
  if (holder?.kind !== 'user') return null
  const [user] = await ctx.db.select().from(testUsers).where(eq(testUsers.userId, holder.userId))
  if (!user) return null
  const rows = await ctx.db
    .select()
    .from(testUsers)
    .where(
      and(
        eq(testUsers.appId, user.appId),
        eq(testUsers.account, user.account),
        inArray(testUsers.state, [...entitledStates]),
      ),
    )
  const open = rows.filter(row => isInvitationOpen(row, ctx.now()))
  if (!open.some(row => row.userId === user.userId)) return null
  return {
    kind: 'user',
    user,
    appId: user.appId,
    groupIds: open.map(row => row.groupId),
    changedAt: Math.max(...open.map(row => row.updatedAt)),
  }
}

/** Who uses the address that was mailed to him has accepted. */
export async function acceptByUse(ctx: Context, { user }: Tester): Promise<void> {
  if (user.state === 'ACCEPTED') return
  await ctx.db
    .update(testUsers)
    .set({ state: 'ACCEPTED' })
    .where(and(eq(testUsers.userId, user.userId), inArray(testUsers.state, ['ADDED', 'INVITED'])))
  tell(ctx, user, 'testuser.accepted')
}

/** The running test that a secret lets somebody speak about; null for any other. */
export async function testOfSecret(
  ctx: Context,
  secret: string,
  versionId: string,
): Promise<{ test: TestFacts; userId: string | null } | null> {
  const tester = await testerOf(ctx, secret)
  if (!tester || (tester.kind === 'open' && tester.versionId !== versionId)) return null
  const [test] = await testsOn(ctx).ofIds(ctx, [versionId])
  if (!test?.isRunning) return null
  if (tester.kind === 'open') return { test, userId: null }
  const isOfHis = test.appId === tester.appId && test.groupIds.some(groupId => tester.groupIds.includes(groupId))
  return isOfHis && tester.user.state === 'ACCEPTED' ? { test, userId: tester.user.userId } : null
}
