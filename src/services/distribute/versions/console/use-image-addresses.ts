import { ownAddress } from '../../../../console/own-address.ts'
import { useCall } from '../../../../console/use-call.ts'
import { filesApi } from './version-calls.ts'

const addressLifeMs = 45 * 60_000

/** Addresses to show stored images from, by object id; asked for at once and again before they end. */
export function useImageAddresses(objectIds: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(objectIds)].sort().slice(0, 100)
  const found = useCall(
    filesApi.makeDownloadAddresses,
    { body: { objectIds: wanted } },
    {
      enabled: wanted.length > 0,
      staleTime: addressLifeMs,
      refetchInterval: addressLifeMs,
      refetchOnWindowFocus: false,
      keepBefore: true,
    },
  )
  return new Map(found.data?.urlsInfo.map(one => [one.objectId, ownAddress(one.url)]))
}
