import { useQueries } from '@tanstack/react-query'
import { ownAddress } from '../../../../../console/own-address.ts'
import { keyOf } from '../../../../../console/use-call.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { api, fileCalls } from '../app-calls.ts'

const looked = { query: { pageSize: 50, sort: 'updated' as const } }
const pictureLife = 30 * 60_000

/** The apps somebody worked on last, over all zones of the team, with their pictures. */
export function useLatestApps(zones: readonly ZoneId[]) {
  const found = useQueries({
    queries: zones.map(zone => ({
      queryKey: keyOf(api.listApps, looked, zone),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.listApps(looked, { signal, zone }),
    })),
  })
  const ofZone = found.map(one => one.data?.list ?? [])
  const pictures = useQueries({
    queries: zones.map((zone, index) => {
      const objectIds = (ofZone[index] ?? []).map(app => app.iconObjectId).filter(id => id !== null)
      const input = { body: { objectIds: [...new Set(objectIds)].sort() } }
      return {
        queryKey: keyOf(fileCalls.makeDownloadAddresses, input, zone),
        queryFn: ({ signal }: { signal: AbortSignal }) => fileCalls.makeDownloadAddresses(input, { signal, zone }),
        enabled: objectIds.length > 0,
        staleTime: pictureLife,
      }
    }),
  })
  return {
    apps: ofZone.flat().toSorted((one, other) => other.updatedAt - one.updatedAt),
    pictures: new Map(
      pictures.flatMap(one => one.data?.urlsInfo ?? []).map(one => [one.objectId, ownAddress(one.url)]),
    ),
    isPending: found.some(one => one.isPending),
    error: found.find(one => one.error)?.error ?? null,
    retry: () => {
      for (const one of found) if (one.error) void one.refetch()
    },
  }
}
