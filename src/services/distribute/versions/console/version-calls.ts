import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { partUploads } from '../../../ground/files/parts/contract.ts'
import { apps } from '../../apps/contract.ts'
import { appsDesk } from '../../apps/desk/contract.ts'
import { betaGroups } from '../../beta-test/contract.ts'
import { packages } from '../../packages/contract.ts'
import { submissions } from '../../review/contract.ts'
import { storeField } from '../../store/field/contract.ts'
import { storeHealth } from '../../store/health/contract.ts'
import { versionBulks } from '../bulk/contract.ts'
import { versions } from '../contract.ts'
import { versionDeclarations } from '../declarations/contract.ts'
import { versionHistory } from '../history/contract.ts'
import { versionListings } from '../listing/contract.ts'
import { versionPhased } from '../phased/contract.ts'
import { versionRollback } from '../rollback/contract.ts'
import { versionShelf } from '../shelf/contract.ts'
import { versionTests } from '../testing/contract.ts'

export const api = client(versions)
export const listingApi = client(versionListings)
export const shelfApi = client(versionShelf)
export const phasedApi = client(versionPhased)
export const rollbackApi = client(versionRollback)
export const fieldApi = client(storeField)
export const healthApi = client(storeHealth)
export const testsApi = client(versionTests)
export const groupsApi = client(betaGroups)
export const historyApi = client(versionHistory)
export const bulkApi = client(versionBulks)
export const declareApi = client(versionDeclarations)
export const staffAppsApi = client(appsDesk)
export const appsApi = client(apps)
export const packagesApi = client(packages)
export const filesApi = client(files)
export const partCalls = client(partUploads)
export const submissionsApi = client(submissions)

type Calls = typeof versions.calls
export type VersionView = Answer<Calls['createVersion']>
export type VersionAnswer = Answer<Calls['getVersion']>
export type TestView = Answer<(typeof versionTests.calls)['getTestVersion']>
export type FindingView = VersionView['findings'][number]
export type ListingView = Answer<(typeof versionListings.calls)['listListings']>['list'][number]
export type TimelineEntry = Answer<(typeof versionHistory.calls)['getHistoryVersion']>['timeline'][number]
type PhasedAnswer = Answer<(typeof versionPhased.calls)['listPhasedChanges']>
export type PhasedView = NonNullable<PhasedAnswer['phased']>
export type PhasedChangeView = PhasedAnswer['list'][number]
export type FieldView = Answer<(typeof storeField.calls)['listFieldVersions']>
export type HealthView = Answer<(typeof storeHealth.calls)['getReleaseHealth']>
export type RollbackView = Answer<(typeof versionRollback.calls)['previewRollback']>
export type ForwardAnswer = Answer<(typeof versionRollback.calls)['getForward']>
export type AppView = Answer<(typeof apps.calls)['getApp']>
