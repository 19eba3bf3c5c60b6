import { ownAddress } from '../../../../console/own-address.ts'
import { useCall } from '../../../../console/use-call.ts'
import { fileCalls } from './package-calls.ts'

/** Where the pictures can be read from; one call for all of a page, and none where there are no pictures. */
export function usePictures(objectIds: readonly (string | null)[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(objectIds.filter(id => id !== null))].sort().slice(0, 100)
  const { data } = useCall(
    fileCalls.makeDownloadAddresses,
    { body: { objectIds: wanted } },
    { enabled: wanted.length > 0, staleTime: 30 * 60_000 },
  )
  return new Map(data?.urlsInfo.map(one => [one.objectId, ownAddress(one.url)]))
}
