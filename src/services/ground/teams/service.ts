import type { Service } from '../../../server/service.ts'
import memberBulks from './bulk/handlers.ts'
import teams, { secondGeneration as teamsV2 } from './handlers.ts'
import invitations, { secondGeneration as invitationsV2 } from './invitations/handlers.ts'
import teamsWork from './jobs.ts'
import members, { secondGeneration as membersV2 } from './members/handlers.ts'
import permissionCheck, { explanation, explanationV2 } from './permission-check/handlers.ts'
import roles, { secondGeneration as rolesV2 } from './roles/handlers.ts'
import scopes, { secondGeneration as scopesV2 } from './scopes/handlers.ts'
import serviceProviders, { secondGeneration as serviceProvidersV2 } from './service-providers/handlers.ts'
import testUsers, { secondGeneration as testUsersV2 } from './test-users/handlers.ts'
import transfer, { secondGeneration as transferV2 } from './transfer/handlers.ts'
import visitors from './visitors/handlers.ts'

export default {
  calls: [
    teams,
    teamsV2,
    members,
    membersV2,
    roles,
    rolesV2,
    invitations,
    invitationsV2,
    scopes,
    scopesV2,
    transfer,
    transferV2,
    serviceProviders,
    serviceProvidersV2,
    testUsers,
    testUsersV2,
    visitors,
    permissionCheck,
    explanation,
    explanationV2,
    memberBulks,
  ],
  work: teamsWork,
} satisfies Service
