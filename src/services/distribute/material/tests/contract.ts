import { sheetFormats } from '../../../../kernel/cells.ts'
import { service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
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
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { LanguageKey, ObjectId } from '../../versions/contract.ts'
import {
  confidences,
  elements,
  limits,
  metrics,
  startModes,
  stopReasons,
  testActions,
  testStates,
  verdicts,
} from './rules.ts'

const Country = pattern('^[A-Z]{2}$', 2, 'DE')
const Day = pattern('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, '2026-11-25')
const amount = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Percent = integer(1, 100)
const ArmShare = integer(1, 99)
const Confidence = Type.Enum([...confidences], { type: 'number' })

const Picture = shape({
  objectId: ObjectId,
  mime: text(60),
  sizeBytes: amount,
  width: amount,
  height: amount,
  url: text(2000),
})

const MaterialView = shape({
  lang: LanguageKey,
  name: nullable(text(limits.appNameLength)),
  brief: nullable(text(limits.briefLength)),
  icon: nullable(Picture),
  screenshots: nullable(list(shape({ deviceType: integer(0, 99), showType: integer(0, 1), images: list(Picture) }))),
  film: nullable(
    shape({
      objectId: ObjectId,
      mime: text(60),
      sizeBytes: amount,
      width: nullable(amount),
      height: nullable(amount),
      durationMs: nullable(Type.Number({ minimum: 0 })),
      state: oneOf(['CHECKING', 'PASSED', 'FAILED']),
      hits: list(shape({ rule: text(40), level: oneOf(['BLOCK', 'WARN', 'INFO']), seen: text(100) })),
      url: text(2000),
    }),
  ),
})

/** What takes the place of the listing in one language; what is left out stays as the variant has it, null takes it out. */
const MaterialWish = shape({
  lang: LanguageKey,
  name: optional(nullable(text(limits.appNameLength, 1))),
  brief: optional(nullable(text(limits.briefLength, 1))),
  iconObjectId: optional(nullable(ObjectId)),
  screenshots: optional(
    nullable(
      Type.Array(
        shape({
          deviceType: integer(0, 99),
          showType: integer(0, 1),
          objectIds: Type.Array(ObjectId, { minItems: 1, maxItems: 20, uniqueItems: true }),
        }),
        { minItems: 1, maxItems: 6 },
      ),
    ),
  ),
  filmObjectId: optional(nullable(ObjectId)),
})
const MaterialWishes = Type.Array(MaterialWish, { maxItems: limits.langs })

const Arm = shape({
  /** Null is the control: what is on shelf. */
  variantId: nullable(Id),
  name: nullable(text(limits.variantNameLength)),
  share: amount,
  /** Devices that were shown it; for `conversion` those that opened the page. */
  impressions: amount,
  /** Of these, the ones that did what the metric counts. */
  installs: amount,
  rate: nullable(Share),
  rateLow: Share,
  rateHigh: Share,
  /** As parts of the control's rate: 0.1 is a tenth more. */
  lift: nullable(Type.Number()),
  ciLow: nullable(Type.Number()),
  ciHigh: nullable(Type.Number()),
  pValue: nullable(Share),
  verdict: nullable(oneOf(verdicts)),
})

export const Result = shape({
  at: Instant,
  plannedPerArm: amount,
  progress: Share,
  /** False: the devices did not come in the shares that were planned, so the numbers decide nothing. */
  isSplitHealthy: flag(),
  arms: list(Arm),
})

export const Variant = shape({
  variantId: Id,
  name: text(limits.variantNameLength),
  share: amount,
  materials: list(MaterialView),
})

const Settings = {
  name: text(limits.nameLength, 1),
  elements: Type.Array(oneOf(elements), { minItems: 1, maxItems: elements.length, uniqueItems: true }),
  langs: Type.Array(LanguageKey, { minItems: 1, maxItems: limits.langs, uniqueItems: true }),
  /** Empty is everywhere. */
  countries: Type.Array(Country, { maxItems: limits.countries, uniqueItems: true }),
  trafficPercent: Percent,
  controlShare: ArmShare,
  metric: oneOf(metrics),
  /** The smallest relative change of the rate that is to be seen: 0.1 is a tenth. */
  mde: Type.Number({ minimum: 0.01, maximum: 1 }),
  /** The rate that is there now, as the developer knows it. */
  baseRate: Type.Number({ minimum: 0.0001, maximum: 0.95 }),
  confidence: Confidence,
  startMode: oneOf(startModes),
  startAt: nullable(Instant),
  minDays: integer(limits.leastDays, limits.mostDays),
  maxDays: integer(limits.leastDays, limits.mostDays),
  /** Ends by itself when one variant is found better. */
  autoStop: flag(),
}

const testFields = {
  testId: Id,
  appId: Id,
  ...Settings,
  state: oneOf(testStates),
  note: nullable(text(limits.noteLength)),
  submittedAt: nullable(Instant),
  decidedAt: nullable(Instant),
  startedAt: nullable(Instant),
  stoppedAt: nullable(Instant),
  stopReason: nullable(oneOf(stopReasons)),
  appliedVariantId: nullable(Id),
  appliedAt: nullable(Instant),
  variants: list(shape({ variantId: Id, name: text(limits.variantNameLength), share: amount })),
  result: nullable(Result),
  allowedActions: list(oneOf(testActions)),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
}

export const MaterialTest = shape(testFields)
const Days = list(shape({ day: Day, impressions: amount, installs: amount }))
const InList = shape({ ...testFields, days: Days })
export const TestPage = shape({ ...testFields, variants: list(Variant), control: list(MaterialView) })

const Which = { testId: Id }
const Change = { testId: Id, revision: optional(Revision) }
const act = { method: 'POST', who: 'cp', may: 'material.edit', body: shape(Change), answer: MaterialTest } as const
const change = { who: 'cp', may: 'material.edit' } as const
const look = { method: 'GET', who: 'cp', may: 'apps.read' } as const

const Report = shape({
  arms: list(shape({ variantId: nullable(Id), name: nullable(text(limits.variantNameLength)) })),
  /** In the order of `arms`; sums from the start to the end of the day (UTC). */
  days: list(
    shape({
      day: Day,
      arms: list(
        shape({ impressions: amount, installs: amount, rate: nullable(Share), rateLow: Share, rateHigh: Share }),
      ),
    }),
  ),
  result: Result,
})

const shared = {
  name: 'distribute/material',
  zone: 'current',
  permissions: ['apps.read', 'material.edit'],
  errors: {
    notLive: [
      202190001,
      422,
      'The app {name} is not on shelf; a test shows its page to people, so put it on shelf first.',
    ],
    otherFace: [202190002, 422, 'The app {name} is of type {packageType}; its tests are at {path}.'],
    tooManyTests: [202190003, 422, 'An app has at most {limit} tests; delete old ones, their results are kept.'],
    tooManyVariants: [202190004, 422, 'A test has at most {limit} variants besides the control.'],
    variantNameTaken: [202190005, 422, 'The test has a variant {name} already; choose another name.'],
    sharesMisfit: [
      202190006,
      422,
      'The shares of the control and the variants are {sum} percent together; they must be 100.',
    ],
    noVariants: [202190007, 422, 'The test has no variant yet; add one to compare with what is on shelf.'],
    materialMissing: [
      202190008,
      422,
      'The variant {variant} has no {element} in {lang}; add it, or take {element} out of the test.',
    ],
    noListing: [202190009, 422, 'The version on shelf has no listing in {lang}; choose among {langs}.'],
    nameRefused: [202190010, 422, 'The app cannot be called {name} in {lang}: {reason}.'],
    filmNotReady: [
      202190011,
      422,
      'The film of variant {variant} in {lang} is {filmState}; wait until it is looked at, or choose another.',
    ],
    otherRuns: [202190012, 422, 'The test {testName} runs in {lang}; an app has one at a time in a language.'],
    versionWaits: [
      202190013,
      422,
      'Version {versionName} changes the {element} in {lang} and waits for release; release or withdraw it first.',
    ],
    notInTest: [202190014, 422, 'The {field} {value} is no part of the test; it tests {elements} in {langs}.'],
    startTime: [202190015, 422, 'A test that starts by the clock needs a time in the future; send startAt.'],
    daysMisfit: [202190016, 422, 'minDays is {minDays} and maxDays {maxDays}; the second must not be less.'],
  },
  calls: {
    getTest: {
      ...look,
      path: '/material-test',
      summary: 'A test with the materials of its variants',
      query: shape(Which),
      answer: TestPage,
    },
    createTest: {
      ...change,
      method: 'POST',
      path: '/material-test',
      summary: 'A new test of an app that is on shelf',
      body: shape({
        appId: Id,
        name: Settings.name,
        elements: Settings.elements,
        langs: Settings.langs,
        countries: optional(Settings.countries),
        trafficPercent: Settings.trafficPercent,
        metric: optional(Settings.metric),
        mde: optional(Settings.mde),
        baseRate: optional(Settings.baseRate),
        confidence: optional(Confidence),
        startMode: optional(Settings.startMode),
        startAt: optional(Settings.startAt),
        minDays: optional(Settings.minDays),
        maxDays: optional(Settings.maxDays),
        autoStop: optional(flag()),
      }),
      answer: MaterialTest,
    },
    updateTest: {
      ...change,
      method: 'PUT',
      path: '/material-test',
      summary: 'Changes a test that is not in review yet; what is left out stays',
      body: shape({
        ...Change,
        name: optional(Settings.name),
        elements: optional(Settings.elements),
        langs: optional(Settings.langs),
        countries: optional(Settings.countries),
        trafficPercent: optional(Settings.trafficPercent),
        controlShare: optional(ArmShare),
        metric: optional(Settings.metric),
        mde: optional(Settings.mde),
        baseRate: optional(Settings.baseRate),
        confidence: optional(Confidence),
        minDays: optional(Settings.minDays),
        maxDays: optional(Settings.maxDays),
        autoStop: optional(flag()),
      }),
      answer: MaterialTest,
    },
    deleteTest: {
      ...change,
      method: 'DELETE',
      path: '/material-test',
      summary: 'Deletes a test that does not run; its materials go, its results are kept',
      query: shape(Which),
      answer: shape({ testId: Id }),
    },
    listTests: {
      ...look,
      path: '/material-test/list',
      summary: 'The tests of an app, the newest first, with what came in on the last days',
      query: shape({ appId: Id, state: optional(oneOf(testStates)), search: optional(text(50)), ...PageQuery }),
      answer: pageOf(InList),
    },
    getTestStatus: {
      ...look,
      path: '/material-test/status',
      summary: 'Where a test stands and what can be done with it',
      query: shape(Which),
      answer: shape({
        testId: Id,
        state: testFields.state,
        stopReason: testFields.stopReason,
        startedAt: testFields.startedAt,
        endsAt: nullable(Instant),
        allowedActions: testFields.allowedActions,
        revision: Revision,
      }),
    },
    submitTest: { ...act, path: '/material-test/audit/submit', summary: 'Hands a test in for review' },
    cancelTest: { ...act, path: '/material-test/audit/cancel', summary: 'Takes a test out of review' },
    startTest: { ...act, path: '/material-test/start', summary: 'Starts a test that was passed' },
    stopTest: {
      ...act,
      path: '/material-test/stop',
      summary: 'Ends a running test; everybody sees what is on shelf again',
    },
    applyVariant: {
      ...act,
      path: '/material-test/apply',
      summary: 'Puts the materials of a variant into the listing on shelf at once',
      body: shape({ ...Change, variantId: Id }),
    },
    syncTest: {
      ...act,
      path: '/material-test/state/sync',
      summary: 'Looks at a running test now: whether it must end, and what the numbers say',
      body: shape(Which),
    },
    setStartMode: {
      ...change,
      method: 'PUT',
      path: '/material-test/start-mode',
      summary: 'Chooses when a test starts once it was passed',
      body: shape({ ...Change, startMode: Settings.startMode, startAt: optional(Settings.startAt) }),
      answer: MaterialTest,
    },
    listVariants: {
      ...look,
      path: '/material-test/variant',
      summary: 'The variants of a test with their materials',
      query: shape(Which),
      answer: shape({ list: list(Variant), revision: Revision }),
    },
    createVariant: {
      ...change,
      method: 'POST',
      path: '/material-test/variant',
      summary: 'Adds a variant; without a share all arms get the same',
      body: shape({
        ...Change,
        name: text(limits.variantNameLength, 1),
        share: optional(ArmShare),
        materials: optional(MaterialWishes),
      }),
      answer: shape({ variant: Variant, test: MaterialTest }),
    },
    updateVariant: {
      ...change,
      method: 'PUT',
      path: '/material-test/variant',
      summary: 'Changes the name, share or materials of a variant; languages that are not named stay',
      body: shape({
        variantId: Id,
        name: optional(text(limits.variantNameLength, 1)),
        share: optional(ArmShare),
        materials: optional(MaterialWishes),
        revision: optional(Revision),
      }),
      answer: shape({ variant: Variant, test: MaterialTest }),
    },
    deleteVariant: {
      ...change,
      method: 'DELETE',
      path: '/material-test/variant',
      summary: 'Takes a variant out of a test; the others and the control share evenly',
      query: shape({ variantId: Id }),
      answer: MaterialTest,
    },
    getVariant: {
      ...look,
      path: '/material-test/variant/:variantId',
      summary: 'A variant with its materials',
      params: shape({ variantId: Id }),
      answer: Variant,
    },
    planSample: {
      ...look,
      path: '/material-test/sample',
      summary: 'How many devices a test needs, and how many days with so many a day',
      query: shape({
        appId: Id,
        baseRate: Settings.baseRate,
        mde: Settings.mde,
        confidence: Confidence,
        variants: integer(1, limits.variants),
        trafficPercent: Percent,
        devicesPerDay: optional(integer(1, 1_000_000_000)),
      }),
      answer: shape({ perArm: amount, total: amount, days: nullable(amount), isTooLong: flag() }),
    },
    getReport: {
      ...look,
      path: '/material-test/report',
      summary: 'What came in day by day, and what it says',
      query: shape(Which),
      answer: Report,
    },
    exportReport: {
      ...look,
      path: '/material-test/export',
      kind: 'download',
      summary: 'The numbers of each day and arm as a file',
      query: shape({ ...Which, format: oneOf(sheetFormats), language: optional(oneOf(languages)) }),
    },
  },
} as const

export const materialTests = service({ ...shared, prefix: '/mts' })
/** The same for apps for HarmonyOS alone. */
export const harmonyMaterialTests = service({ ...shared, prefix: '/mts/harmony' })
