import { usePageSearch } from '../../../../../console/page-search.ts'
import { type ZoneId, zoneIds } from '../../../../../kernel/zones.ts'

const readZone = (raw: Record<string, unknown>): { zone?: ZoneId | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})

/** Tasks stay in the zone of their app. Which one the desk looks at stands in the address; without it, the server's first. */
export function useDeskZone(): { zone: ZoneId | undefined; at: { zone?: ZoneId }; search: Record<string, string> } {
  const [{ zone }] = usePageSearch(readZone)
  return { zone, at: zone ? { zone } : {}, search: zone ? { zone } : {} }
}
