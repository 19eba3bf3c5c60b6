import { ownAddress } from '../../../../console/own-address.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { PictureSize } from '../rules.ts'
import { api, type FileView } from './file-calls.ts'
import { isPicture } from './file-words.ts'

/** Addresses of papers live five minutes only. */
const freshMs = 4 * 60_000

/** Where the pictures among the files can be read from; one call for all, and none where there are no pictures. */
export function usePicturesOf(files: readonly FileView[], picture: PictureSize): ReadonlyMap<string, string> {
  const now = Date.now()
  const shown = files.filter(file => isPicture(file) && (file.expireAt === null || file.expireAt > now))
  const objectIds = shown.map(file => file.objectId).sort()
  const { data } = useCall(
    api.makeDownloadAddresses,
    { body: { objectIds, picture } },
    { enabled: objectIds.length > 0, staleTime: freshMs, retry: false },
  )
  return new Map(data?.urlsInfo.map(one => [one.objectId, ownAddress(one.url)]))
}
