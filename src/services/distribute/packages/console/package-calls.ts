import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { files } from '../../../ground/files/contract.ts'
import { partUploads } from '../../../ground/files/parts/contract.ts'
import { apps } from '../../apps/contract.ts'
import { type Claim, claimDesk, claims } from '../claims/contract.ts'
import { type Difference, type Finding, type Package, type PackageSummary, packages } from '../contract.ts'
import { differences } from '../difference/contract.ts'
import { manyPackages } from '../many/contract.ts'
import { phoneDesk, phones } from '../phones/contract.ts'
import { madePackages } from '../signed/contract.ts'
import { packageTasks } from '../tasks/contract.ts'
import { trustDesk } from '../trust/contract.ts'
import { wrapped } from '../wrapped/contract.ts'

export const api = client(packages)
export const madeCalls = client(madePackages)
export const taskCalls = client(packageTasks)
export const manyCalls = client(manyPackages)
export const differenceCalls = client(differences)
export const wrappedCalls = client(wrapped)
export const phoneCalls = client(phones)
export const phoneDeskCalls = client(phoneDesk)
export const trustCalls = client(trustDesk)
export const claimCalls = client(claims)
export const claimDeskCalls = client(claimDesk)
export const appCalls = client(apps)
export const fileCalls = client(files)
export const partCalls = client(partUploads)

export type PackageView = Static<typeof Package>
export type PackageRow = Static<typeof PackageSummary>
export type FindingView = Static<typeof Finding>
export type ClaimView = Static<typeof Claim>
export type TrustedRootView = Answer<typeof trustDesk.calls.addTrustedRoots>['list'][number]
export type DifferenceView = Static<typeof Difference>
