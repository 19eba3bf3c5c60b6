import type { VersionState } from '../life/rules.ts'
import type { VersionRecord } from '../queries.ts'
import type { TestRecord } from './queries.ts'
import type { TestState } from './rules.ts'

const asVersionState: Readonly<Record<TestState, VersionState>> = {
  DRAFT: 'DRAFT',
  IN_REVIEW: 'IN_REVIEW',
  REJECTED: 'REJECTED',
  WITHDRAWN: 'WITHDRAWN',
  WAITING: 'PENDING_RELEASE',
  TESTING: 'ON_SHELF',
  STOPPED: 'OFF_BY_DEVELOPER',
  EXPIRED: 'OFF_BY_DEVELOPER',
  PROMOTED: 'SUPERSEDED',
}

/** A test version as the services see it that know only formal ones: the review desk and the store. */
export function asVersion(test: TestRecord): VersionRecord {
  const { versionId, teamId, appId, pkgId, versionCode, versionName, countries, rejection } = test
  const { submittedAt, approvedAt, startedAt, endedAt, createdBy, createdAt, updatedAt, revision } = test
  return {
    ...{ versionId, teamId, appId, pkgId, versionCode, versionName, countries, rejection },
    ...{ submittedAt, approvedAt, createdBy, createdAt, updatedAt, revision },
    state: asVersionState[test.state],
    remark: test.testDesc,
    onShelfTime: test.startAt,
    onShelfAt: startedAt,
    offShelfAt: endedAt,
    isFirst: false,
    releaseMode: 'TIMED',
    privacyPolicyUrl: '',
    loginRequired: false,
    testAccount: '',
    testPasswordSealed: null,
    inAppUpdatePriority: 0,
    minVersionCode: null,
    noDowngrade: false,
    heldBy: null,
    releasePhase: 0,
    submitQueuedBy: null,
    findings: [],
    lastShelfOff: null,
    storeNotice: null,
    supersededBy: null,
    urgeCount: 0,
    lastUrgedAt: null,
    reviewDueAt: null,
    reviewPausedAt: null,
    aiContent: null,
  }
}
