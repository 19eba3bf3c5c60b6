import type { Input } from '../../../../kernel/contract.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { type Ask, asking } from '../../../../server/asking.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { type TestVersion, versionTests } from '../../versions/testing/contract.ts'
import { type TestView, testViews, testViewsV2 } from './contract.ts'

type Test = Static<typeof TestVersion>
type Wish = Input<(typeof testViews.calls)['updateTest']>['body']

const handlers: Handlers<typeof testViews> = {
  listTests: asking(async (ask, { query: { versionId, ...asked } }) => {
    if (versionId === undefined) {
      const page = await ask(versionTests, 'listTestVersions', { body: asked })
      return { ...page, list: page.list.map(viewOf) }
    }
    const test = await ask(versionTests, 'getTestVersion', { query: { versionId } })
    if (test.appId !== asked.appId) throw badField('/versionId', 'app', 'It is of another app.', 'query')
    return { total: 1, list: [viewOf(test)], nextCursor: null }
  }),

  createTest: asking(async (ask, { body }) => viewOf(await ask(versionTests, 'createTestVersion', { body }))),

  updateTest: asking(async (ask, { body }) => {
    const { test, version } = await changed(ask, body)
    return { ...viewOf(test), version }
  }),

  deleteTest: asking((ask, { query }) => ask(versionTests, 'deleteTestVersion', { query })),
}

export default implement(testViews, handlers)
export const secondGeneration = implement(testViewsV2, handlers)

/** Each action is a call of its own where the test lives, with the fields that belong to it. */
async function changed(ask: Ask, wish: Wish) {
  const { action, testType, groupIds, notify, selfDetect, ...rest } = wish
  const { versionId, revision, startAt, endAt, installLimit } = rest
  const alone = (test: Test) => ({ test, version: null })
  if (action === 'PROMOTE') return ask(versionTests, 'openTest', { body: { ...rest, action } })
  if (action === 'STOP') return alone(await ask(versionTests, 'stopTest', { body: { versionId, revision } }))
  if (action === 'EXTEND') {
    return alone(await ask(versionTests, 'updateTest', { body: { versionId, revision, endAt, installLimit } }))
  }
  if (testType === 4) return ask(versionTests, 'openTest', { body: { ...rest, action } })
  // Another team's is not there, whatever else is wrong; what is missing the call itself refuses, with the field.
  await ask(versionTests, 'getTestVersion', { query: { versionId } })
  const invited = { versionId, revision, groupIds, startAt, endAt, notify, selfDetect }
  return alone(await ask(versionTests, 'releaseTest', { body: invited as never }))
}

function viewOf(test: Test): Static<typeof TestView> {
  const { versionId, appId, versionName, versionCode, releaseState, testType, rejection } = test
  return {
    versionId,
    appId,
    versionNumber: versionName,
    versionCode,
    releaseState,
    releaseType: 6,
    testType,
    auditOpinion: rejection?.note ?? '',
    test,
  }
}
