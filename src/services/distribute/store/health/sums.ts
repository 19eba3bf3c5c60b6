import { type HealthKind, healthKinds } from './rules.ts'

export type HealthCounts = Record<HealthKind, number>

export interface HealthRow {
  version_id: string
  kind: HealthKind
  devices: string
}

/** The counts of a version that comes in phases, and of the full one beside it. */
export function sumsOf(rows: readonly HealthRow[], releaseId: string): { own: HealthCounts; base: HealthCounts } {
  const none = () => Object.fromEntries(healthKinds.map(kind => [kind, 0])) as HealthCounts
  const sums = { own: none(), base: none() }
  for (const { version_id, kind, devices } of rows) {
    // Where the full version was exchanged meanwhile, both were what the others had.
    sums[version_id === releaseId ? 'own' : 'base'][kind] += Number(devices)
  }
  return sums
}
