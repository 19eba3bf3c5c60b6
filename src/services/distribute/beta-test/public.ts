import { and, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { pageOfHolder, repositoryOfSecret, secretOf } from './address.ts'
import type { GroupKind } from './contract.ts'
import { checkGroupOf } from './groups.ts'
import { countsOfGroups, groupsOfIds, isOfGroup } from './queries.ts'
import { reachPerson, type Words } from './reaching.ts'
import { entitledStates } from './rules.ts'
import { testUsers } from './tables.ts'
import { keepDoors, type TestDoors } from './test-doors.ts'
import { acceptByUse, type Tester, testerOf } from './tester/holding.ts'

export type { TestDoors, TestFacts } from './test-doors.ts'
export type { Tester } from './tester/holding.ts'

/** A group as the tests that go to it see it. */
export interface GroupFacts {
  groupId: string
  appId: string
  name: string
  kind: GroupKind
  /** Who gets what the group tests. */
  people: number
}

/** Hands in what says which tests there are, once for a server, before anybody calls. */
export function connectTests(server: Server, doors: TestDoors): void {
  keepDoors(server, doors)
}

/** Those of the groups that exist and are the caller's; in no order. Two queries. */
export async function groupsOf(ctx: Context, groupIds: readonly string[]): Promise<GroupFacts[]> {
  const groups = await groupsOfIds(ctx, groupIds)
  const counts = await countsOfGroups(
    ctx,
    groups.map(group => group.groupId),
  )
  return groups.map(({ groupId, appId, name, kind }) => {
    return { groupId, appId, name, kind, people: counts.get(groupId)?.people ?? 0 }
  })
}

/** Whether a group is there, by id or name, which tests use it, and how many people the app may still have. */
export function checkGroup(ctx: Context, wish: { appId: string; groupId?: string; name?: string }) {
  return checkGroupOf(ctx, wish)
}

/**
 * Who a secret lets test at this moment: a person with his groups, everybody with the address of an open test, or null.
 * With `isUse` the person has thereby said yes. The context must be the system's.
 */
export async function holderOf(
  ctx: Context,
  secret: string,
  { isUse }: { isUse: boolean },
): Promise<Tester | { kind: 'open'; versionId: string } | null> {
  const tester = await testerOf(ctx, secret)
  if (isUse && tester?.kind === 'user') await acceptByUse(ctx, tester)
  return tester
}

/** The person has fetched a test now. */
export async function noteInstall(ctx: Context, { user }: Tester): Promise<void> {
  await ctx.db
    .update(testUsers)
    .set({ lastInstallAt: ctx.now() })
    .where(
      and(
        eq(testUsers.appId, user.appId),
        eq(testUsers.account, user.account),
        inArray(testUsers.state, [...entitledStates]),
      ),
    )
}

/** People of the groups behind `after` who were not mailed about the version, by their ids; at most `limit`. */
export async function peopleToTell(
  ctx: Context,
  wish: { groupIds: readonly string[]; versionId: string; after: string; limit: number },
): Promise<{ userId: string; account: string }[]> {
  return ctx.db
    .select({ userId: testUsers.userId, account: testUsers.account })
    .from(testUsers)
    .where(
      and(
        isOfGroup(wish.groupIds),
        gt(testUsers.userId, wish.after),
        or(isNull(testUsers.toldOf), ne(testUsers.toldOf, wish.versionId)),
      ),
    )
    .orderBy(testUsers.userId)
    .limit(wish.limit)
}

/** The person was mailed about the version; that is an invitation, too, for whoever has not answered one. */
export async function noteTold(ctx: Context, userId: string, versionId: string): Promise<void> {
  const now = ctx.now()
  const isHim = eq(testUsers.userId, userId)
  await ctx.db
    .update(testUsers)
    .set({ toldOf: versionId })
    .where(and(isHim, inArray(testUsers.state, [...entitledStates])))
  await ctx.db
    .update(testUsers)
    .set({ state: 'INVITED', invitedAt: now, updatedAt: now })
    .where(and(isHim, inArray(testUsers.state, ['ADDED', 'INVITED'])))
}

/** Where a person, or everybody with an open test, gets it: a page for people, a repository for an F-Droid client. */
export function addressesOf(
  ctx: Context,
  holder: { kind: 'user'; userId: string } | { kind: 'open'; versionId: string },
): { page: string; repository: string } {
  return { page: pageOfHolder(ctx, holder), repository: repositoryOfSecret(ctx, secretOf(ctx, holder)) }
}

/** The address of a secret's repository. */
export function repositoryOf(ctx: Context, secret: string): string {
  return repositoryOfSecret(ctx, secret)
}

/** Mails a person, or by phone sends a text message where the app's project has a gateway; nobody who fails holds up others. */
export function tellPerson(ctx: Context, app: { projectId: string }, account: string, words: Words): Promise<void> {
  return reachPerson(ctx, app, account, words)
}
