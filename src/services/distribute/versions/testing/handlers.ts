import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { toVersion } from '../answer.ts'
import { toGroups, toTest, toTests, toUser } from './answer.ts'
import { versionTests as contract } from './contract.ts'
import { createTest, deleteTest } from './drafts.ts'
import { addUsers, checkGroup, createGroup, deleteGroup, removeUser } from './groups.ts'
import { promote } from './promote.ts'
import { loadGroup, loadTest, pageOfGroups, pageOfTests, pageOfUsers } from './queries.ts'
import { extendTest, releaseToAll, releaseToGroups, stopTest } from './release.ts'

export default implement(contract, {
  createTestVersion: async (ctx, { body }) => toTest(ctx, await createTest(ctx, body)),

  getTestVersion: async (ctx, { query }) => toTest(ctx, await loadTest(ctx, query.versionId)),

  listTestVersions: async (ctx, { body }) => {
    await appOf(ctx, body.appId)
    const page = await pageOfTests(ctx, body)
    return { ...page, list: await toTests(ctx, page.list) }
  },

  releaseTest: async (ctx, { body }) => toTest(ctx, await releaseToGroups(ctx, body)),

  openTest: async (ctx, { body }) => {
    if (body.action !== 'PROMOTE') return { test: await toTest(ctx, await releaseToAll(ctx, body)), version: null }
    const { test, version } = await promote(ctx, body)
    return { test: await toTest(ctx, test), version: toVersion(ctx, version) }
  },

  updateTest: async (ctx, { body }) => toTest(ctx, await extendTest(ctx, body)),

  stopTest: async (ctx, { body }) => toTest(ctx, await stopTest(ctx, body.versionId)),

  deleteTestVersion: async (ctx, { query }) => {
    await deleteTest(ctx, query.versionId)
    return {}
  },

  checkTestGroup: (ctx, { query }) => checkGroup(ctx, query),

  listTestGroups: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfGroups(ctx, query)
    return { ...page, list: await toGroups(ctx, page.list) }
  },

  createTestGroup: async (ctx, { body }) => {
    const [group] = await toGroups(ctx, [await createGroup(ctx, body)])
    if (!group) throw new Error('one row makes one answer')
    return group
  },

  deleteTestGroup: async (ctx, { query }) => {
    await deleteGroup(ctx, query.groupId)
    return {}
  },

  listTestUsers: async (ctx, { query }) => {
    await loadGroup(ctx, query.groupId)
    const page = await pageOfUsers(ctx, query)
    return { ...page, list: page.list.map(toUser) }
  },

  addTestUsers: async (ctx, { body }) => {
    const { added, known } = await addUsers(ctx, body)
    return { added: added.map(toUser), known }
  },

  removeTestUser: async (ctx, { query }) => {
    await removeUser(ctx, query.userId)
    return {}
  },
})
