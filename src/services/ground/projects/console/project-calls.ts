import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { members } from '../../teams/members/contract.ts'
import { dgsProjectApis, projectApiService } from '../api/contract.ts'
import { projectConfigFiles } from '../config-files/contract.ts'
import { projects } from '../contract.ts'
import { devProjects } from '../members/contract.ts'
import { projectRegion } from '../region/contract.ts'
import { projectServices } from '../services/contract.ts'
import { projectSettings } from '../settings/contract.ts'

export const api = client(projects)
export const settingsApi = client(projectSettings)
export const peopleApi = client(devProjects)
export const serviceApi = client(projectServices)
export const regionApi = client(projectRegion)
export const keyApi = client(dgsProjectApis)
export const switchApi = client(projectApiService)
export const fileApi = client(projectConfigFiles)
export const teamApi = client(members)

export type DevProjectView = Answer<typeof devProjects.calls.getDevProject>['list'][number]
export type PersonView = Answer<typeof devProjects.calls.listProjectMembers>['list'][number]
export type PropertyView = Answer<typeof projectSettings.calls.getProperties>['list'][number]
export type KeyView = Answer<typeof dgsProjectApis.calls.listApiKeys>['list'][number]
export type ApiView = Answer<typeof projectApiService.calls.getApiService>['list'][number]
export type AllianceView = Answer<typeof dgsProjectApis.calls.getAllianceAttr>
export type MappingView = Answer<typeof projectSettings.calls.listMappings>['list'][number]
export type FileView = Answer<typeof projectConfigFiles.calls.listConfigFiles>['list'][number]
export type RegionView = Answer<typeof projectRegion.calls.getRegion>
export type ServiceView = Answer<typeof projectServices.calls.listOrders>['list'][number]
