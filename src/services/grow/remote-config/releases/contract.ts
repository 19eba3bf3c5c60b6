import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  type Static,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { Check, Count, DifferenceShape, remoteConfigErrors, TemplateShape, Where } from '../contract.ts'
import { kinds, limits, origins } from '../rules.ts'

const Note = text(limits.noteLength)
const Number_ = integer(1, 2_147_483_647)

export const Version = shape({
  version: Number_,
  etag: text(80),
  isInForce: flag(),
  origin: oneOf(origins),
  rollbackSource: nullable(Number_),
  description: Note,
  parameterCount: Count,
  conditionCount: Count,
  added: Count,
  changed: Count,
  removed: Count,
  publishedAt: Instant,
  /** Null of the clock, and of an account that is gone. */
  publishedBy: nullable(Id),
})

const Schedule = shape({
  scheduleId: Id,
  kind: oneOf(kinds),
  state: oneOf(['SCHEDULED', 'PUBLISHED', 'CONFLICT', 'CANCELLED']),
  dueAt: Instant,
  baseVersion: Count,
  version: nullable(Count),
  description: Note,
  createdAt: Instant,
  createdBy: nullable(Id),
  revision: Revision,
})

const Published = shape({ ...TemplateShape.properties, version: Count, etag: text(80) })

const read = { who: 'cp', may: 'remoteConfig.read' } as const
const publish = { who: 'cp', may: 'remoteConfig.publish' } as const
const ofProject = shape({ projectId: Id })
const kindQuery = { kind: optional(oneOf(kinds)) }
const byVersion = shape({ version: Number_ })

/** What is in force and what was: publishing, versions with their differences, going back, publishing at a time. */
export const remoteConfigReleases = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    getTemplate: {
      ...read,
      method: 'GET',
      path: '/projects/:projectId/template',
      summary: 'The template in force, or of a version, with its ETag',
      params: ofProject,
      query: shape({ ...kindQuery, versionNumber: optional(Number_) }),
      answer: Published,
    },
    publishTemplate: {
      ...publish,
      method: 'PUT',
      path: '/projects/:projectId/template',
      summary:
        'Puts a whole template into force. If-Match carries the ETag that was read; `*` needs remoteConfig.force',
      params: ofProject,
      query: shape(kindQuery),
      body: shape({ ...TemplateShape.properties, description: optional(Note) }),
      bodyLimit: limits.templateBytes,
      answer: Version,
    },
    validateTemplate: {
      ...read,
      method: 'POST',
      path: '/projects/:projectId/template/validate',
      summary: 'What keeps a template from being published',
      params: ofProject,
      query: shape(kindQuery),
      body: TemplateShape,
      bodyLimit: limits.templateBytes,
      answer: Check,
    },
    listReleases: {
      ...read,
      method: 'GET',
      path: '/releases',
      summary: 'The versions that were published, the newest first; 300 and 90 days are kept',
      query: shape({ ...Where, ...PageQuery }),
      answer: pageOf(Version),
    },
    publishDraft: {
      ...publish,
      method: 'POST',
      path: '/releases',
      summary: 'Puts the draft into force. If-Match carries the ETag that was read; `*` needs remoteConfig.force',
      body: shape({ ...Where, description: optional(Note) }),
      answer: Version,
    },
    getRelease: {
      ...read,
      method: 'GET',
      path: '/releases/:version',
      summary: 'One version, without what it says',
      params: byVersion,
      query: shape(Where),
      answer: Version,
    },
    compareReleases: {
      ...read,
      method: 'GET',
      path: '/releases/:version/diff/:other',
      summary: 'What another version has otherwise; 0 is the empty template',
      params: shape({ version: Count, other: Count }),
      query: shape({ ...Where, ...PageQuery }),
      answer: pageOf(DifferenceShape),
    },
    rollbackRelease: {
      ...publish,
      method: 'POST',
      path: '/releases/:version/rollback',
      summary: 'Puts an older version into force again, as a new one',
      params: byVersion,
      body: shape({ ...Where, description: optional(Note) }),
      answer: Version,
    },
    listSchedules: {
      ...read,
      method: 'GET',
      path: '/schedules',
      summary: 'What waits to be published at its time, and what became of the others; the newest first',
      query: shape({ ...Where, ...PageQuery }),
      answer: pageOf(Schedule),
    },
    scheduleDraft: {
      ...publish,
      method: 'POST',
      path: '/schedules',
      summary:
        'Publishes the draft as it is now at a time; if another version is in force by then, nobody is overruled',
      body: shape({ ...Where, dueAt: Instant, description: optional(Note) }),
      answer: Schedule,
    },
    cancelSchedule: {
      ...publish,
      method: 'DELETE',
      path: '/schedules/:scheduleId',
      summary: 'Takes back what waits',
      params: shape({ scheduleId: Id }),
      query: shape(Where),
      answer: Schedule,
    },
  },
})

export type VersionView = Static<typeof Version>
export type ScheduleView = Static<typeof Schedule>
