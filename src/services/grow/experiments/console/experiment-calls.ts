import { client } from '../../../../console/client.ts'
import type { Choices } from '../../../../console/kit/conditions/choices.ts'
import { useCall } from '../../../../console/use-call.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audiences } from '../../targeting/audiences/contract.ts'
import { experimentAnalysis } from '../analysis/contract.ts'
import { experiments } from '../contract.ts'
import { experimentLayers } from '../layers/contract.ts'
import { experimentMetrics } from '../metrics/contract.ts'

export const experimentsApi = client(experiments)
export const analysisApi = client(experimentAnalysis)
export const metricsApi = client(experimentMetrics)
export const layersApi = client(experimentLayers)
export const projectsApi = client(projects)
const audiencesApi = client(audiences)

/** What the rule of an experiment may ask of: the project's attributes and audiences. */
export function useRuleChoices(projectId: string): Choices {
  const attributes = useCall(experimentsApi.listAttributes, { query: { projectId, pageSize: 100 } })
  const found = useCall(audiencesApi.listAudiences, { query: { projectId, pageSize: 100 } })
  return { attributes: (attributes.data?.list ?? []).map(one => one.name), audiences: found.data?.list ?? [] }
}
