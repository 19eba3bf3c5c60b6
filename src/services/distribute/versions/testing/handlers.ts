import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { checkGroup } from '../../beta-test/public.ts'
import { toVersion } from '../answer.ts'
import { toTest, toTests } from './answer.ts'
import { versionTests as contract } from './contract.ts'
import { createTest, deleteTest } from './drafts.ts'
import { promote } from './promote.ts'
import { loadTest, pageOfTests } from './queries.ts'
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
})
