import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { databaseApi } from '../database-calls.ts'

/** The data zone and the type that the address names, else the first ones. */
export function usePlaces(projectId: string) {
  const zones = useCall(databaseApi.listZones, { query: { projectId } })
  const types = useCall(databaseApi.getObjectTypes, { query: { projectId } })
  const [search, change] = usePageSearch(raw => ({
    dataZone: String(raw['dataZone'] ?? ''),
    type: String(raw['type'] ?? ''),
  }))
  const zoneNames = (zones.data?.list ?? []).map(one => one.name)
  const zone = zoneNames.find(one => one === search.dataZone) ?? zoneNames[0]
  const list = types.data?.list ?? []
  const type = list.find(one => one.objectTypeName === search.type) ?? list[0]
  return {
    zones: zoneNames,
    zone,
    types: list,
    type,
    change,
    error: zones.error ?? types.error,
    isPending: zones.isPending || types.isPending,
  }
}
