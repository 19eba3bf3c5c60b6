import type { Answer } from '../../../../../kernel/contract.ts'
import type { versions } from '../../../versions/contract.ts'
import { dayMs, dayOf } from '../../rules.ts'
import type { ReachRow } from '../store-calls.ts'

export const periods = [7, 30, 90] as const
export const measures = [
  'updatesOffered',
  'downloads',
  'downloadsCompleted',
  'downloadsFailed',
  'installs',
  'installsFailed',
  'opens',
  'uninstalls',
] as const
export type Measure = (typeof measures)[number]
export type KnownVersion = Answer<(typeof versions.calls)['listVersions']>['list'][number]['version']

export interface ReachPicture {
  days: string[]
  series: { versionId: string; name: string; counts: number[] }[]
  /** Days on which a version went on the shelf. */
  releases: { day: string; name: string }[]
}

export function versionLabel(versionId: string, known: readonly KnownVersion[]): string {
  const version = known.find(one => one.versionId === versionId)
  return version ? `${version.versionName ?? '–'} (${version.versionCode ?? '–'})` : versionId
}

export function totalOf(rows: readonly ReachRow[], measure: Measure): number {
  return rows.reduce((sum, row) => sum + row[measure], 0)
}

/** One count a day and version, days without one included; the newest version first. */
export function seriesOf(
  rows: readonly ReachRow[],
  known: readonly KnownVersion[],
  measure: Measure,
  period: number,
  now = Date.now(),
): ReachPicture {
  const days = Array.from({ length: period }, (_, index) => dayOf(now - (period - 1 - index) * dayMs))
  const ids = [...new Set(rows.map(row => row.versionId))]
  const series = ids.map(versionId => {
    const own = new Map(rows.filter(row => row.versionId === versionId).map(row => [row.day, row[measure]]))
    return { versionId, name: versionLabel(versionId, known), counts: days.map(day => own.get(day) ?? 0) }
  })
  const releases = known
    .filter(version => version.onShelfAt !== null && days.includes(dayOf(version.onShelfAt)))
    .map(version => ({ day: dayOf(version.onShelfAt ?? 0), name: versionLabel(version.versionId, known) }))
  return { days, series, releases }
}
