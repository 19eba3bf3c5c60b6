import { service } from '../../../../kernel/contract.ts'
import { Id, integer, nullable, oneOf, optional, pageOf, shape, text } from '../../../../kernel/shape.ts'
import { Code, Version } from '../../versions/contract.ts'
import { TestVersion, versionTests } from '../../versions/testing/contract.ts'
import { face, places, view } from '../contract.ts'

const { listTestVersions, releaseTest, openTest, updateTest, createTestVersion } = versionTests.calls
const { states: _states, ...asked } = listTestVersions.body.properties
const released = releaseTest.body.properties

export const TestView = shape({
  versionId: Id,
  appId: Id,
  versionNumber: nullable(text(255)),
  versionCode: nullable(Code),
  /** The number older tools know. */
  releaseState: nullable(integer(0, 13)),
  /** 6: the test lane. */
  releaseType: integer(6, 6),
  testType: nullable(integer(3, 4)),
  auditOpinion: text(4000),
  /** The entity itself, as its own calls answer it. */
  test: TestVersion,
})

const shared = {
  ...face,
  permissions: ['versions.read', 'versions.test'],
  errors: {},
  calls: {
    listTests: {
      ...view,
      method: 'GET',
      path: '/beta-test',
      may: 'versions.read',
      summary: 'Test versions of an app, the newest first, or one of them',
      query: shape({ ...asked, versionId: optional(Id) }),
      answer: pageOf(TestView),
    },
    createTest: {
      ...view,
      method: 'POST',
      path: '/beta-test',
      may: 'versions.test',
      summary: 'A draft of a test: a package with the listing as it stands',
      body: createTestVersion.body,
      answer: TestView,
    },
    updateTest: {
      ...view,
      method: 'PUT',
      path: '/beta-test',
      may: 'versions.test',
      summary:
        'RELEASE gives a draft to groups (testType 3) or opens it to all (4), EXTEND, STOP, PROMOTE makes it formal',
      body: shape({
        ...openTest.body.properties,
        ...updateTest.body.properties,
        action: oneOf(['RELEASE', 'EXTEND', 'STOP', 'PROMOTE']),
        testType: optional(integer(3, 4)),
        groupIds: optional(released.groupIds),
        notify: released.notify,
        selfDetect: released.selfDetect,
      }),
      answer: shape({ ...TestView.properties, version: nullable(Version) }),
    },
    deleteTest: {
      ...view,
      method: 'DELETE',
      path: '/beta-test',
      may: 'versions.test',
      summary: 'Deletes a draft, or a test that is over',
      query: versionTests.calls.deleteTestVersion.query,
    },
  },
} as const

export const testViews = service({ ...shared, prefix: places.first })
export const testViewsV2 = service({ ...shared, prefix: places.second })
