import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { Answer } from '../../../../kernel/contract.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { dgsProjectApis } from '../../projects/api/contract.ts'
import { appOauth, type OauthClient } from '../app-oauth/contract.ts'
import { apiClients, type Client, type Scope } from '../contract.ts'
import { debugCredentials } from '../debug/contract.ts'
import { clientGrantCalls } from '../grants/contract.ts'
import { clientKeyCalls, type PublicKey } from '../keys/contract.ts'
import { userClients } from '../user-clients/contract.ts'

export const teamApi = client(apiClients)
export const ownApi = client(userClients)
export const clientKeyApi = client(clientKeyCalls)
export const grantApi = client(clientGrantCalls)
export const debugApi = client(debugCredentials)
export const oauthApi = client(appOauth)
export const projectKeyApi = client(dgsProjectApis)

export type ClientView = Static<typeof Client>
export type ScopeView = Static<typeof Scope>
export type KeyView = Static<typeof PublicKey>
export type OauthView = Static<typeof OauthClient>
export type GrantView = Answer<typeof clientGrantCalls.calls.listGrantRecords>['list'][number]

/** Whose clients a list or a page is about. */
export type Whose = 'team' | 'own'

type TeamCalls = typeof teamApi

/** The same calls for both, with the same shapes: what differs is who sees and changes them. */
export const callsOf = {
  team: {
    list: teamApi.listClients,
    get: teamApi.getClient,
    create: teamApi.createClient,
    update: teamApi.updateClient,
    remove: teamApi.deleteClient,
  },
  own: {
    list: ownApi.listUserClients as unknown as TeamCalls['listClients'],
    get: ownApi.getUserClient as unknown as TeamCalls['getClient'],
    create: ownApi.createUserClient as unknown as TeamCalls['createClient'],
    update: ownApi.updateUserClient as unknown as TeamCalls['updateClient'],
    remove: ownApi.deleteUserClient as unknown as TeamCalls['deleteClient'],
  },
} as const

export const pageOfClient = { team: '/api-clients/team/$clientId', own: '/api-clients/own/$clientId' } as const

export const toneOf: Readonly<Record<ClientView['state'], Tone>> = {
  ACTIVE: 'good',
  DISABLED: 'off',
  EXPIRED: 'caution',
}
