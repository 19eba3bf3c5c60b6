import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import type { Listing, Version } from './contract.ts'
import { isLocked, versionLifeCycle } from './life/rules.ts'
import type { ListingRecord, VersionRecord } from './queries.ts'
import { factsOf, slaDueAt, urgeAvailableAt } from './rules.ts'

/** A version as the wire has it, with what the caller may do with it now. */
export function toVersion(ctx: Context, row: VersionRecord): Static<typeof Version> {
  const isWaiting = row.submittedAt !== null && isLocked(row.state)
  return {
    ...row,
    hasTestPassword: row.testPasswordSealed !== null,
    isSubmitQueued: row.submitQueuedBy !== null,
    slaDueAt: isWaiting ? slaDueAt(row, ctx.zone) : null,
    urgeAvailableAt: isWaiting ? urgeAvailableAt(row, ctx.zone) : null,
    allowedActions: allowedActions(
      versionLifeCycle,
      row.state,
      permission => ctx.may(permission),
      factsOf(row, ctx.now(), ctx.zone),
    ),
  }
}

export function toListing(row: ListingRecord, defaultLang: string): Static<typeof Listing> {
  return { ...row, isDefault: row.lang === defaultLang }
}
