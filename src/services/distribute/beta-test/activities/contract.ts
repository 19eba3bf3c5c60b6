import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Count, Csv, GroupName, Invited, permissions, Started, TestGroup } from '../contract.ts'
import { Joined, Token } from '../invitations/contract.ts'
import { betaPeople } from '../people/contract.ts'
import { limits as of } from '../rules.ts'
import { activityActions, activityStates, activityLimits as limits } from './rules.ts'

const Title = text(limits.titleLength, 1)
const Description = text(limits.textLength)
const Reward = text(limits.rewardLength)
const Quota = integer(1, limits.quota)
const Models = Type.Array(text(limits.modelLength, 1), { maxItems: limits.models, uniqueItems: true })

/** What is said and wanted of an activity. */
const Wish = {
  title: Title,
  description: optional(Description),
  reward: optional(Reward),
  quota: Quota,
  deviceModels: optional(Models),
  startAt: Instant,
  endAt: Instant,
}

export const Activity = shape({
  activityId: Id,
  appId: Id,
  groupId: Id,
  groupName: GroupName,
  state: oneOf(activityStates),
  title: Title,
  description: Description,
  reward: Reward,
  quota: Quota,
  joined: Count,
  deviceModels: Models,
  startAt: Instant,
  endAt: Instant,
  /** Where people join while it recruits. */
  page: nullable(text(1000)),
  createdAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(activityActions)),
})

/** Searches for testers among everybody. */
export const betaActivities = service({
  name: 'distribute/beta-test',
  prefix: '/bts/beta-management/v1',
  zone: 'current',
  permissions,
  errors: {
    activityLimit: [202080031, 422, 'An app has at most {limit} activities; delete one first.'],
    activityWindow: [202080032, 422, 'End the activity in the future and at most {days} days after its start.'],
    activityFull: [202080033, 422, 'The activity has found the {quota} people it was looking for.'],
    quotaBelow: [202080034, 422, '{joined} people have joined; give a number that is not lower.'],
  },
  calls: {
    listActivities: {
      method: 'GET',
      path: '/activities',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'Activities of an app, the newest first',
      query: shape({ appId: Id, state: optional(oneOf(activityStates)), search: optional(text(60)), ...PageQuery }),
      answer: pageOf(Activity),
    },
    createActivity: {
      method: 'POST',
      path: '/activities',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Prepares an activity with a group of its own, which has its name',
      body: shape({ appId: Id, ...Wish }),
      answer: Activity,
    },
    getActivity: {
      method: 'GET',
      path: '/activities/:activityId',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'One activity',
      params: shape({ activityId: Id }),
      answer: Activity,
    },
    updateActivity: {
      method: 'PUT',
      path: '/activities/:activityId',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Changes an activity, also while it recruits',
      params: shape({ activityId: Id }),
      body: shape({
        title: optional(Title),
        description: optional(Description),
        reward: optional(Reward),
        quota: optional(Quota),
        deviceModels: optional(Models),
        startAt: optional(Instant),
        endAt: optional(Instant),
        revision: Revision,
      }),
      answer: Activity,
    },
    moveActivity: {
      method: 'POST',
      path: '/activities/:activityId/state',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Opens an activity to everybody, or closes it; who has joined stays',
      params: shape({ activityId: Id }),
      body: shape({ action: oneOf(['publish', 'close']), revision: optional(Revision) }),
      answer: Activity,
    },
    deleteActivity: {
      method: 'DELETE',
      path: '/activities/:activityId',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Deletes an activity that does not recruit; its group stays',
      params: shape({ activityId: Id }),
    },
  },
})

/** A group with the activity that recruits for it: crowd test's words for the same rows. */
export const CrowdGroup = shape({
  ...TestGroup.properties,
  quota: Quota,
  joined: Count,
  reward: Reward,
  deviceModels: Models,
  state: oneOf(activityStates),
  startAt: Instant,
  endAt: Instant,
})

const GroupId = shape({ groupId: Id })
const Recruiting = { ...Wish, title: optional(Title) }

/** Crowd test: the groups that recruit, by the calls of the field. */
export const crowdTest = service({
  name: 'distribute/beta-test',
  prefix: '/crowdtest/server/v2',
  zone: 'current',
  permissions,
  errors: {},
  calls: {
    listGroups: {
      method: 'GET',
      path: '/test-user/groups',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'Groups of an app that recruit testers, the newest first',
      query: shape({ appId: Id, search: optional(text(50)), ...PageQuery }),
      answer: pageOf(CrowdGroup),
    },
    createGroup: {
      method: 'POST',
      path: '/test-user/groups',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Makes a group and opens the activity that recruits for it',
      body: shape({ appId: Id, name: GroupName, ...Recruiting }),
      answer: CrowdGroup,
    },
    updateGroup: {
      method: 'PUT',
      path: '/test-user/groups',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Changes how many are looked for, what they get, until when',
      body: shape({
        groupId: Id,
        quota: optional(Quota),
        reward: optional(Reward),
        deviceModels: optional(Models),
        endAt: optional(Instant),
        revision: optional(Revision),
      }),
      answer: CrowdGroup,
    },
    deleteGroup: {
      method: 'DELETE',
      path: '/test-user/groups',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Ends the recruiting and deletes the group; not while a live test goes to it',
      query: GroupId,
    },
    listGroupUsers: betaPeople.calls.listGroupUsers,
    addGroupUsers: betaPeople.calls.addGroupUsers,
    removeGroupUser: betaPeople.calls.removeGroupUser,
    importUsers: {
      method: 'POST',
      path: '/test-users/import',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Adds the people of a CSV file to a group, or each to the group it names',
      body: shape({ appId: Id, groupId: optional(Id), csv: Csv }),
      answer: Started,
    },
    invite: {
      method: 'POST',
      path: '/invite',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Mails an invitation to a group, or to these people',
      body: shape({
        groupId: optional(Id),
        userIds: optional(Type.Array(Id, { minItems: 1, maxItems: of.usersAtOnce, uniqueItems: true })),
      }),
      answer: Invited,
    },
    subscribe: {
      method: 'POST',
      path: '/subscribe',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Somebody with an account joins an activity, or says yes to an invitation',
      body: shape({ activityId: optional(Id), token: optional(Token) }),
      answer: Joined,
    },
    unsubscribe: {
      method: 'POST',
      path: '/unsubscribe',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Somebody with an account leaves the tests of the app',
      body: shape({ activityId: optional(Id), token: optional(Token) }),
      answer: shape({ hasLeft: flag() }),
    },
  },
})
