import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { apps } from '../../apps/contract.ts'
import { qualification } from '../contract.ts'
import { qualificationDesk } from '../desk/contract.ts'
import { qualificationMeta } from '../meta/contract.ts'

export const api = client(qualification)
export const desk = client(qualificationDesk)
export const meta = client(qualificationMeta)
export const appCalls = client(apps)
export const fileCalls = client(files)

export type TaskView = Answer<typeof qualification.calls.getTask>
export type DeskTaskView = Answer<typeof qualificationDesk.calls.getDeskTask>
export type TagView = Answer<typeof qualificationMeta.calls.listTagQuals>['list'][number]
export type DefView = Answer<typeof qualificationMeta.calls.listQualDefs>['list'][number]
