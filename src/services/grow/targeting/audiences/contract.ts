import { service } from '../../../../kernel/contract.ts'
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
} from '../../../../kernel/shape.ts'
import { audienceTypes, limits, refreshes, uploadModes } from '../rules.ts'
import type { AudienceRule } from './rules.ts'

/** What JSON schema cannot say, `audienceRuleProblems` does. */
const RuleShape = Type.Unsafe<AudienceRule>({
  ...AnyJson,
  description:
    'a rule, whose leaves may also be {op: did|didNot, event, times, days, where?: [{prop, op, value}]} and {op: firstSeenWithin, days}',
})

const Count = Type.Integer({ minimum: 0 })

export const AudienceView = shape({
  audienceId: Id,
  projectId: Id,
  name: Type.String(),
  description: Type.String(),
  type: oneOf([...audienceTypes]),
  rule: nullable(RuleShape),
  refreshEvery: oneOf([...refreshes]),
  /** 0 for one that keeps no members. */
  size: Count,
  refreshedAt: nullable(Instant),
  /** Null where the clock does not do it. */
  nextRefreshAt: nullable(Instant),
  /** The work on its members, running or done last. */
  jobId: nullable(Id),
  /** Why that failed; null when it did not. */
  problem: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})
export type AudienceView = Static<typeof AudienceView>

const of = shape({ audienceId: Id })
const started = shape({ jobId: Id })

/** Groups of users of apps: by a rule that is made good again and again, or by ids that were uploaded. */
export const audiences = service({
  name: 'grow/targeting',
  prefix: '/mms/targeting-service/v1',
  zone: 'current',
  permissions: ['targeting.read', 'targeting.edit'],
  errors: {
    nameTaken: [204300011, 409, 'The project has an audience called {name} already; give this one another name.'],
    tooManyAudiences: [204300012, 422, 'A project has at most {limit} audiences; delete one first.'],
    isInUse: [204300013, 409, 'The audience is asked for by {askers}; take it out of their rules first.'],
    notStatic: [204300014, 409, 'Members of a dynamic audience come by its rule; upload to a static one.'],
    notDynamic: [204300015, 409, 'A static audience changes by an upload only.'],
    keepsNobody: [204300016, 409, 'An audience in real time keeps no members; choose how often it is made anew.'],
    tooManyMembers: [204300017, 422, 'An audience has at most {limit} members; nothing of the file was kept.'],
    unreadable: [204300018, 422, 'The file is no CSV with an id in its first column: {reason}'],
    asksForEvents: [
      204300020,
      422,
      'A rule that asks for events is decided when the audience is made anew, not in real time.',
    ],
    tooSlow: [
      204300021,
      422,
      'Counting takes longer than {seconds} s; save the rule, and the audience counts in the background.',
    ],
    notCounted: [204300022, 503, 'The events could not be read: {reason}'],
    empty: [204300019, 422, 'The file has no ids; nothing was changed.'],
  },
  calls: {
    listAudiences: {
      method: 'GET',
      path: '/audiences',
      who: 'cp',
      may: 'targeting.read',
      summary: 'The audiences of a project, the newest first; by a part of the name and by type',
      query: shape({
        projectId: Id,
        search: optional(text(100)),
        type: optional(oneOf([...audienceTypes])),
        ...PageQuery,
      }),
      answer: pageOf(AudienceView),
    },
    createAudience: {
      method: 'POST',
      path: '/audiences',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Makes an audience: with a rule a dynamic one, which begins to fill at once; without one a static one',
      body: shape({
        projectId: Id,
        name: text(limits.nameLength, 1),
        description: optional(text(limits.textLength)),
        rule: optional(RuleShape),
        refreshEvery: optional(oneOf([...refreshes])),
      }),
      answer: AudienceView,
    },
    getAudience: {
      method: 'GET',
      path: '/audiences/:audienceId',
      who: 'cp',
      may: 'targeting.read',
      summary: 'One audience, and how far the work on its members is',
      params: of,
      answer: shape({
        ...AudienceView.properties,
        work: nullable(shape({ state: oneOf(['waiting', 'running', 'done', 'failed']), percent: integer(0, 100) })),
      }),
    },
    getAudienceSizes: {
      method: 'GET',
      path: '/audiences/:audienceId/sizes',
      who: 'cp',
      may: 'targeting.read',
      summary:
        'How large an audience was: each time it was made anew in the last week, once a day before that, for 90 days',
      params: of,
      answer: shape({
        points: list(shape({ at: Instant, size: Count })),
        /** Null where nothing is known of then. */
        sinceYesterday: nullable(Type.Integer()),
        sinceLastWeek: nullable(Type.Integer()),
      }),
    },
    updateAudience: {
      method: 'PUT',
      path: '/audiences/:audienceId',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Changes name, text, rule or how often it is made anew; another rule begins to fill at once',
      params: of,
      body: shape({
        name: optional(text(limits.nameLength, 1)),
        description: optional(text(limits.textLength)),
        rule: optional(RuleShape),
        refreshEvery: optional(oneOf([...refreshes])),
        revision: Revision,
      }),
      answer: AudienceView,
    },
    deleteAudience: {
      method: 'DELETE',
      path: '/audiences/:audienceId',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Removes an audience that no rule set asks for',
      params: of,
    },
    refreshAudience: {
      method: 'POST',
      path: '/audiences/:audienceId/refresh',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Makes a dynamic audience anew: who came and who left is put in force at once',
      params: of,
      answer: started,
    },
    uploadMembers: {
      method: 'POST',
      path: '/audiences/:audienceId/members',
      who: 'cp',
      may: 'targeting.edit',
      kind: 'upload',
      transaction: false,
      summary: 'Takes ids as CSV, one in the first column of each line; they are in force when the job is done',
      params: of,
      query: shape({ mode: optional(oneOf([...uploadModes])), hasHeader: optional(flag()) }),
      answer: shape({
        jobId: Id,
        /** Different ids, ids that came again, and lines without a usable one. */
        received: Count,
        repeated: Count,
        refused: Count,
      }),
    },
    listMembers: {
      method: 'GET',
      path: '/audiences/:audienceId/members',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Who is in an audience, by id; those that begin with what is searched',
      params: of,
      query: shape({ search: optional(text(limits.unitLength)), ...PageQuery }),
      answer: pageOf(shape({ unit: Type.String(), since: Instant })),
    },
    listAudiencesOfUnit: {
      method: 'GET',
      path: '/audiences-of-unit',
      who: 'cp',
      may: 'targeting.read',
      summary: 'In which audiences of a project one id is, of those that keep members',
      query: shape({ projectId: Id, unit: text(limits.unitLength, 1) }),
      answer: shape({ unit: Type.String(), audienceIds: list(Id) }),
    },
    previewAudience: {
      method: 'POST',
      path: '/audiences/preview',
      who: 'cp',
      may: 'targeting.read',
      transaction: false,
      summary:
        'How many a rule would match: users from the newest of them, with the bounds of 95 %, and units with events in the days that decide it',
      body: shape({ projectId: Id, rule: RuleShape }),
      answer: shape({
        total: Count,
        sampled: Count,
        matched: Count,
        estimate: Count,
        low: Count,
        high: Count,
        isExact: flag(),
        sampleLimit: integer(1, limits.previewUsers),
      }),
    },
  },
})
