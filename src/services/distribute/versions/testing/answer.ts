import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { testAddress, testPage } from './address.ts'
import type { TestGroup, TestUser, TestVersion } from './contract.ts'
import { factsOf } from './moves.ts'
import {
  countsOfGroups,
  type GroupRecord,
  groupsOfIds,
  type TestRecord,
  testsOfGroups,
  type UserRecord,
} from './queries.ts'
import { testLifeCycle, testStateCode, testTypes } from './rules.ts'

/** Test versions as the wire has them, with what the caller may do with each now. */
export async function toTests(ctx: Context, rows: readonly TestRecord[]): Promise<Static<typeof TestVersion>[]> {
  const known = await groupsOfIds(
    ctx,
    rows.flatMap(row => row.groupIds),
  )
  const byId = new Map(known.map(group => [group.groupId, group]))
  return rows.map(row => {
    const { isNotified, isSelfDetected, ...rest } = row
    const isShared = row.testType === testTypes.open && row.state === 'TESTING'
    return {
      ...rest,
      lane: 'TEST' as const,
      releaseState: testStateCode(row.state),
      groups: row.groupIds.flatMap(groupId => {
        const group = byId.get(groupId)
        return group ? [{ groupId, name: group.name, kind: group.kind }] : []
      }),
      notify: isNotified,
      selfDetect: isSelfDetected ? 1 : 0,
      sharePage: isShared ? testPage(ctx, { kind: 'open', versionId: row.versionId }) : null,
      shareAddress: isShared ? testAddress(ctx, { kind: 'open', versionId: row.versionId }) : null,
      allowedActions: allowedActions(
        testLifeCycle,
        row.state,
        permission => ctx.may(permission),
        factsOf(row, ctx.now()),
      ),
    }
  })
}

export async function toTest(ctx: Context, row: TestRecord): Promise<Static<typeof TestVersion>> {
  const [test] = await toTests(ctx, [row])
  if (!test) throw new Error('one row makes one answer')
  return test
}

export async function toGroups(ctx: Context, rows: readonly GroupRecord[]): Promise<Static<typeof TestGroup>[]> {
  const ids = rows.map(row => row.groupId)
  const counts = await countsOfGroups(ctx, ids)
  const used = await testsOfGroups(ctx, ids)
  return rows.map(row => ({
    ...row,
    count: counts.get(row.groupId) ?? 0,
    inUseByVersionIds: used.filter(test => test.groupIds.includes(row.groupId)).map(test => test.versionId),
    createTime: row.createdAt,
  }))
}

export function toUser(row: UserRecord): Static<typeof TestUser> {
  return { ...row, lastInstall: row.lastInstallAt }
}
