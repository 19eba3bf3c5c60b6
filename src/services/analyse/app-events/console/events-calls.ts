import { client } from '../../../../console/client.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { appEvents } from '../contract.ts'

export const eventsApi = client(appEvents)
export const projectsApi = client(projects)
