import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { functionTesting } from '../testing/contract.ts'

export const api = client(functionsIde)
export const aliasApi = client(functionAliases)
export const testApi = client(functionTesting)
export const projectsApi = client(projects)

export type FunctionView = Answer<typeof functionsIde.calls.getFunction>['function']
export type Alias = Answer<typeof functionAliases.calls.getAlias>['alias']
export type Ran = Answer<typeof functionTesting.calls.testFunction>
export type Outcome = Ran['outcome']
export const outcomes = ['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED'] as const
export const toneOf = (outcome: Outcome) => (outcome === 'SUCCESS' ? 'good' : outcome === 'REFUSED' ? 'caution' : 'bad')
