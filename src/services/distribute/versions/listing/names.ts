import { emojiIn } from '../../../../kernel/text.ts'
import type { Context } from '../../../../server/context.ts'
import type { AppRow } from '../../apps/public.ts'
import { limits } from '../rules.ts'
import { isCountedRename, renamesLeft, takenNames } from '../shelf-names.ts'
import { blockedWordIn } from './rules.ts'

/** Whether a name can be had in the countries, by an app or by one that is to be made, and if not why. */
export async function nameVerdict(ctx: Context, app: AppRow | null, appName: string, countries: readonly string[]) {
  const left = app ? await renamesLeft(ctx, app.appId) : limits.renamesOfYear
  const answer = { conflictAppName: null, renamesLeft: left }
  const no = (reason: 'TAKEN' | 'BLOCKED' | 'EMOJI' | 'RENAMES') => ({ ...answer, available: false, reason })
  if (emojiIn(appName).count > 0) return no('EMOJI')
  if (blockedWordIn(appName) !== null) return no('BLOCKED')
  const [taken] = await takenNames(ctx, app?.appId ?? null, [{ lang: '', appName }], countries)
  if (taken) return { ...no('TAKEN'), conflictAppName: taken.conflictAppName }
  if (app && left === 0 && isCountedRename(app, appName, countries)) return no('RENAMES')
  return { ...answer, available: true, reason: null }
}
