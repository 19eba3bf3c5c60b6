import type { Answer } from '../../../../kernel/contract.ts'
import type { Context } from '../../../../server/context.ts'
import { loadVersion, shelfVersionOf, type VersionRecord } from '../queries.ts'
import type { versionRollback } from './contract.ts'
import { deviceGroups, mayGoBack, type RollbackMode, rollbackEffects, rollbackModes } from './rules.ts'
import { candidatesOf, fitsFor, forwardOf, isRebuildable } from './targets.ts'

type Preview = Answer<(typeof versionRollback.calls)['previewRollback']>

/** What each way back would do, before anybody goes it. */
export async function previewRollback(ctx: Context, versionId: string): Promise<Preview> {
  const version = await loadVersion(ctx, versionId)
  const candidates = await candidatesOf(ctx, version)
  const isFit = await fitsFor(ctx, version, candidates)
  const fitting = candidates.filter(isFit)
  const full = version.state === 'PHASED' ? await shelfVersionOf(ctx, version.appId) : undefined
  const { forward } = await forwardOf(ctx, version, full ?? fitting[0])
  // STOP takes the last one whatever it is signed with, and is refused where that does not fit.
  const last = full ?? (candidates[0] && isFit(candidates[0]) ? candidates[0] : undefined)
  const targets: Record<RollbackMode, VersionRecord[]> = {
    STOP: last ? [last] : [],
    RESTORE: fitting,
    ROLL_FORWARD: last && (await isRebuildable(ctx, last, forward.versionCode)) ? [last] : [],
  }
  const cannot = last ? ('cannotSign' as const) : ('noTarget' as const)
  const obstacleOf = (mode: RollbackMode) => {
    if (!mayGoBack(version, mode)) return 'noDowngrade'
    if (targets[mode].length > 0) return null
    return mode === 'ROLL_FORWARD' ? cannot : 'noTarget'
  }
  return {
    modes: rollbackModes.map(mode => ({
      mode,
      isPossible: targets[mode].length > 0 && mayGoBack(version, mode),
      obstacle: obstacleOf(mode),
      targets: targets[mode].map(({ versionId: id, versionCode, versionName, offShelfAt }) => ({
        versionId: id,
        versionCode,
        versionName,
        offShelfAt,
      })),
      groups: deviceGroups.map(group => ({ group, effect: rollbackEffects[mode][group] })),
    })),
    forward,
  }
}
