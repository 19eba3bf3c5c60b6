import { client } from '../../../../console/client.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { files } from '../../../ground/files/contract.ts'
import { dgsDelegates, type Project, projects } from '../../../ground/projects/contract.ts'
import { packages } from '../../packages/contract.ts'
import { submissions } from '../../review/contract.ts'
import { appRelations, type Relation } from '../../series/relations/contract.ts'
import { storeField } from '../../store/field/contract.ts'
import { versionBulks } from '../../versions/bulk/contract.ts'
import { versionTests } from '../../versions/testing/contract.ts'
import { type App, apps } from '../contract.ts'
import { type NonAgApp, nonAgApps } from '../non-ag/contract.ts'
import { appPlaces } from '../places/contract.ts'
import { appTransfer, type Move } from '../transfer/contract.ts'

export const api = client(apps)
export const projectCalls = client(projects)
export const homeCalls = client(dgsDelegates)
export const placeCalls = client(appPlaces)
export const relationCalls = client(appRelations)
export const moveCalls = client(appTransfer)
export const nonAgCalls = client(nonAgApps)
export const bulkCalls = client(versionBulks)
export const submissionCalls = client(submissions)
export const testCalls = client(versionTests)
export const fieldCalls = client(storeField)
export const packageCalls = client(packages)
export const fileCalls = client(files)

export type AppView = Static<typeof App>
export type NonAgView = Static<typeof NonAgApp>
export type RelationView = Static<typeof Relation>
export type MoveView = Static<typeof Move>
export type ProjectView = Static<typeof Project>
