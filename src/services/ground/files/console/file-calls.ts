import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { scopes } from '../../teams/scopes/contract.ts'
import { files } from '../contract.ts'
import { partUploads } from '../parts/contract.ts'
import { fileTasks } from '../tasks/contract.ts'

export const api = client(files)
export const partCalls = client(partUploads)
export const taskCalls = client(fileTasks)
export const scopeCalls = client(scopes)

export type FileView = Answer<typeof files.calls.listObjects>['list'][number]
export type CheckDetails = Answer<typeof fileTasks.calls.getCheckDetails>
