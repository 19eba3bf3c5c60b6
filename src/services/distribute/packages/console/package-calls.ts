import { client } from '../../../../console/client.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { files } from '../../../ground/files/contract.ts'
import { apps } from '../../apps/contract.ts'
import { type Difference, type Finding, type Package, type PackageSummary, packages } from '../contract.ts'

export const api = client(packages)
export const appCalls = client(apps)
export const fileCalls = client(files)

export type PackageView = Static<typeof Package>
export type PackageRow = Static<typeof PackageSummary>
export type FindingView = Static<typeof Finding>
export type DifferenceView = Static<typeof Difference>
