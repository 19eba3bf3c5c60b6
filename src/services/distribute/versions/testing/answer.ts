import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { addressesOf, groupsOf } from '../../beta-test/public.ts'
import type { TestVersion } from './contract.ts'
import { factsOf } from './moves.ts'
import type { TestRecord } from './queries.ts'
import { testLifeCycle, testStateCode, testTypes } from './rules.ts'

/** Test versions as the wire has them, with what the caller may do with each now. */
export async function toTests(ctx: Context, rows: readonly TestRecord[]): Promise<Static<typeof TestVersion>[]> {
  const known = await groupsOf(
    ctx,
    rows.flatMap(row => row.groupIds),
  )
  const byId = new Map(known.map(group => [group.groupId, group]))
  return rows.map(row => {
    const { isNotified, isSelfDetected, ...rest } = row
    const isShared = row.testType === testTypes.open && row.state === 'TESTING'
    const shared = isShared ? addressesOf(ctx, { kind: 'open', versionId: row.versionId }) : null
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
      sharePage: shared?.page ?? null,
      shareAddress: shared?.repository ?? null,
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
