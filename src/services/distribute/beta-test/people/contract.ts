import { bulkOutcome, bulkSummary } from '../../../../kernel/bulk.ts'
import { sheetFormats } from '../../../../kernel/cells.ts'
import { type Contract, service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
import {
  Id,
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
import { Added, Csv, NewUsers, permissions, Started, TestUser } from '../contract.ts'
import { limits, userStates } from '../rules.ts'

const State = oneOf(userStates)
const Filter = { search: optional(text(100)), state: optional(State) }
const Import = { ...bulkSummary(limits.importRows), appId: Id, groupId: nullable(Id) }

const ImportItem = shape({
  position: integer(0, limits.importRows),
  line: integer(1, 1_000_000),
  account: text(limits.accountLength),
  nickname: text(limits.nicknameLength),
  groupName: text(limits.nameLength),
  ...bulkOutcome,
})

/** The people of test groups: added one by one, many at once, from a file; taken out; written into a file. */
export const betaPeople = service({
  name: 'distribute/beta-test',
  prefix: '/bts/beta-management/v1',
  zone: 'current',
  permissions,
  errors: {
    userLimit: [202080011, 422, 'An app has at most {limit} test users; {remaining} more can be added.'],
    userLeft: [202080012, 422, '{account} left the tests and can be added again from {from} on.'],
    userKnown: [202080013, 409, '{account} is in the group already.'],
    noSuchGroup: [202080014, 422, 'The app has no group called {name}; make it first, or write another.'],
    badFile: [202080015, 422, 'The file cannot be read: {reason}.'],
    fileTooLong: [202080016, 422, 'The file has {rows} lines; split it, {limit} at a time can be taken.'],
    sameLine: [202080017, 409, '{account} stands in line {line} already.'],
  },
  calls: {
    listGroupUsers: {
      method: 'GET',
      path: '/test-user/groups/:groupId/users',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'People of a group, the newest first',
      params: shape({ groupId: Id }),
      query: shape({ ...Filter, ...PageQuery }),
      answer: pageOf(TestUser),
    },
    addGroupUsers: {
      method: 'POST',
      path: '/test-user/groups/:groupId/users',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Adds people by mail address or phone number; those who are in the group already stay as they are',
      params: shape({ groupId: Id }),
      body: shape({ users: NewUsers }),
      answer: Added,
    },
    removeGroupUser: {
      method: 'DELETE',
      path: '/test-user/groups/:groupId/users',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Takes somebody out of a group; what he could get by it ends at once',
      params: shape({ groupId: Id }),
      query: shape({ userId: Id }),
    },
    importGroupUsers: {
      method: 'POST',
      path: '/test-user/groups/:groupId/users/import',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Adds the people of a CSV file with the header account,nickname, line by line, with a report',
      params: shape({ groupId: Id }),
      body: shape({ csv: Csv }),
      answer: Started,
    },
    listUsers: {
      method: 'GET',
      path: '/test-users',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'People in any group of an app, the newest first; somebody in two groups stands there twice',
      query: shape({ appId: Id, groupId: optional(Id), ...Filter, ...PageQuery }),
      answer: pageOf(TestUser),
    },
    addUsers: {
      method: 'POST',
      path: '/test-users',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Adds people to several groups of an app at once',
      body: shape({
        appId: Id,
        groupIds: Type.Array(Id, { minItems: 1, maxItems: limits.groupsAtOnce, uniqueItems: true }),
        users: NewUsers,
      }),
      answer: Added,
    },
    updateUser: {
      method: 'PUT',
      path: '/test-users',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Changes what somebody is called',
      body: shape({ userId: Id, nickname: text(limits.nicknameLength), revision: Revision }),
      answer: TestUser,
    },
    removeUser: {
      method: 'DELETE',
      path: '/test-users',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Takes a person out of all groups of the app',
      query: shape({ userId: Id }),
      answer: shape({ removed: integer(0, 1_000) }),
    },
    importUsers: {
      method: 'POST',
      path: '/test-users/import',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Adds the people of a CSV file with the header account,nickname,group, each to the group it names',
      body: shape({ appId: Id, csv: Csv }),
      answer: Started,
    },
    getImport: {
      method: 'GET',
      path: '/test-users/import',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'How far an import is, and what became of each line',
      query: shape({ bulkId: Id }),
      answer: shape({ ...Import, list: list(ImportItem) }),
    },
    listImports: {
      method: 'GET',
      path: '/test-users/import/list',
      who: 'cp',
      may: 'betaTest.read',
      summary: 'Imports of an app, the newest first',
      query: shape({ appId: Id, ...PageQuery }),
      answer: pageOf(shape(Import)),
    },
    exportUsers: {
      method: 'GET',
      path: '/test-users/export',
      who: 'cp',
      may: 'betaTest.read',
      kind: 'download',
      summary: 'The list of people as a file',
      query: shape({
        appId: Id,
        groupId: optional(Id),
        ...Filter,
        format: oneOf(sheetFormats),
        language: optional(oneOf(languages)),
      }),
    },
  },
})

/** The second generation of the same calls. */
export const betaPeopleV2: Contract<typeof betaPeople.calls, typeof betaPeople.errors> = {
  ...betaPeople,
  prefix: '/bts/beta-management/v2',
}
