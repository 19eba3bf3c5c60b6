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
  type Static,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits, ruledServices, ruleMethods } from './rules.ts'

const Source = text(limits.sourceLength)
const Service = oneOf(ruledServices)
const Where = { projectId: Id, service: Service }
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const Place = integer(1, 1_000_000)
const Values = nullable(Type.Record(Type.String(), AnyJson))

export const Diagnostic = shape({
  severity: oneOf(['ERROR', 'WARN', 'INFO']),
  /** R001 to R009 for hints; E… for what forbids to publish. */
  code: text(10),
  line: Place,
  col: Place,
  endLine: Place,
  endCol: Place,
  message: text(1000),
  /** What to put instead of the place. */
  fix: nullable(shape({ title: text(200), text: text(10_000) })),
})

export const Check = shape({
  ok: flag(),
  diagnostics: list(Diagnostic),
  stats: shape({ matches: Count, allows: Count, nodes: Count }),
  /** The same rules as the formatter writes them; null when they cannot be read. */
  formatted: nullable(text(2 * limits.sourceLength)),
  /** Rewritten from a Firebase form; publish what is in `formatted`. */
  isImported: flag(),
})

const Version = shape({
  version: Count,
  source: Source,
  isPublished: flag(),
  note: text(limits.noteLength),
  publishedAt: Instant,
  publishedBy: text(100),
})

export const Rules = shape({
  projectId: Id,
  service: Service,
  /** 0 while none is in force: then storage asks for a signed-in user, and the database for its rights only. */
  published: Count,
  source: Source,
  draft: nullable(Source),
  publishedAt: nullable(Instant),
  keptVersions: Count,
  revision: nullable(Revision),
})

const TraceStep = shape({
  line: Place,
  col: Place,
  endLine: Place,
  endCol: Place,
  src: text(400),
  value: text(400),
  isError: flag(),
})

const MatchedStatement = shape({
  pattern: text(4000),
  line: Place,
  bindings: Type.Record(Type.String(), Type.String()),
  allows: list(
    shape({
      line: Place,
      col: Place,
      methods: list(text(20)),
      /** other-method: the path matches, and the statement does not speak of the method. */
      result: oneOf(['true', 'false', 'error', 'other-method']),
      error: nullable(text(400)),
      trace: list(TraceStep),
    }),
  ),
})

export const Simulation = shape({
  allowed: flag(),
  grantedBy: nullable(shape({ line: Place, col: Place })),
  matched: list(MatchedStatement),
  /** What get() and exists() asked for. */
  accesses: list(shape({ path: text(4000), found: flag() })),
  steps: Count,
  micros: Count,
  /** What the rules have against being read; then nothing was decided. */
  diagnostics: list(Diagnostic),
})

export const Simulated = shape({
  ...Where,
  /** These rules; else those of `version`, else those in force. */
  source: optional(Source),
  version: optional(Count),
  method: oneOf(ruleMethods),
  path: text(4000, 1),
  auth: optional(
    nullable(
      shape({
        uid: text(200),
        provider: optional(integer(0, 1000)),
        anonymous: optional(flag()),
        token: optional(Values),
      }),
    ),
  ),
  app: optional(
    nullable(shape({ appId: text(40), packageName: optional(nullable(text(300))), attested: optional(flag()) })),
  ),
  ip: optional(text(60)),
  time: optional(Instant),
  resource: optional(Values),
  requestResource: optional(Values),
  query: optional(Values),
  /** Reads `resource` from what is there, when none is given. */
  useLiveData: optional(flag()),
})

const DecisionRow = shape({
  decisionId: Id,
  at: Instant,
  method: oneOf(ruleMethods),
  path: text(2000),
  uid: nullable(text(200)),
  ip: nullable(text(60)),
  requestId: nullable(text(200)),
  version: Count,
  isAllowed: flag(),
  errors: Count,
})

const Shift = shape({
  requests: Count,
  list: list(
    shape({ decisionId: Id, at: Instant, method: oneOf(ruleMethods), path: text(2000), uid: nullable(text(200)) }),
  ),
})

export const Shadow = shape({
  /** Requests of the last day that were decided again. */
  checked: Count,
  since: Instant,
  nowDenied: Shift,
  nowAllowed: Shift,
})

export const Monitor = shape({
  stepMinutes: Count,
  series: list(shape({ time: Instant, allow: Count, deny: Count, error: Count })),
  /** Of the rules in force. */
  statements: list(shape({ line: Place, col: Place, evaluated: Count, granted: Count, errors: Count })),
  topPaths: list(shape({ path: text(2000), method: oneOf(ruleMethods), denied: Count })),
  topUsers: list(shape({ uid: nullable(text(200)), denied: Count })),
})

