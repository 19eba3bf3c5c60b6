import { service } from '../../../kernel/contract.ts'
import {
  AnyJson,
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
} from '../../../kernel/shape.ts'
import { versionActions, versionStates } from './life/rules.ts'
import { textLimits } from './listing/rules.ts'
import { Description, PhasedPlan } from './phased/contract.ts'
import { limits, releaseModes } from './rules.ts'

export const State = oneOf(versionStates)
export const ObjectId = text(200, 1)
export const Code = Type.String({ pattern: '^[0-9]{1,19}$', examples: ['278'] })
const MinCode = Type.String({ pattern: '^[1-9][0-9]{0,18}$', examples: ['278'] })
export const LanguageKey = text(20, 1)
const VersionName = nullable(text(255))
const Password = text(limits.testAccountLength)

export const Finding = shape({
  rule: text(60),
  severity: oneOf(['BLOCK', 'WARN']),
  /** JSON pointer into the version or its listing. */
  field: text(200),
  message: text(1000),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  /** Where in the console it is put right. */
  fixHref: text(300),
})

export const AiContent = shape({
  involved: flag(),
  types: list(integer(1, 5)),
  providerNames: text(limits.aiProviderLength),
  algorithmFilingNo: text(limits.aiFilingLength),
})

export const Version = shape({
  versionId: Id,
  appId: Id,
  state: State,
  isFirst: flag(),
  pkgId: nullable(Id),
  versionCode: nullable(Code),
  versionName: VersionName,
  releaseMode: oneOf(releaseModes),
  onShelfTime: nullable(Instant),
  /** 0 whole, 3 phased, 4 phased and made whole. */
  releasePhase: integer(0, 4),
  /** The submission with whose other things it goes on shelf, all of them or none. */
  heldBy: nullable(Id),
  countries: list(text(2)),
  privacyPolicyUrl: text(limits.urlLength),
  remark: text(limits.remarkLength),
  loginRequired: flag(),
  testAccount: text(limits.testAccountLength),
  hasTestPassword: flag(),
  inAppUpdatePriority: integer(0, 5),
  /** Devices with a lower version code are told that they must update; null forces nobody. */
  minVersionCode: nullable(Code),
  /** No older build can read what it stores, so it is not rolled back. */
  noDowngrade: flag(),
  /** A submit waits until the package is processed. */
  isSubmitQueued: flag(),
  /** What stopped the pre-check or a queued submit. */
  findings: list(Finding),
  rejection: nullable(shape({ note: text(4000), at: Instant })),
  lastShelfOff: nullable(
    shape({
      state: oneOf(['REQUESTED', 'REJECTED', 'DONE']),
      reason: text(1024),
      opinion: optional(text(4000)),
      at: Instant,
    }),
  ),
  storeNotice: nullable(shape({ reasonCode: text(60), notice: text(4000), at: Instant })),
  /** As declared when it was submitted. */
  aiContent: nullable(AiContent),
  submittedAt: nullable(Instant),
  slaDueAt: nullable(Instant),
  /** The clock of the review stands since then. */
  reviewPausedAt: nullable(Instant),
  urgeCount: integer(0, 100),
  urgeAvailableAt: nullable(Instant),
  approvedAt: nullable(Instant),
  onShelfAt: nullable(Instant),
  offShelfAt: nullable(Instant),
  supersededBy: nullable(Id),
  allowedActions: list(oneOf(versionActions)),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const Image = shape({
  objectId: ObjectId,
  mime: text(60),
  sizeBytes: integer(0, 4_294_967_296),
  width: integer(0, 65_535),
  height: integer(0, 65_535),
})

const Film = shape({
  objectId: ObjectId,
  mime: text(60),
  sizeBytes: integer(0, 4_294_967_296),
  width: nullable(integer(0, 65_535)),
  height: nullable(integer(0, 65_535)),
  durationMs: nullable(Type.Number({ minimum: 0 })),
  state: oneOf(['CHECKING', 'PASSED', 'FAILED']),
  /** What was found when it was looked at; with a BLOCK it cannot be published. */
  hits: list(shape({ rule: text(40), level: oneOf(['BLOCK', 'WARN', 'INFO']), seen: text(100) })),
})

export const Listing = shape({
  lang: LanguageKey,
  isDefault: flag(),
  appName: text(textLimits.appName),
  briefInfo: text(textLimits.briefInfo),
  appDesc: text(textLimits.appDesc),
  newFeatures: text(textLimits.newFeatures),
  icon: nullable(Image),
  screenshots: list(shape({ deviceType: integer(0, 99), showType: integer(0, 1), images: list(Image) })),
  film: nullable(Film),
  filmCover: nullable(Image),
  updatedAt: Instant,
})

export const TimelineEntry = shape({
  at: Instant,
  action: text(80),
  from: nullable(text(40)),
  to: nullable(text(40)),
  actor: shape({ kind: oneOf(['developer', 'store', 'system']), name: nullable(text(64)) }),
  note: AnyJson,
})

const ReleaseFields = { releaseMode: optional(oneOf(releaseModes)), onShelfTime: optional(nullable(Instant)) }
export const AppQuery = shape({ appId: Id })
export const VersionBody = shape({ versionId: Id, revision: optional(Revision) })
const Remark = text(limits.remarkLength)

/** The life of a version: draft, submit, release. Listing, shelf, history and the rest stand in folders beside. */
export const versions = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.edit', 'versions.submit', 'versions.withdraw', 'versions.release'],
  errors: {
    notReady: [204160003, 422, 'The version is not ready: {blocks} things stand in the way; see readiness.'],
    notEditable: [204144647, 422, 'The version is with the store ({state}); withdraw it to edit.'],
    packageProcessing: [204144727, 422, 'The package is still being processed ({state}); send submitWhenReady.'],
    openVersionExists: [
      202030001,
      409,
      'Version {versionId} of the app is being prepared already ({state}); go on with it, or delete it first.',
    ],
    withdrawalLimit: [202030003, 422, 'An app can be withdrawn {limit} times a day (UTC).'],
    releaseTime: [202030004, 422, 'Give a release time from {earliest} to {latest}.'],
    urgeTooEarly: [202030005, 422, 'The review can be urged from {available} on.'],
    urgeWaits: [202030015, 422, 'The review waits for your answer; answer it first.'],
    urgeLimit: [202030006, 422, 'A review can be urged {limit} times.'],
    relistTooLate: [202030007, 422, 'After {days} days off the shelf a new version is needed.'],
    shelfTaken: [202030008, 409, 'Another version of the app is on shelf.'],
    packageOfOtherApp: [202030009, 422, 'The package belongs to another app.'],
    heldTogether: [
      202030016,
      422,
      'The version goes on shelf together with the rest of submission {submissionId}; withdraw it to release it alone.',
    ],
    realNameNeeded: [
      202030017,
      403,
      'Only people whose real name was verified can submit here; verify yours first (#/real-name).',
    ],
    minimumTooHigh: [
      202030018,
      422,
      'Devices cannot be made to have {minVersionCode}: this version is {versionCode}; give that or a lower one.',
    ],
    packageTestOnly: [202030010, 422, 'The package can be used for testing only.'],
  },
  calls: {
    getVersion: {
      method: 'GET',
      path: '/app/version',
      who: 'cp',
      may: 'versions.read',
      summary: 'The version being prepared (the first one is made when asked for), what is on shelf, and readiness',
      query: shape({ appId: Id, versionId: optional(Id), include: optional(oneOf(['readiness'])) }),
      answer: shape({
        appId: Id,
        /** 0 to 13 as older tools know it; see open and onShelf for what it means. */
        releaseState: nullable(integer(0, 13)),
        version: nullable(Version),
        open: nullable(shape({ versionId: Id, state: State, releaseState: nullable(integer(0, 13)) })),
        onShelf: nullable(
          shape({ versionId: Id, state: State, versionCode: nullable(Code), versionName: VersionName }),
        ),
        /** Stands on shelf for some devices, beside the one above. */
        phased: nullable(shape({ versionId: Id, state: State, versionCode: nullable(Code), versionName: VersionName })),
        languages: list(LanguageKey),
        readiness: optional(list(Finding)),
      }),
    },
    createVersion: {
      method: 'POST',
      path: '/app/version',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Opens the next version: a draft with the listing and package of the version last on shelf',
      body: shape({ appId: Id }),
      answer: Version,
    },
    updateVersion: {
      method: 'PUT',
      path: '/app/version',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Changes package, release, countries and review information of the version being prepared',
      body: shape({
        versionId: Id,
        pkgId: optional(nullable(Id)),
        ...ReleaseFields,
        countries: optional(Type.Array(text(2), { maxItems: limits.countries, uniqueItems: true })),
        privacyPolicyUrl: optional(text(limits.urlLength)),
        remark: optional(Remark),
        loginRequired: optional(flag()),
        testAccount: optional(text(limits.testAccountLength)),
        testPassword: optional(Password),
        inAppUpdatePriority: optional(integer(0, 5)),
        minVersionCode: optional(nullable(MinCode)),
        noDowngrade: optional(flag()),
        revision: Revision,
      }),
      answer: Version,
    },
    deleteVersion: {
      method: 'DELETE',
      path: '/app/version',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Deletes a version that is not with the store and was not on shelf',
      query: shape({ versionId: Id }),
    },
    submitVersion: {
      method: 'PUT',
      path: '/version/on-shelf',
      who: 'cp',
      may: 'versions.submit',
      summary: 'Submits for review; with dryRun=1 only says what stands in the way',
      query: shape({ dryRun: optional(oneOf(['0', '1'])) }),
      body: shape({
        versionId: Id,
        ...ReleaseFields,
        remark: optional(Remark),
        releasePhase: optional(Type.Union([Type.Literal(0), Type.Literal(3)])),
        phasedDescription: optional(Description),
        phased: optional(PhasedPlan),
        submitWhenReady: optional(flag()),
        revision: optional(Revision),
      }),
      answer: shape({ version: Version, readiness: list(Finding), isSubmitted: flag(), isQueued: flag() }),
    },
    withdrawVersion: {
      method: 'PUT',
      path: '/version/on-shelf/cancel',
      who: 'cp',
      may: 'versions.withdraw',
      summary: 'Takes a version back from the store, or a submit that waits for its package',
      body: VersionBody,
      answer: Version,
    },
    updateReleaseTime: {
      method: 'PUT',
      path: '/version/on-shelf/time',
      who: 'cp',
      may: 'versions.release',
      summary: '1 release now, 2 release as soon as approved, 3 release at another time',
      body: shape({
        versionId: Id,
        changeType: integer(1, 3),
        releaseTime: optional(Instant),
        revision: optional(Revision),
      }),
      answer: Version,
    },
    setMinimumVersion: {
      method: 'PUT',
      path: '/version/minimum',
      who: 'cp',
      may: 'versions.release',
      summary: 'Makes devices with a lower version code update to a version on shelf; null forces nobody any more',
      body: shape({
        versionId: Id,
        minVersionCode: nullable(MinCode),
        reason: text(limits.minimumReasonMax, limits.minimumReasonMin),
        revision: optional(Revision),
      }),
      answer: Version,
    },
    urgeReview: {
      method: 'PUT',
      path: '/version/audit/urge',
      who: 'cp',
      may: 'versions.submit',
      summary: 'Asks the store to hurry with a review that is overdue',
      body: shape({ versionId: Id, reason: text(limits.urgeReasonMax, limits.urgeReasonMin) }),
      answer: Version,
    },
    listVersions: {
      method: 'GET',
      path: '/app/version/list',
      who: 'cp',
      may: 'versions.read',
      summary: 'Versions of an app, the newest first, each with everything that happened to it',
      query: shape({ appId: Id, ...PageQuery }),
      answer: pageOf(shape({ version: Version, timeline: list(TimelineEntry) })),
    },
  },
})
