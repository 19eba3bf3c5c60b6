import { client } from '../../../../console/client.ts'
import type { Choices } from '../../../../console/kit/conditions/choices.ts'
import { useCall } from '../../../../console/use-call.ts'
import { appEvents } from '../../../analyse/app-events/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audiences } from '../audiences/contract.ts'
import { ruleSets } from '../rule-sets/contract.ts'
import { userAttributes } from '../rules.ts'

export const setsApi = client(ruleSets)
export const audiencesApi = client(audiences)
export const eventsApi = client(appEvents)
export const projectsApi = client(projects)

/** What rules may ask of: the attributes of users, and the audiences of the project. */
export function useChoices(projectId: string): Choices {
  const found = useCall(audiencesApi.listAudiences, { query: { projectId, pageSize: 100 } })
  return { attributes: [...userAttributes, 'country', 'appVersion'], audiences: found.data?.list ?? [] }
}
