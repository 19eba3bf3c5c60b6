import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { apps } from '../../apps/contract.ts'
import { packages } from '../../packages/contract.ts'
import { submissions } from '../../review/contract.ts'
import { versions } from '../contract.ts'

export const api = client(versions)
export const appsApi = client(apps)
export const packagesApi = client(packages)
export const filesApi = client(files)
export const submissionsApi = client(submissions)

type Calls = typeof versions.calls
export type VersionView = Answer<Calls['createVersion']>
export type VersionAnswer = Answer<Calls['getVersion']>
export type FindingView = VersionView['findings'][number]
export type ListingView = Answer<Calls['listListings']>['list'][number]
export type TimelineEntry = Answer<Calls['getHistoryVersion']>['timeline'][number]
export type AppView = Answer<(typeof apps.calls)['getApp']>
