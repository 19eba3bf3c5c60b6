import { type ZoneId, zoneIds, zoneOfCode, zoneOfSite } from '../../../kernel/zones.ts'

export const limits = { timeoutMs: 5_000, paramsLength: 262_144, callsPerMinute: 600 } as const

/** Which named APIs always go to China (specification, section 7, in words): by the beginning of the name, or the name itself. */
export const chinaPrefixes = ['OpenPlatform.', 'Gateway.', 'AppGallery.', 'Common.', 'Store.'] as const
export const chinaLookups = ['Developer.queryMerchantInfo', 'Developer.queryWhiteList'] as const

export type ZonePolicy = 'china' | 'current'

export function zonePolicyOf(apiName: string): ZonePolicy {
  const isChina =
    chinaPrefixes.some(prefix => apiName.startsWith(prefix)) || chinaLookups.some(lookup => lookup === apiName)
  return isChina ? 'china' : 'current'
}

/**
 * Where a named API is called: the zone that the caller names, else China for the names that always go there, else
 * undefined, which is the caller's own. A named zone that is none throws the specification's words.
 */
export function zoneOfInvocation(apiName: string, named: { zoneId?: unknown }): ZoneId | undefined {
  if (Object.hasOwn(named, 'zoneId')) return readZone(named.zoneId)
  return zonePolicyOf(apiName) === 'china' ? 'CN' : undefined
}

/** A code (`DE`, `EU`), a site id (7), or the name of the default region. */
function readZone(zoneId: unknown): ZoneId {
  if (zoneId === 'chinaZoneID') return 'CN'
  if (typeof zoneId === 'number' && Number.isInteger(zoneId) && zoneId > 0) return zoneOfSite(zoneId)
  if (typeof zoneId === 'string' && (zoneId === 'EU' || (zoneIds as string[]).includes(zoneId)))
    return zoneOfCode(zoneId)
  return zoneOfCode(undefined)
}