export const rules = service({
  name: 'build/rules',
  prefix: '/build/rules/v1',
  zone: 'current',
  permissions: ['rules.read', 'rules.edit', 'rules.publish'],
  errors: {
    zoneElsewhere: [204010001, 422, 'The project keeps its data in {zone}; ask there.'],
    notPublishable: [
      204010002,
      422,
      'The rules have {count} faults, the first at line {line}, column {col}: {message}',
    ],
    versionMoved: [204010003, 409, 'Version {published} was published meanwhile; compare with it, then publish again.'],
    tooManyVersions: [204010004, 422, 'At most {limit} versions are kept; delete an older one first.'],
    versionInForce: [
      204010005,
      422,
      'Version {version} is in force; publish another one first, or turn the rules off.',
    ],
    wouldDeny: [
      204010006,
      422,
      '{requests} requests that were allowed in the last day would be denied; publish with acceptDenials to go on.',
    ],
    unreadablePath: [204010007, 400, 'A path begins with a slash and has no empty parts, not {path}.'],
  },
  calls: {
    getRules: {
      method: 'GET',
      path: '/rules',
      who: 'cp',
      may: 'rules.read',
      summary: 'The rules of a project’s service that are in force, and what somebody works on',
      query: shape(Where),
      answer: Rules,
    },
    saveDraft: {
      method: 'PUT',
      path: '/draft',
      who: 'cp',
      may: 'rules.edit',
      summary: 'Keeps rules that are being worked on; null drops them',
      bodyLimit: 2 * limits.sourceLength,
      body: shape({ ...Where, draft: nullable(Source), revision: optional(Revision) }),
      answer: Rules,
    },
    checkRules: {
      method: 'POST',
      path: '/check',
      who: 'cp',
      may: 'rules.read',
      rate: 'data',
      summary: 'What is wrong or odd about rules, by line and column, and how they are written well',
      bodyLimit: 2 * limits.sourceLength,
      body: shape({ ...Where, source: Source }),
      answer: Check,
    },
    simulateRules: {
      method: 'POST',
      path: '/simulations',
      who: 'cp',
      may: 'rules.read',
      summary: 'What rules would say to a request, with each part of each condition',
      bodyLimit: 4 * limits.sourceLength,
      transaction: false,
      body: Simulated,
      answer: Simulation,
    },
    shadowRules: {
      method: 'POST',
      path: '/shadow',
      who: 'cp',
      may: 'rules.read',
      summary: 'Which requests of the last day rules would decide otherwise',
      bodyLimit: 2 * limits.sourceLength,
      transaction: false,
      body: shape({ ...Where, source: Source }),
      answer: Shadow,
    },
    publishRules: {
      method: 'POST',
      path: '/versions',
      who: 'cp',
      may: 'rules.publish',
      summary: 'Puts rules into force',
      bodyLimit: 2 * limits.sourceLength,
      transaction: false,
      body: shape({
        ...Where,
        source: Source,
        /** The version that was in force when the work began; 0 for none. */
        baseVersion: Count,
        note: optional(text(limits.noteLength)),
        /** Requests that were allowed may be denied from now on. */
        acceptDenials: optional(flag()),
      }),
      answer: Version,
    },
    listRulesVersions: {
      method: 'GET',
      path: '/versions',
      who: 'cp',
      may: 'rules.read',
      summary: 'The kept versions, the newest first',
      query: shape(Where),
      answer: shape({ total: Count, list: list(Version), nextCursor: nullable(text(10)) }),
    },
    deleteRulesVersion: {
      method: 'DELETE',
      path: '/versions/:version',
      who: 'cp',
      may: 'rules.publish',
      summary: 'Deletes an older version',
      params: shape({ version: Id }),
      query: shape(Where),
      answer: shape({}),
    },
    turnRulesOff: {
      method: 'DELETE',
      path: '/rules',
      who: 'cp',
      may: 'rules.publish',
      summary: 'Deletes all versions, so that what the service does without rules holds',
      query: shape({ ...Where, confirm: text(40) }),
      answer: shape({}),
    },
    listDecisions: {
      method: 'GET',
      path: '/decisions',
      who: 'cp',
      may: 'rules.read',
      summary: 'Requests of the last week that were kept, the newest first; the denied ones unless said',
      query: shape({
        ...Where,
        ...PageQuery,
        allowed: optional(oneOf(['yes', 'no', 'all'])),
        uid: optional(text(200)),
        method: optional(oneOf(ruleMethods)),
        path: optional(text(2000)),
      }),
      answer: pageOf(DecisionRow),
    },
    getDecision: {
      method: 'GET',
      path: '/decisions/:decisionId',
      who: 'cp',
      may: 'rules.read',
      summary: 'A kept request with what each part of each condition came to',
      params: shape({ decisionId: Id }),
      query: shape(Where),
      answer: shape({ ...DecisionRow.properties, request: AnyJson, matched: list(MatchedStatement) }),
    },
    replayDecision: {
      method: 'POST',
      path: '/decisions/:decisionId/replay',
      who: 'cp',
      may: 'rules.read',
      summary: 'Decides a kept request again, by the rules in force or by those given',
      bodyLimit: 2 * limits.sourceLength,
      transaction: false,
      params: shape({ decisionId: Id }),
      body: shape({ ...Where, source: optional(Source) }),
      answer: Simulation,
    },
    getMonitor: {
      method: 'GET',
      path: '/monitor',
      who: 'cp',
      may: 'rules.read',
      summary: 'How often the rules allowed, denied and failed, which statements granted, and what was denied most',
      query: shape({
        ...Where,
        from: Instant,
        to: Instant,
        /** Minutes that one value stands for. */
        step: optional(integer(1, 1440)),
      }),
      answer: Monitor,
    },
  },
})

export type RulesView = Static<typeof Rules>
export type CheckView = Static<typeof Check>
export type DiagnosticView = Static<typeof Diagnostic>
export type SimulationView = Static<typeof Simulation>
export type SimulatedBody = Static<typeof Simulated>
export type ShadowView = Static<typeof Shadow>
export type VersionView = Static<typeof Version>
export type DecisionView = Static<typeof DecisionRow>
export type MonitorView = Static<typeof Monitor>
export type MatchedView = Static<typeof MatchedStatement>
