import { useQuery } from '@tanstack/react-query'
import { client } from '../../../../console/client.ts'
import { readConfiguration } from '../../../../console/page-configuration.ts'
import { projectZone } from '../../../../console/session.ts'
import { queryClient } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { siteOfZone } from '../../../../kernel/zones.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { storage, storageOlder } from '../contract.ts'
import { storageFiles, storageFilesOlder } from '../files/contract.ts'
import { storageHosting, storageHostingOlder } from '../hosting/contract.ts'
import { storageKeys } from '../keys/contract.ts'

export const api = client(storage)
export const filesApi = client(storageFiles)
export const hostingApi = client(storageHosting)
export const keysApi = client(storageKeys)
export const projectsApi = client(projects)

const older = { ...client(storageOlder), ...client(storageFilesOlder), ...client(storageHostingOlder) }
const newer = { ...api, ...filesApi, ...hostingApi }

/** The calls that both generations have, of the one that the operator's switch names for the zone on screen. */
export function useGeneration(): Pick<typeof newer, keyof typeof older> {
  const zone = projectZone.get()
  const siteId = zone === undefined ? null : siteOfZone(zone)
  const { data } = useQuery(
    { queryKey: ['ground/menu', 'storage generation', siteId], queryFn: readConfiguration, staleTime: 60_000 },
    queryClient,
  )
  const isNewer = data?.storage.find(one => one.siteId === siteId)?.isNewer ?? true
  return isNewer ? newer : (older as unknown as typeof newer)
}

export type BucketView = Answer<typeof storage.calls.queryBucketIds>['list'][number]
export type KeyView = Answer<typeof storageKeys.calls.listKeys>['list'][number]
export type FileView = Answer<typeof storageFiles.calls.listFiles>['files'][number]
export type DetailView = Answer<typeof storageFiles.calls.queryDetail>
export type SiteView = Answer<typeof storageHosting.calls.queryCDN>
