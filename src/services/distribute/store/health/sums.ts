import { type HealthKind, healthKinds, type StarKind } from './rules.ts'

/** Devices by what they told, and how many stars those that rated gave together. */
export type HealthCounts = Record<HealthKind | 'stars', number>

export interface HealthRow {
  version_id: string
  kind: Exclude<HealthKind, 'rated'> | StarKind
  devices: string
}

/** The counts of a version that comes in phases, and of the full one beside it. */
export function sumsOf(rows: readonly HealthRow[], releaseId: string): { own: HealthCounts; base: HealthCounts } {
  const none = () => Object.fromEntries([...healthKinds, 'stars'].map(kind => [kind, 0])) as HealthCounts
  const sums = { own: none(), base: none() }
  for (const { version_id, kind, devices } of rows) {
    // Where the full version was exchanged meanwhile, both were what the others had.
    add(sums[version_id === releaseId ? 'own' : 'base'], kind, Number(devices))
  }
  return sums
}

function add(counts: HealthCounts, kind: HealthRow['kind'], devices: number): void {
  if (!isStars(kind)) {
    counts[kind] += devices
    return
  }
  counts.rated += devices
  counts.stars += Number(kind.slice('stars'.length)) * devices
}

const isStars = (kind: HealthRow['kind']): kind is StarKind => kind.startsWith('stars')
