import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { moveVersion } from './moves.ts'
import { isShelfReady } from './phased/plan.ts'
import { endWithShelf, putOnShelf } from './phased/shelving.ts'
import { loadLocked, type VersionRecord } from './queries.ts'
import { releasesAtOnce } from './rules.ts'

export interface Decision {
  versionId: string
  /** `appeal` is the developer's: a rejected version, as it is, back in review. */
  verdict: 'approve' | 'reject' | 'ask' | 'appeal'
  note?: string
}

/** Applies the store's verdict on a version in review, or on a shelf-off that is. */
export async function decide(ctx: Context, { versionId, verdict, note = '' }: Decision): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, versionId)
  if (verdict === 'appeal') return moveVersion(ctx, version, 'appeal', { set: { rejection: null } })
  if (!ctx.may('review.decide')) refuse(commonErrors.notAllowed, { permission: 'review.decide' })
  const now = ctx.now()
  const options = { isConsequence: true, note: { reason: note }, data: { note } }
  if (version.state === 'SHELF_OFF_REVIEW' && verdict !== 'ask') {
    const state = verdict === 'approve' ? ('DONE' as const) : ('REJECTED' as const)
    const lastShelfOff = { reason: version.lastShelfOff?.reason ?? '', state, opinion: note, at: now }
    if (verdict === 'approve') await endWithShelf(ctx, version)
    return moveVersion(ctx, version, verdict, {
      ...options,
      set: { lastShelfOff, ...(verdict === 'approve' ? { offShelfAt: now } : {}) },
    })
  }
  if (verdict === 'ask') return moveVersion(ctx, version, 'ask', options)
  if (verdict === 'reject')
    return moveVersion(ctx, version, 'reject', { ...options, set: { rejection: { note, at: now } } })
  const isAtOnce = app.lifecycle === 'ACTIVE' && releasesAtOnce(version, now) && (await isShelfReady(ctx, version))
  const approval = {
    ...options,
    facts: { releasesAtOnce: isAtOnce },
    set: { approvedAt: now },
    note: { reason: note, ...(isAtOnce && version.releaseMode === 'TIMED' ? { timeHadPassed: true } : {}) },
  }
  if (isAtOnce && version.state === 'IN_REVIEW') return putOnShelf(ctx, app, version, 'approve', approval)
  return moveVersion(ctx, version, 'approve', approval)
}
