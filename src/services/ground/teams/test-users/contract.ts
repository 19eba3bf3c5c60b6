import { type Contract, service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, optional, PageQuery, pageOf, Revision, shape, text } from '../../../../kernel/shape.ts'

export const TestUser = shape({
  testUserId: Id,
  name: text(64, 1),
  address: text(254),
  note: text(300),
  createdAt: Instant,
  updatedAt: Instant,
  revision: integer(0, 2_147_483_647),
})

export const testUsers = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.testUsers'],
  errors: {
    tooManyTestUsers: [204110028, 422, 'A team has at most {limit} test users.'],
    testUserTaken: [204111017, 409, '{address} is a test user of this team already.'],
  },
  calls: {
    listTestUsers: {
      method: 'GET',
      path: '/test-user/list',
      who: 'cp',
      may: 'teams.testUsers',
      summary: 'Test users of the team, the newest first',
      query: shape({ ...PageQuery, search: optional(text(64)) }),
      answer: pageOf(TestUser),
    },
    getTestUser: {
      method: 'GET',
      path: '/test-user',
      who: 'cp',
      may: 'teams.testUsers',
      summary: 'One test user',
      query: shape({ testUserId: Id }),
      answer: TestUser,
    },
    createTestUser: {
      method: 'POST',
      path: '/test-user',
      who: 'cp',
      may: 'teams.testUsers',
      summary: 'Adds a test user by mail address or phone number',
      body: shape({ name: text(64, 1), address: text(254, 3), note: optional(text(300)) }),
      answer: TestUser,
    },
    updateTestUser: {
      method: 'PUT',
      path: '/test-user',
      who: 'cp',
      may: 'teams.testUsers',
      summary: 'Changes a test user',
      body: shape({
        testUserId: Id,
        name: optional(text(64, 1)),
        address: optional(text(254, 3)),
        note: optional(text(300)),
        revision: Revision,
      }),
      answer: TestUser,
    },
    deleteTestUser: {
      method: 'DELETE',
      path: '/test-user',
      who: 'cp',
      may: 'teams.testUsers',
      summary: 'Deletes a test user',
      query: shape({ testUserId: Id }),
    },
  },
})

/** The second generation of the same calls. */
export const testUsersV2: Contract<typeof testUsers.calls, typeof testUsers.errors> = {
  ...testUsers,
  prefix: '/ups/v2',
}
