import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionCanary } from '../canary/contract.ts'
import { functionsIde } from '../contract.ts'
import { functionGovernance } from '../governance/contract.ts'
import { functionGroups } from '../groups/contract.ts'
import { functionLayers } from '../layers/contract.ts'
import { functionManage } from '../manage/contract.ts'
import { functionScaling } from '../scaling/contract.ts'
import { functionSummary } from '../summary/contract.ts'
import { functionTesting } from '../testing/contract.ts'

export const api = client(functionsIde)
export const aliasApi = client(functionAliases)
export const summaryApi = client(functionSummary)
export const testApi = client(functionTesting)
export const governanceApi = client(functionGovernance)
export const scalingApi = client(functionScaling)
export const manageApi = client(functionManage)
export const layersApi = client(functionLayers)
export const groupsApi = client(functionGroups)
export const canaryApi = client(functionCanary)
export const projectsApi = client(projects)

export type FunctionView = Answer<typeof functionsIde.calls.getFunction>['function']
export type Summary = Answer<typeof functionSummary.calls.listSummaries>['list'][number]
export type Alias = Answer<typeof functionAliases.calls.getAlias>['alias']
export type Ran = Answer<typeof functionTesting.calls.testFunction>
export type BreakerView = Answer<typeof functionGovernance.calls.getCircuitBreaker>
export type RetryView = Answer<typeof functionGovernance.calls.getRetry>
export type BalanceView = Answer<typeof functionGovernance.calls.getLoadBalancer>
export type ManagerView = Answer<typeof functionScaling.calls.getManagerConfig>
export type CopyView = Answer<typeof functionManage.calls.getVersionInstances>['list'][number]
export type ScalingRules = Answer<typeof functionScaling.calls.listScalingRules>
export type LayerView = Answer<typeof functionLayers.calls.listLayers>['list'][number]
export type CanaryView = Answer<typeof functionCanary.calls.getCanary>['canary']
export type GroupView = Answer<typeof functionGroups.calls.listServices>['list'][number]
export type GroupRelease = Answer<typeof functionGroups.calls.getService>['releases'][number]
export type Outcome = Ran['outcome']
export const outcomes = ['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED'] as const
export const toneOf = (outcome: Outcome) => (outcome === 'SUCCESS' ? 'good' : outcome === 'REFUSED' ? 'caution' : 'bad')
