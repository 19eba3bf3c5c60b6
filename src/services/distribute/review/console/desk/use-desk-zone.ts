import { usePageSearch } from '../../../../../console/page-search.ts'
import { type ZoneId, zoneIds } from '../../../../../kernel/zones.ts'

const readZone = (raw: Record<string, unknown>): { zone?: ZoneId | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})

/** Tasks stay in the zone of their app; which one the desk looks at stands in the address. */
export function useDeskZone(): { zone: ZoneId; search: Record<string, string> } {
  const [{ zone = 'CN' }] = usePageSearch(readZone)
  return { zone, search: zone === 'CN' ? {} : { zone } }
}
