import type { Context } from '../../../server/context.ts'
import { shelfReachOf } from '../versions/shelf/public.ts'
import { harmonyTypes, uncovered } from './rules.ts'

export interface HarmonyReach {
  isOnShelf: boolean
  countries: string[]
}

/** Where people get the editions for HarmonyOS among these. */
export async function harmonyReach(
  ctx: Context,
  members: readonly { appId: string; packageType: string }[],
): Promise<HarmonyReach> {
  const harmony = members.filter(member => harmonyTypes.includes(member.packageType)).map(member => member.appId)
  const reach = [...(await shelfReachOf(ctx, harmony)).values()].filter(at => at.isOnShelf)
  return { isOnShelf: reach.length > 0, countries: [...new Set(reach.flatMap(at => at.countries))] }
}

/** Whether an edition for HarmonyOS can stand alone in all of these countries. */
export const isShownAlone = ({ isOnShelf, countries }: HarmonyReach, wanted: readonly string[]): boolean =>
  isOnShelf && uncovered(countries, wanted).length === 0
