import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { apps } from '../../../distribute/apps/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { functionsIde } from '../../functions/contract.ts'
import { preload } from '../contract.ts'

export const api = client(preload)
export const appsApi = client(apps)
export const projectsApi = client(projects)
export const functionsApi = client(functionsIde)

export type PolicyView = Answer<typeof preload.calls.listPolicies>['list'][number]
