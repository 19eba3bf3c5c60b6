import { harmonyTypes, type SeriesMode } from '../rules.ts'

/** In the order in which they are told: what changes for people first. */
export const relationKinds = [
  'SUCCESSOR',
  'PREDECESSOR',
  'SERIES',
  'ALLIANCE',
  'MOVED_FROM',
  'CLAIMED_FROM',
  'CLAIMED_BY',
  'SAME_PACKAGE_NAME',
  'SAME_NAME',
] as const
export type RelationKind = (typeof relationKinds)[number]
export type SeriesRelation = Extract<RelationKind, 'SUCCESSOR' | 'PREDECESSOR' | 'SERIES'>

/**
 * How another edition of a series stands to this one: where only the edition for HarmonyOS is shown, it is the successor
 * of those that are not.
 */
export function relationInSeries(mode: SeriesMode, packageType: string, otherType: string): SeriesRelation {
  const [isHarmony, isOtherHarmony] = [packageType, otherType].map(type => harmonyTypes.includes(type))
  if (mode === 'DOUBLE' || isHarmony === isOtherHarmony) return 'SERIES'
  return isOtherHarmony ? 'SUCCESSOR' : 'PREDECESSOR'
}
