import { client } from '../../../../../console/client.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import { packages } from '../../../packages/contract.ts'
import { appRelations, type Relation } from '../../../series/relations/contract.ts'
import { storeField } from '../../../store/field/contract.ts'
import { versionTests } from '../../../versions/testing/contract.ts'
import { appPlaces } from '../../places/contract.ts'

export const fieldCalls = client(storeField)
export const packageCalls = client(packages)
export const placeCalls = client(appPlaces)
export const relationCalls = client(appRelations)
export const testCalls = client(versionTests)

export type RelationView = Static<typeof Relation>
