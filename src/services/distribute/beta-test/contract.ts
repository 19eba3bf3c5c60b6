import { type Contract, service } from '../../../kernel/contract.ts'
import {
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
} from '../../../kernel/shape.ts'
import { groupKinds, limits, userStates } from './rules.ts'

export type { GroupKind } from './rules.ts'

export const GroupName = text(limits.nameLength, 1)
export const GroupKinds = oneOf(groupKinds)
export const Count = Type.Integer({ minimum: 0 })
export const permissions = ['betaTest.read', 'betaTest.manage'] as const

export const TestGroup = shape({
  groupId: Id,
  appId: Id,
  name: GroupName,
  kind: GroupKinds,
  /** People who get what the group tests. */
  count: Count,
  /** Those of them who have said yes. */
  accepted: Count,
  inUseByVersionIds: list(Id),
  /** People join it by an activity of its own. */
  activityId: nullable(Id),
  createTime: Instant,
  revision: Revision,
})

export const TestUser = shape({
  userId: Id,
  groupId: Id,
  groupName: GroupName,
  account: text(limits.accountLength),
  nickname: text(limits.nicknameLength),
  state: oneOf(userStates),
  invitedAt: nullable(Instant),
  /** Of who is known by a phone number, for whoever may invite: the page to pass on to him; null otherwise. */
  page: nullable(text(1000)),
  /** When the invitation ends; null where none is open. */
  inviteExpiresAt: nullable(Instant),
  lastInstall: nullable(Instant),
  createTime: Instant,
  revision: Revision,
})

/** Groups of people who test an app. */
export const betaGroups = service({
  name: 'distribute/beta-test',
  prefix: '/bts/beta-management/v1',
  zone: 'current',
  permissions,
  errors: {
    groupNameTaken: [202080001, 409, 'The app has a test group called {name}; choose another name.'],
    groupInUse: [202080002, 422, 'GROUP_IN_USE: {count} tests go to the group; stop them first.'],
    groupLimit: [202080003, 422, 'An app has at most {limit} groups of the kind {kind}; delete one first.'],
    groupKindFixed: [
      202080004,
      422,
      'Only a group that nobody is in and no test goes to changes its kind; make a new group.',
    ],
    groupRecruits: [202080005, 422, 'An activity recruits for the group; close and delete that first.'],
  },
  calls: {
    listGroups: {
      method: 'GET',
      path: '/test-user/groups',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'Test groups of an app, the newest first',
      query: shape({ appId: Id, kind: optional(GroupKinds), search: optional(text(50)), ...PageQuery }),
      answer: pageOf(TestGroup),
    },
    createGroup: {
      method: 'POST',
      path: '/test-user/groups',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Makes a test group',
      body: shape({ appId: Id, name: GroupName, kind: GroupKinds }),
      answer: TestGroup,
    },
    getGroup: {
      method: 'GET',
      path: '/test-user/groups/:groupId',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'One test group',
      params: shape({ groupId: Id }),
      answer: TestGroup,
    },
    updateGroup: {
      method: 'PUT',
      path: '/test-user/groups/:groupId',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Renames a group; one that is empty and unused may change its kind',
      params: shape({ groupId: Id }),
      body: shape({ name: optional(GroupName), kind: optional(GroupKinds), revision: Revision }),
      answer: TestGroup,
    },
    deleteGroup: {
      method: 'DELETE',
      path: '/test-user/groups/:groupId',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Deletes a group with its people; not while a live test goes to it',
      params: shape({ groupId: Id }),
    },
  },
})

/** The second generation of the same calls. */
export const betaGroupsV2: Contract<typeof betaGroups.calls, typeof betaGroups.errors> = {
  ...betaGroups,
  prefix: '/bts/beta-management/v2',
}

export const NewUser = shape({
  account: text(limits.accountLength, 3),
  nickname: optional(text(limits.nicknameLength)),
})
export const NewUsers = Type.Array(NewUser, { minItems: 1, maxItems: limits.usersAtOnce })
export const Added = shape({ added: list(TestUser), known: Count })
export const Csv = text(limits.importLength, 1)
export const Invited = shape({ jobId: Id, invited: integer(0, limits.users) })
export const Started = shape({ bulkId: Id })
