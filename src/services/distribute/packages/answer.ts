import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import type { PackageSummary } from './contract.ts'
import { judgedOf } from './judged.ts'
import type { PackageLine } from './listing.ts'
import type { PackageRecord } from './queries.ts'
import { packageCycle, successStatusOf } from './rules.ts'

/** What every answer says of a package besides its row. */
export function toLine<Row extends PackageLine>(ctx: Context, row: Row) {
  const isHeld = row.holdCount > 0
  // Whether it must be signed again, the call for that tells: it costs a look at who signs the app.
  const facts = { isFree: !isHeld, needsSigning: false }
  const actions = allowedActions(packageCycle, row.state, permission => ctx.may(permission), facts)
  return {
    ...row,
    isHeld,
    successStatus: successStatusOf(row.state),
    allowedActions: actions as Static<typeof PackageSummary>['allowedActions'],
  }
}

export async function toPackage(ctx: Context, row: PackageRecord) {
  return { ...toLine(ctx, await judgedOf(ctx, row)), hasPrivacyManifest: row.privacy !== null }
}
