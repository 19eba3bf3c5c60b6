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
import { GroupKinds, GroupName } from '../../beta-test/contract.ts'
import { Version } from '../contract.ts'
import { Description as PhasedDescription, PhasedPlan } from '../phased/contract.ts'
import { limits } from '../rules.ts'
import { testActions, testLimits, testStates } from './rules.ts'

const Desc = text(testLimits.descLength, 1)
const GroupIds = Type.Array(Id, { minItems: 1, maxItems: testLimits.groupsOfTest, uniqueItems: true })
const InstallLimit = integer(1, testLimits.mostInstalls)
const Countries = Type.Array(text(2), { minItems: 1, maxItems: limits.countries, uniqueItems: true })
const Count = Type.Integer({ minimum: 0 })

export const TestVersion = shape({
  versionId: Id,
  appId: Id,
  lane: oneOf(['TEST']),
  /** 3 by invitation, 4 open; null while it is a draft that was never released. */
  testType: nullable(integer(3, 4)),
  state: oneOf(testStates),
  /** The number older tools know. */
  releaseState: nullable(integer(0, 13)),
  pkgId: Id,
  versionCode: nullable(Version.properties.versionCode),
  versionName: Version.properties.versionName,
  testDesc: text(testLimits.descLength),
  groups: list(shape({ groupId: Id, name: GroupName, kind: GroupKinds })),
  startAt: nullable(Instant),
  endAt: nullable(Instant),
  installLimit: nullable(InstallLimit),
  installCount: Count,
  quotaReachedAt: nullable(Instant),
  countries: list(text(2)),
  notify: flag(),
  selfDetect: integer(0, 1),
  /** Of a running open test: the page to pass on. */
  sharePage: nullable(text(1000)),
  /** And where an F-Droid client gets it. */
  shareAddress: nullable(text(1000)),
  rejection: nullable(shape({ note: text(4000), at: Instant })),
  submittedAt: nullable(Instant),
  approvedAt: nullable(Instant),
  startedAt: nullable(Instant),
  endedAt: nullable(Instant),
  promotedTo: nullable(Id),
  allowedActions: list(oneOf(testActions)),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const One = shape({ versionId: Id, revision: optional(Revision) })

/** The test lane: test versions, which go to groups of people or to everybody with an address. */
export const versionTests = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.test'],
  errors: {
    testGroupEmpty: [202030301, 422, 'TEST_GROUP_EMPTY: nobody is in the group {name}; add somebody or leave it out.'],
    testLimit: [202030302, 422, 'TEST_LIMIT: an app has at most {limit} tests at a time; stop one first.'],
    testWindow: [
      202030303,
      422,
      'TEST_WINDOW: end the test after {now} and at most {days} days after its start; you sent {start} to {end}.',
    ],
    alreadyFormal: [202030304, 422, 'ALREADY_FORMAL: {versionCode} is in the formal lane; test a package of its own.'],
    packageNotReady: [202030305, 422, 'The package is {state}; choose one that is processed.'],
    packageOfOtherApp: [202030306, 422, 'The package belongs to another app.'],
    notReviewed: [202030312, 422, 'Only a test that the store reviewed can become a formal version.'],
    alreadyPromoted: [202030313, 409, 'Version {versionId} was made of this test already.'],
    installsBelow: [202030314, 422, '{installCount} devices have the test; give a limit that is not lower.'],
  },
  calls: {
    createTestVersion: {
      method: 'POST',
      path: '/app/test/version',
      who: 'cp',
      may: 'versions.test',
      summary: 'A draft of the test lane: a package with the listing as it stands; the formal lane is not touched',
      body: shape({ appId: Id, pkgId: Id, testDesc: Desc }),
      answer: TestVersion,
    },
    getTestVersion: {
      method: 'GET',
      path: '/app/test/version',
      who: 'cp',
      may: 'versions.read',
      summary: 'One test version',
      query: shape({ versionId: Id }),
      answer: TestVersion,
    },
    listTestVersions: {
      method: 'POST',
      path: '/app/test/version/list',
      who: 'cp',
      may: 'versions.read',
      summary: 'Test versions of an app, the newest first',
      body: shape({
        appId: Id,
        testType: optional(integer(3, 4)),
        states: optional(Type.Array(oneOf(testStates), { maxItems: testStates.length, uniqueItems: true })),
        groupId: optional(Id),
        search: optional(text(100)),
        ...PageQuery,
      }),
      answer: pageOf(TestVersion),
    },
    releaseTest: {
      method: 'PUT',
      path: '/version/test-release',
      who: 'cp',
      may: 'versions.test',
      summary: 'Gives a draft to groups: at once when all are internal, else after a light review',
      body: shape({
        ...One.properties,
        groupIds: GroupIds,
        /** Left out or passed: now. */
        startAt: optional(Instant),
        endAt: Instant,
        notify: optional(flag()),
        selfDetect: optional(integer(0, 1)),
      }),
      answer: TestVersion,
    },
    openTest: {
      method: 'PUT',
      path: '/version/open-test',
      who: 'cp',
      may: 'versions.test',
      summary: 'Opens a draft to everybody with its address, after review; PROMOTE makes a reviewed test formal',
      body: shape({
        ...One.properties,
        action: optional(oneOf(['RELEASE', 'PROMOTE'])),
        startAt: optional(Instant),
        endAt: optional(Instant),
        installLimit: optional(InstallLimit),
        countries: optional(Countries),
        /** Of PROMOTE: 1 whole, 2 phased. */
        releaseType: optional(integer(1, 2)),
        /** With releaseType 2; left out: a curve over everybody. */
        phasedInfo: optional(PhasedPlan),
        phasedDescription: optional(PhasedDescription),
        /** Of PROMOTE; left out: as soon as it is passed. */
        releaseTime: optional(Instant),
      }),
      answer: shape({
        test: TestVersion,
        /** What PROMOTE made. */
        version: nullable(Version),
      }),
    },
    updateTest: {
      method: 'PUT',
      path: '/app/test/version',
      who: 'cp',
      may: 'versions.test',
      summary: 'A later end or more installs, also while testers have it',
      body: shape({ ...One.properties, endAt: optional(Instant), installLimit: optional(InstallLimit) }),
      answer: TestVersion,
    },
    stopTest: {
      method: 'PUT',
      path: '/app/test/version/stop',
      who: 'cp',
      may: 'versions.test',
      summary: 'Ends a test; one that waits or is in review is taken back',
      body: One,
      answer: TestVersion,
    },
    deleteTestVersion: {
      method: 'DELETE',
      path: '/app/test/version',
      who: 'cp',
      may: 'versions.test',
      summary: 'Deletes a draft, or a test that is over',
      query: shape({ versionId: Id }),
    },
    checkTestGroup: {
      method: 'GET',
      path: '/test-user/group/check',
      who: 'cp',
      may: 'versions.read',
      summary: 'Whether a group is there, by id or name, which tests use it, and how many users the app may still have',
      query: shape({ appId: Id, groupId: optional(Id), name: optional(GroupName) }),
      answer: shape({ exists: flag(), groupId: nullable(Id), inUseByVersionIds: list(Id), remainingUsers: Count }),
    },
  },
})
