import { service } from '../../../kernel/contract.ts'
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
} from '../../../kernel/shape.ts'
import { detectionKinds, levels, limits, textFields } from './rules.ts'

const Count = Type.Integer({ minimum: 0 })
const ObjectId = text(200, 1)
export const Words = (max: number, min = 0) => shape({ zh: text(max, min), en: text(max, min), ru: text(max, min) })

const Detection = shape({
  taskId: Id,
  appId: nullable(Id),
  kind: oneOf(detectionKinds),
  state: oneOf(['RUNNING', 'DONE', 'FAILED']),
  /** The worst of what was found; null until it ended. */
  verdict: nullable(oneOf([...levels, 'PASS'])),
  subjects: list(text(200)),
  hits: list(
    shape({
      rule: text(40),
      level: oneOf(levels),
      index: Count,
      at: nullable(Count),
      seen: text(300),
    }),
  ),
  createdAt: Instant,
  finishedAt: nullable(Instant),
})

export const Kept = shape({
  rowId: Id,
  titles: Words(limits.titleLength),
  texts: Words(limits.bodyLength),
  link: text(limits.linkLength),
  countries: list(text(2)),
  kindTags: list(Type.Integer()),
  startAt: nullable(Instant),
  endAt: nullable(Instant),
})
const Activity = shape({ ...Kept.properties, state: oneOf(['COMING', 'RUNNING', 'OVER']) })

/** Looks at listings before reviewers do, and what staff keep for developers. */
export const lifecycle = service({
  name: 'distribute/lifecycle',
  prefix: '/cms',
  zone: 'current',
  permissions: ['lifecycle.read', 'lifecycle.detect', 'lifecycle.rate'],
  errors: {
    tooManyDetections: [202130001, 429, 'The team has {limit} detections under way; wait until one has ended.'],
    noVersion: [202130002, 422, 'The app has no version with a package; upload one first.'],
    unknownCriterion: [202130003, 422, '{criterion} is none of the criteria; see GET /cms/alpha/rating.'],
  },
  calls: {
    detectContext: {
      method: 'POST',
      path: '/detection/context',
      who: 'cp',
      may: 'lifecycle.detect',
      summary:
        'Looks at texts: words that a store does not want, contacts, mixed scripts, hidden letters, emoji, shape',
      body: shape({
        appId: optional(Id),
        texts: Type.Array(
          shape({
            text: text(limits.textLength),
            language: optional(oneOf(['zh', 'en', 'ru'])),
            field: optional(oneOf(textFields)),
          }),
          { minItems: 1, maxItems: limits.texts },
        ),
      }),
      answer: Detection,
    },
    detectPictures: {
      method: 'POST',
      path: '/detection/pictures',
      who: 'cp',
      may: 'lifecycle.detect',
      summary: 'Begins to look at pictures: size, blank, unreadable, those of another listing',
      body: shape({
        appId: optional(Id),
        objectIds: Type.Array(ObjectId, { minItems: 1, maxItems: limits.pictures, uniqueItems: true }),
      }),
      answer: Detection,
    },
    detectVideo: {
      method: 'POST',
      path: '/detection/video',
      who: 'cp',
      may: 'lifecycle.detect',
      summary: 'Begins to look at a video: length, size, codecs',
      body: shape({ appId: optional(Id), objectId: ObjectId }),
      answer: Detection,
    },
    getDetection: {
      method: 'GET',
      path: '/detection/by-taskId',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'What a detection found, or that it is still under way',
      query: shape({ taskId: Id }),
      answer: Detection,
    },
    listDetections: {
      method: 'GET',
      path: '/detection/list',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'Detections of the team or of an app, the newest first',
      query: shape({ appId: optional(Id), kind: optional(oneOf(detectionKinds)), ...PageQuery }),
      answer: pageOf(Detection),
    },
    detectFit: {
      method: 'POST',
      path: '/fitinfo-detection/:appId',
      who: 'cp',
      may: 'lifecycle.detect',
      summary: 'Looks for which kinds of devices the package of an app is fit',
      params: shape({ appId: Id }),
      answer: Detection,
    },
    getFit: {
      method: 'GET',
      path: '/fitinfo-detection/:appId',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'The newest detection of fit; null before there is one',
      params: shape({ appId: Id }),
      answer: shape({ detection: nullable(Detection) }),
    },
    listDemos: {
      method: 'GET',
      path: '/cloud-app-demos',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'Demos that staff keep',
      query: shape({ ...PageQuery }),
      answer: pageOf(Kept),
    },
    queryCopyrightRules: {
      method: 'POST',
      path: '/copyright/rule/query',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'Which papers of copyright are asked for in countries and for a category',
      body: shape({
        countries: optional(Type.Array(text(2, 2), { maxItems: limits.countries, uniqueItems: true })),
        kindMainTag: optional(Type.Integer()),
      }),
      answer: shape({ list: list(Kept) }),
    },
    listActivities: {
      method: 'GET',
      path: '/vantest/activities',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'Crowd-test activities that run, come or are over',
      query: shape({ state: optional(oneOf(['COMING', 'RUNNING', 'OVER'])), ...PageQuery }),
      answer: pageOf(Activity),
    },
    getActivity: {
      method: 'GET',
      path: '/vantest/activities/:activityId',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'One crowd-test activity',
      params: shape({ activityId: Id }),
      answer: Activity,
    },
    getAlphaRating: {
      method: 'GET',
      path: '/alpha/rating',
      who: 'cp',
      may: 'lifecycle.read',
      summary: 'What the team thinks of the app before anybody else has it, by the criteria that staff keep',
      query: shape({ appId: Id }),
      answer: shape({
        appId: Id,
        criteria: list(shape({ rowId: Id, titles: Words(limits.titleLength), texts: Words(limits.bodyLength) })),
        /** Hundredths, 100 to 500; null before anybody rated. */
        average: nullable(integer(100, 500)),
        byCriterion: list(shape({ rowId: Id, average: integer(100, 500), count: Count })),
        own: nullable(
          shape({
            scores: Type.Record(Type.String(), integer(1, 5)),
            note: text(limits.ratingTextLength),
            at: Instant,
            revision: Revision,
          }),
        ),
        notes: list(
          shape({
            name: text(64),
            average: integer(100, 500),
            note: text(limits.ratingTextLength),
            at: Instant,
            isMine: flag(),
          }),
        ),
      }),
    },
    rateAlpha: {
      method: 'POST',
      path: '/alpha/rating',
      who: 'cp',
      may: 'lifecycle.rate',
      summary: 'Rates an app of the team, 1 to 5 for each criterion; anew in place of what one said before',
      body: shape({
        appId: Id,
        scores: Type.Record(Type.String({ pattern: '^[1-9][0-9]{0,18}$' }), integer(1, 5), {
          minProperties: 1,
          maxProperties: 50,
        }),
        note: optional(text(limits.ratingTextLength)),
      }),
      answer: shape({ appId: Id, average: integer(100, 500), revision: Revision }),
    },
  },
})
