import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { authHookCalls } from '../hooks-desk/contract.ts'
import { userImports } from '../imports/contract.ts'
import { authSettings } from '../settings/contract.ts'
import { appUserDesk } from '../user-desk/contract.ts'

export const settingsApi = client(authSettings)
export const usersApi = client(appUserDesk)
export const importApi = client(userImports)
export const hooksApi = client(authHookCalls)
export const projectsApi = client(projects)

export type Summary = Answer<typeof appUserDesk.calls.getUserSummary>
export type SmsUsage = Answer<typeof authSettings.calls.getSmsUsage>
