import { afterAll, beforeAll, describe } from 'vitest'
import type { Person } from '../../../testkit/stage.ts'
import { refusesOutOfReach, scopedMember } from '../apps/scope.testkit.ts'
import { day, openTestScene, type TestScene } from '../versions/testing/testing.testkit.ts'
import { betaActivities, crowdTest } from './activities/contract.ts'
import { betaGroups } from './contract.ts'
import { betaFeedback } from './feedback/contract.ts'
import { betaInvitations } from './invitations/contract.ts'
import { betaPeople } from './people/contract.ts'
import { betaTester } from './tester/contract.ts'
import { tokenMailedTo } from './tokens.testkit.ts'

let scene: TestScene
let limited: Person
const other = {
  appId: '',
  groupId: '',
  userId: '',
  linkId: '',
  bulkId: '',
  feedbackId: '',
  activityId: '',
  crowdId: '',
}
beforeAll(async () => {
  scene = await openTestScene()
  await scene.newApp()
  const mine = scene.appId
  await scene.newApp()
  const { owner, appId } = scene
  const groupId = await scene.group('Crew', 'EXTERNAL', ['ann@example.org'])
  const inside = await scene.group('Inside', 'INTERNAL', ['bob@example.org'])
  const params = { groupId }
  const { list } = await owner.ok(betaPeople, 'listGroupUsers', { params })
  const { linkId } = await owner.ok(betaInvitations, 'createLink', { params, body: { limit: 5 } })
  const { bulkId } = await owner.ok(betaPeople, 'importGroupUsers', { params, body: { csv: 'account\nc@example.org' } })
  const { versionId } = await scene.running([inside], { notify: true })
  await scene.stage.settle()
  const token = await tokenMailedTo(scene.stage, 'bob@example.org')
  await scene.stage.anybody.ok(betaTester, 'acceptInvitation', { body: { token } })
  const { feedbackId } = await scene.stage.anybody.ok(betaTester, 'sendFeedback', {
    body: { token, versionId, text: 'It crashes.' },
  })
  const crowd = await owner.ok(crowdTest, 'createGroup', { body: { ...wish(appId), name: 'Crowd' } })
  const { activityId } = await owner.ok(betaActivities, 'createActivity', { body: { ...wish(appId), title: 'Look' } })
  const userId = list[0]?.userId ?? ''
  Object.assign(other, { appId, groupId, userId, linkId, bulkId, feedbackId, activityId, crowdId: crowd.groupId })
  limited = await scopedMember(scene.stage, owner, [mine])
})
afterAll(() => scene.stage.close())

function wish(appId: string) {
  const startAt = scene.stage.clock.now()
  return { appId, quota: 5, startAt, endAt: startAt + day }
}

describe('who reaches one app of the team learns nothing of the testers of another', () => {
  const params = () => ({ groupId: other.groupId })
  const users = [{ account: 'eve@example.org' }]
  refusesOutOfReach(
    betaGroups,
    () => ({
      person: limited,
      calls: {
        listGroups: { query: { appId: other.appId } },
        createGroup: { body: { appId: other.appId, name: 'New', kind: 'INTERNAL' } },
        getGroup: { params: params() },
        updateGroup: { params: params(), body: { name: 'New', revision: 1 } },
        deleteGroup: { params: params() },
      },
    }),
    [],
  )
  refusesOutOfReach(
    betaPeople,
    () => ({
      person: limited,
      calls: {
        listGroupUsers: { params: params() },
        addGroupUsers: { params: params(), body: { users } },
        removeGroupUser: { params: params(), query: { userId: other.userId } },
        importGroupUsers: { params: params(), body: { csv: 'account\neve@example.org' } },
        listUsers: { query: { appId: other.appId } },
        addUsers: { body: { appId: other.appId, groupIds: [other.groupId], users } },
        updateUser: { body: { userId: other.userId, nickname: 'Eve', revision: 1 } },
        removeUser: { query: { userId: other.userId } },
        importUsers: { body: { appId: other.appId, csv: 'account,group\neve@example.org,Crew' } },
        getImport: { query: { bulkId: other.bulkId } },
        listImports: { query: { appId: other.appId } },
        exportUsers: { query: { appId: other.appId, format: 'csv' } },
      },
    }),
    [],
  )
  refusesOutOfReach(
    betaInvitations,
    () => ({
      person: limited,
      calls: {
        inviteGroup: { params: params() },
        inviteUsers: { body: { userIds: [other.userId] } },
        createLink: { params: params(), body: { limit: 5 } },
        listLinks: { params: params() },
        revokeLink: { params: params(), query: { linkId: other.linkId } },
      },
    }),
    ['subscribe', 'unsubscribe'],
  )
  refusesOutOfReach(
    betaFeedback,
    () => ({
      person: limited,
      calls: {
        listFeedback: { query: { appId: other.appId } },
        getFeedbackNumbers: { query: { appId: other.appId } },
        moveFeedback: { body: { feedbackId: other.feedbackId, action: 'take', revision: 1 } },
        deleteFeedback: { query: { feedbackId: other.feedbackId } },
      },
    }),
    [],
  )
  refusesOutOfReach(
    betaActivities,
    () => ({
      person: limited,
      calls: {
        listActivities: { query: { appId: other.appId } },
        createActivity: { body: { ...wish(other.appId), title: 'New' } },
        getActivity: { params: { activityId: other.activityId } },
        updateActivity: { params: { activityId: other.activityId }, body: { quota: 9, revision: 1 } },
        moveActivity: { params: { activityId: other.activityId }, body: { action: 'publish' } },
        deleteActivity: { params: { activityId: other.activityId } },
      },
    }),
    [],
  )
  refusesOutOfReach(
    crowdTest,
    () => ({
      person: limited,
      calls: {
        listGroups: { query: { appId: other.appId } },
        createGroup: { body: { ...wish(other.appId), name: 'New' } },
        updateGroup: { body: { groupId: other.crowdId, quota: 9 } },
        deleteGroup: { query: { groupId: other.crowdId } },
        listGroupUsers: { params: params() },
        addGroupUsers: { params: params(), body: { users } },
        removeGroupUser: { params: params(), query: { userId: other.userId } },
        importUsers: { body: { appId: other.appId, csv: 'account,group\neve@example.org,Crew' } },
        invite: { body: { groupId: other.groupId } },
      },
    }),
    ['subscribe', 'unsubscribe'],
  )
})
