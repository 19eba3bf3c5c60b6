import type { Listener } from '../../../../server/work.ts'
import type { TestDoors, TestFacts } from '../../beta-test/public.ts'
import { startMails } from './moves.ts'
import { type TestRecord, testsOfGroups, testsOfIds } from './queries.ts'

/** What groups, links and feedback must know of tests. */
export const testDoors: TestDoors = {
  liveOfGroups: async (ctx, groupIds) => (await testsOfGroups(ctx, groupIds)).map(test => factsOf(test, ctx.now())),
  ofIds: async (ctx, versionIds) => (await testsOfIds(ctx, versionIds)).map(test => factsOf(test, ctx.now())),
}

function factsOf(test: TestRecord, now: number): TestFacts {
  const { versionId, appId, teamId, versionName, versionCode, groupIds } = test
  const isRunning = test.state === 'TESTING' && (test.endAt ?? 0) > now
  return { versionId, appId, teamId, versionName, versionCode, groupIds, isRunning }
}

/** Who comes into a group of a running test that mails its testers is told of it. */
export const tellNewcomers: Listener = {
  name: 'versions.testNewcomers',
  on: ['testgroup.changed'],
  run: async (ctx, event) => {
    const { verb } = event.data
    if (verb !== 'addUsers' && verb !== 'join') return
    for (const test of await testsOfGroups(ctx, [event.entityId])) {
      if (test.state === 'TESTING' && test.isNotified) startMails(ctx, test)
    }
  },
}
