import type { ZoneId } from '../../../../kernel/zones.ts'
import { isZoneOpen } from '../rules.ts'
import { serviceCatalogue } from '../services/rules.ts'
import { type ConsequenceKind, consequences, type ObstacleKind } from './rules.ts'

export interface Holding {
  apps: number
  /** Whether China takes projects. */
  isChinaOn: boolean
  enabled: readonly string[]
  configFiles: number
  agreements: number
}

export interface Outlook {
  obstacle: ObstacleKind | null
  consequences: { kind: ConsequenceKind; count: number }[]
  /** Services that are not offered there, or stand on one that is not. */
  endedServices: string[]
}

/** What would become of a project in a zone. */
export function outlookIn(zone: ZoneId, served: readonly ZoneId[], holding: Holding): Outlook {
  const obstacle = obstacleIn(zone, served, holding)
  const ended = endedIn(zone, holding.enabled)
  const counts: Record<ConsequenceKind, number> = {
    servicesStartEmpty: holding.enabled.length - ended.length,
    servicesEnd: ended.length,
    configFilesStale: holding.configFiles,
    agreementsEnd: holding.agreements,
  }
  const found = consequences.filter(kind => counts[kind] > 0).map(kind => ({ kind, count: counts[kind] }))
  return { obstacle, consequences: found, endedServices: ended }
}

function obstacleIn(zone: ZoneId, served: readonly ZoneId[], { apps, isChinaOn }: Holding): ObstacleKind | null {
  if (apps > 0) return 'apps'
  if (!served.includes(zone)) return 'notServed'
  return isZoneOpen(zone, isChinaOn) ? null : 'closed'
}

function endedIn(zone: ZoneId, enabled: readonly string[]): string[] {
  const ended = new Set<string>()
  // The catalogue names what a service stands on before the service, except once; two rounds reach a fixed point.
  for (let round = 0; round < 2; round++) {
    for (const one of serviceCatalogue) {
      const falls = one.notIn.includes(zone) || one.needs.some(need => ended.has(need))
      if (enabled.includes(one.serviceId) && falls) ended.add(one.serviceId)
    }
  }
  return [...ended]
}
