import { service } from '../../../kernel/contract.ts'
import {
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
import { checkKinds, checkLimits, checkStates, results } from './rules.ts'

const Kinds = Type.Array(oneOf(checkKinds), { minItems: 1, maxItems: checkKinds.length, uniqueItems: true })
const Count = Type.Integer({ minimum: 0 })
const Words = shape({ zh: text(500), en: text(500), ru: text(500) })
export const Counts = shape({ BLOCK: Count, WARN: Count, INFO: Count, PASS: Count, NOT_RUN: Count })

export const CheckSummary = shape({
  checkId: Id,
  appId: Id,
  appName: text(200),
  pkgId: Id,
  fileName: text(255),
  packageName: nullable(text(255)),
  versionCode: nullable(text(20)),
  versionName: nullable(text(500)),
  kinds: list(oneOf(checkKinds)),
  state: oneOf(checkStates),
  /** -1 expired, 0 waiting, 1 running, 2 passed, 3 failed. */
  status: integer(-1, 3),
  percent: integer(0, 100),
  counts: Counts,
  detectionId: nullable(Id),
  createdAt: Instant,
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
  revision: Revision,
  allowedActions: list(oneOf(['start', 'pass', 'fail', 'expire', 'delete'])),
})

const Item = shape({
  ruleId: text(40),
  kind: oneOf(checkKinds),
  result: oneOf(results),
  title: Words,
  fix: Words,
  evidence: list(text(checkLimits.evidenceLength)),
})
export const Check = shape({ ...CheckSummary.properties, step: nullable(text(100)), items: list(Item) })

/** Looks at the bytes of a package before the store does. */
export const appChecks = service({
  name: 'distribute/app-check',
  prefix: '/ac/appcheck-service/v1',
  zone: 'current',
  permissions: ['appCheck.read', 'appCheck.run'],
  errors: {
    checkRunning: [202120001, 409, 'Check {checkId} of this app is under way; wait until it has ended.'],
    packageNotReady: [202120002, 422, 'The package is {state}; check it when it was processed.'],
    otherApp: [202120003, 422, 'The package belongs to app {appId}.'],
    notFinished: [202120004, 422, 'The check is {state}; its report comes when it has ended.'],
  },
  calls: {
    createCheck: {
      method: 'POST',
      path: '/checkInfo',
      who: 'cp',
      may: 'appCheck.run',
      summary: 'Begins to check a package; all kinds unless said',
      body: shape({ appId: Id, pkgId: Id, kinds: optional(Kinds) }),
      answer: Check,
    },
    getCheck: {
      method: 'GET',
      path: '/checkInfo',
      who: 'cp',
      may: 'appCheck.read',
      summary: 'A check with what each rule found; how far it is while it runs',
      query: shape({ checkId: Id }),
      answer: Check,
    },
    listChecks: {
      method: 'GET',
      path: '/checkInfos',
      who: 'cp',
      may: 'appCheck.read',
      summary: 'Checks of an app or of the team, the newest first',
      query: shape({ appId: optional(Id), state: optional(oneOf(checkStates)), ...PageQuery }),
      answer: pageOf(CheckSummary),
    },
    getReport: {
      method: 'GET',
      path: '/checkReport/:checkId',
      who: 'cp',
      may: 'appCheck.read',
      kind: 'download',
      transaction: false,
      summary: 'The report of a check that has ended, as a page or as JSON, in the language of the caller unless said',
      params: shape({ checkId: Id }),
      query: shape({ format: optional(oneOf(['html', 'json'])), language: optional(oneOf(['zh', 'en', 'ru'])) }),
    },
    deleteCheck: {
      method: 'DELETE',
      path: '/checkInfo/:id',
      who: 'cp',
      may: 'appCheck.run',
      summary: 'Deletes a check; one that is under way ends',
      params: shape({ id: Id }),
    },
  },
})
