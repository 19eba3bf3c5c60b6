import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { versions as contract } from './contract.ts'
import { moveVersion } from './moves.ts'
import { loadLocked, type VersionRecord } from './queries.ts'
import { isReachableMinimum } from './rules.ts'

/** Refuses 202030018 where devices would have to have more than the version gives them. */
export function mustBeReachable(minVersionCode: string, versionCode: string | null): void {
  if (isReachableMinimum(minVersionCode, versionCode)) return
  refuse(contract.errors.minimumTooHigh, { minVersionCode, versionCode: versionCode ?? '' })
}

/** Says below which version code devices must update to a version that is out. */
export async function setMinimum(
  ctx: Context,
  wish: { versionId: string; minVersionCode: string | null; reason: string },
): Promise<VersionRecord> {
  const { minVersionCode, reason } = wish
  const { version } = await loadLocked(ctx, wish.versionId)
  const after = await moveVersion(ctx, version, 'setMinimum', {
    set: { minVersionCode },
    note: { minVersionCode, before: version.minVersionCode, reason },
    data: { minVersionCode },
  })
  if (minVersionCode !== null) mustBeReachable(minVersionCode, version.versionCode)
  return after
}
