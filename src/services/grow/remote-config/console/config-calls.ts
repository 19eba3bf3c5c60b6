import { client } from '../../../../console/client.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audiences } from '../../targeting/audiences/contract.ts'
import { changeRequests } from '../change-requests/contract.ts'
import { type HeadView, remoteConfig } from '../contract.ts'
import { remoteConfigExchange } from '../exchange/contract.ts'
import { remoteConfigImpact } from '../impact/contract.ts'
import { remoteConfigReleases } from '../releases/contract.ts'
import { rolloutAgreement } from '../rollouts/agreement/contract.ts'
import { rollouts } from '../rollouts/contract.ts'
import type { Kind } from '../rules.ts'
import { remoteConfigSettings } from '../settings/contract.ts'

export const api = client(remoteConfig)
export const impactApi = client(remoteConfigImpact)
export const changesApi = client(changeRequests)
export const releasesApi = client(remoteConfigReleases)
export const rolloutsApi = client(rollouts)
export const agreementApi = client(rolloutAgreement)
export const exchangeApi = client(remoteConfigExchange)
export const settingsApi = client(remoteConfigSettings)
export const audiencesApi = client(audiences)
export const projectsApi = client(projects)

export interface Where {
  projectId: string
  kind: Kind
}

/** What each tab is given. */
export interface TabProps {
  where: Where
  head: HeadView
}
