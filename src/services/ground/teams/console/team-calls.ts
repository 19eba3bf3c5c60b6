import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { memberBulks } from '../bulk/contract.ts'
import { type Scope, teams } from '../contract.ts'
import { type Invitation, invitations } from '../invitations/contract.ts'
import { type Member, members } from '../members/contract.ts'
import { permissionExplain } from '../permission-check/contract.ts'
import { type Role, roles } from '../roles/contract.ts'
import { scopes } from '../scopes/contract.ts'
import { serviceProviders } from '../service-providers/contract.ts'
import { type TestUser, testUsers } from '../test-users/contract.ts'
import { transfer } from '../transfer/contract.ts'

export const api = client(teams)
export const bulkApi = client(memberBulks)
export const memberApi = client(members)
export const roleApi = client(roles)
export const invitationApi = client(invitations)
export const scopeApi = client(scopes)
export const leadApi = client(transfer)
export const providerApi = client(serviceProviders)
export const testUserApi = client(testUsers)
export const explainApi = client(permissionExplain)

export type MemberView = Static<typeof Member>
export type RoleView = Static<typeof Role>
export type InvitationView = Static<typeof Invitation>
export type TestUserView = Static<typeof TestUser>
export type ScopeView = Static<typeof Scope>
export type BindingView = Answer<typeof serviceProviders.calls.listServiceProviders>['list'][number]
export type ThingView = Answer<typeof scopes.calls.listScopes>['list'][number]
