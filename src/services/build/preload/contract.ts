import { type CallSpec, service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  Revision,
  shape,
  text,
} from '../../../kernel/shape.ts'
import { kinds, limits, sources } from './rules.ts'

export const preloadErrors = {
  notHttps: [
    211400001,
    400,
    'The address {url} cannot be a source: https is needed, without user, password or fragment.',
  ],
  notPublic: [211400002, 400, 'The address {url} {problem}.'],
  noFunction: [211404001, 404, 'There is no function {name} with the version or alias {qualifier}.'],
  noPolicy: [211404002, 404, 'Nothing is preloaded for this app and this time.'],
  forOrganisations: [
    211403001,
    403,
    'A server of your own as source is for organisations; verify the team leader as an enterprise, or choose a function.',
  ],
  kindTaken: [211409001, 409, 'The app has a policy for {kind}; change that one.'],
  tooLarge: [211413001, 502, 'The source answered more than {limit} bytes.'],
  notData: [211415001, 502, 'The source answered {contentType}; only JSON or text is passed on.'],
  upstream: [211502001, 502, 'The source failed with {answered}: {message}'],
  registrationsFull: [211429001, 429, 'This app has {limit} registrations; try again later.'],
} as const

const read = { who: 'cp', may: 'preload.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'preload.edit' } as const satisfies Partial<CallSpec>
const Count = integer(0, Number.MAX_SAFE_INTEGER)

const Settings = {
  source: oneOf(sources),
  functionName: optional(pattern('^[a-z][a-z0-9-]{0,61}[a-z0-9]$', 63, 'first-page')),
  qualifier: optional(pattern('^(\\$latest|[1-9][0-9]{0,8}|[A-Za-z][A-Za-z0-9_-]{0,62})$', 64, '$latest')),
  url: optional(text(limits.urlChars, 1)),
  isEnabled: flag(),
  timeoutSec: integer(1, limits.timeoutSec),
  cacheTtlSec: integer(0, limits.cacheTtlSec),
}

const Policy = shape({
  policyId: Id,
  projectId: Id,
  appId: Id,
  kind: oneOf(kinds),
  ...Settings,
  functionName: nullable(text(63)),
  qualifier: nullable(text(64)),
  url: nullable(text(limits.urlChars)),
  lastStatus: nullable(integer(0, 999)),
  lastProblem: nullable(text(2000)),
  lastAskedAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  /** Of the last 24 hours. */
  today: shape({ requests: Count, hits: Count, errors: Count, bytes: Count, p95Ms: Count }),
})

const ofPolicy = shape({ policyId: Id })

/** What devices fetch before an app is opened: from where, how long it is kept, and how often it was asked for. */
export const preload = service({
  name: 'build/preload',
  prefix: '/fps/function-preload/v1',
  zone: 'current',
  permissions: ['preload.read', 'preload.edit'],
  errors: preloadErrors,
  calls: {
    listPolicies: {
      ...read,
      method: 'GET',
      path: '/function/preload/policy/list',
      summary: 'Policies of an app, with what was asked of each in a day',
      query: shape({ appId: Id }),
      answer: shape({
        total: Count,
        list: list(Policy),
        nextCursor: nullable(text(20)),
        /** Whether a server of your own may be a source. */
        maySendToServer: flag(),
      }),
    },
    createPolicy: {
      ...edit,
      method: 'POST',
      path: '/function/preload/policy',
      transaction: false,
      summary: 'A new policy; an app has one for each time',
      body: shape({ appId: Id, kind: oneOf(kinds), ...Settings }),
      answer: shape({ policyId: Id, policy: Policy }),
    },
    updatePolicy: {
      ...edit,
      method: 'PUT',
      path: '/function/preload/policy',
      transaction: false,
      summary: 'Replaces the settings of a policy; what was kept of it is fetched anew',
      body: shape({ policyId: Id, revision: Revision, ...Settings }),
      answer: shape({ policy: Policy }),
    },
    deletePolicy: {
      ...edit,
      method: 'DELETE',
      path: '/function/preload/policy',
      summary: 'Deletes a policy with its answers, registrations and counts',
      query: ofPolicy,
    },
    getStatistics: {
      ...read,
      method: 'GET',
      path: '/function/preload/policy/statistics',
      summary: 'Requests of devices by hour',
      query: shape({ policyId: Id, hours: optional(integer(1, limits.statisticsHours)) }),
      answer: shape({
        keptAnswers: Count,
        registrations: Count,
        points: list(
          shape({ at: Instant, hits: Count, stale: Count, misses: Count, errors: Count, bytes: Count, p95Ms: Count }),
        ),
      }),
    },
  },
})
