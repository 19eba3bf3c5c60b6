import { functionsIde } from '../services/build/functions/contract.ts'
import { storage } from '../services/build/storage/contract.ts'
import { packages } from '../services/distribute/packages/contract.ts'
import { newApp, uploadBytes } from '../services/distribute/packages/packages.testkit.ts'
import { versions } from '../services/distribute/versions/contract.ts'
import { apiClients } from '../services/ground/api-clients/contract.ts'
import { menu } from '../services/ground/menu/contract.ts'
import { invitations } from '../services/ground/teams/invitations/contract.ts'
import { roles } from '../services/ground/teams/roles/contract.ts'
import { serviceProviders } from '../services/ground/teams/service-providers/contract.ts'
import { testUsers } from '../services/ground/teams/test-users/contract.ts'
import { experiments } from '../services/grow/experiments/contract.ts'
import { experimentLayers } from '../services/grow/experiments/layers/contract.ts'
import { experimentMetrics } from '../services/grow/experiments/metrics/contract.ts'
import { audiences } from '../services/grow/targeting/audiences/contract.ts'
import { ruleSets } from '../services/grow/targeting/rule-sets/contract.ts'
import type { Person, Stage } from './stage.ts'

/** The names under which calls take ids of a team's things. */
export const idNames = [
  'accountId',
  'projectId',
  'appId',
  'objectId',
  'objectIds',
  'pkgId',
  'otherPkgId',
  'versionId',
  'taskId',
  'invitationId',
  'roleId',
  'testUserId',
  'bindingId',
  'tagSetId',
  'clientId',
  'bucketId',
  'functionId',
  'ruleSetId',
  'audienceId',
  'experimentId',
  'metricId',
  'layerId',
]

/** One of everything in the team of `owner`, made through the calls themselves. */
export async function idsOf(stage: Stage, owner: Person): Promise<Record<string, unknown>> {
  const { appId, projectId } = await newApp(owner)
  const objectId = await uploadBytes(stage, owner, Buffer.from('PK no real package'))
  const spare = await uploadBytes(stage, owner, Buffer.from('PK another'))
  const { pkgId, taskId } = await owner.ok(packages, 'createPackage', { body: { appId, objectId } })
  await stage.settle()
  const { versionId } = await owner.ok(versions, 'createVersion', { body: { appId } })
  return {
    accountId: owner.accountId,
    projectId,
    appId,
    objectId: spare,
    objectIds: [spare],
    pkgId,
    otherPkgId: pkgId,
    versionId,
    taskId,
    ...(await teamIdsOf(stage, owner)),
    clientId: await clientOf(owner),
    bucketId: (await owner.ok(storage, 'initData', { body: { projectId } })).bucketId,
    functionId: (await owner.ok(functionsIde, 'createFunction', { body: { projectId, functionName: 'own' } }))
      .functionId,
    ...(await targetingIdsOf(owner, projectId)),
    ...(await experimentIdsOf(owner, projectId)),
    tagSetId: (await owner.ok(menu, 'createTagSet', { body: { name: 'Own tags', tags: [] } })).tagSetId,
  }
}

async function teamIdsOf(stage: Stage, owner: Person) {
  const { invitation } = await owner.ok(invitations, 'createInvitation', {
    body: { address: `guest.of.${owner.teamId}@invited.example`, roles: ['developer'] },
  })
  const role = await owner.ok(roles, 'createRole', { body: { name: 'Own role', permissions: ['teams.read'] } })
  const { testUserId } = await owner.ok(testUsers, 'createTestUser', {
    body: { name: 'Tester', address: `tester.of.${owner.teamId}@test.example` },
  })
  const { teamId: spId } = await stage.person()
  const { bindingId } = await owner.ok(serviceProviders, 'inviteServiceProvider', { body: { spId } })
  return { invitationId: invitation.invitationId, roleId: role.role, testUserId, bindingId }
}

async function clientOf(owner: Person): Promise<string> {
  const { client } = await owner.ok(apiClients, 'createClient', {
    body: { name: 'Own client', permissions: ['projects.read'] },
  })
  return client.clientId
}

async function targetingIdsOf(owner: Person, projectId: string) {
  const { ruleSetId } = await owner.ok(ruleSets, 'createRuleSet', { body: { projectId, code: 'own', name: 'Own' } })
  const { audienceId } = await owner.ok(audiences, 'createAudience', { body: { projectId, name: 'Own' } })
  return { ruleSetId, audienceId }
}

async function experimentIdsOf(owner: Person, projectId: string) {
  const own = { projectId, name: 'Own' }
  const { experimentId } = await owner.ok(experiments, 'createExperiment', { body: own })
  const { layerId } = await owner.ok(experimentLayers, 'createLayer', { body: own })
  const definition = {
    ...{ kind: 'proportion' as const, event: 'open', of: 'count' as const, denominator: null, quantile: null },
    ...{ fromHours: 0, toHours: null, cap: null, direction: 'up' as const },
  }
  const { metricId } = await owner.ok(experimentMetrics, 'createMetric', { body: { ...own, definition } })
  return { experimentId, layerId, metricId }
}
