import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
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
import { DeviceId, DeviceSecret } from '../../store/contract.ts'
import { amount, Country, errors, Rating, Stars } from '../contract.ts'
import { commentSorts, limits } from '../rules.ts'

const OfApp = shape({ packageName: text(255, 1) })
const OfDevice = { deviceId: DeviceId, deviceSecret: DeviceSecret }
const Language = pattern('^[A-Za-z]{2,3}([-_]?[A-Za-z0-9]{2,8}){0,2}$', 20, 'zh-CN')

const Written = {
  stars: Stars,
  title: optional(text(limits.titleLength)),
  /** Left out or empty: stars alone. */
  text: optional(text(limits.textLength)),
  nickname: optional(text(limits.nicknameLength)),
  language: optional(Language),
  country: optional(Country),
  device: optional(text(limits.deviceLength)),
  /** Of the comment that is changed; left out for a new one. */
  revision: optional(Revision),
}

const PublicComment = shape({
  commentId: Id,
  nickname: Type.String(),
  stars: Stars,
  title: Type.String(),
  text: Type.String(),
  language: nullable(Type.String()),
  country: nullable(Type.String()),
  versionName: Type.String(),
  helpful: amount,
  createdAt: Instant,
  isEdited: flag(),
  reply: nullable(shape({ text: Type.String(), at: Instant })),
})

const OwnComment = shape({
  commentId: Id,
  stars: Stars,
  title: Type.String(),
  text: Type.String(),
  nickname: Type.String(),
  /** Hidden by the store: nobody else sees it. */
  isHidden: flag(),
  createdAt: Instant,
  writtenAt: Instant,
  reply: nullable(shape({ text: Type.String(), at: Instant })),
  revision: Revision,
})

/** What devices write about an app that they have, and what everybody reads. */
export const deviceComments = service({
  name: 'distribute/comments',
  prefix: '/store/comments/v1',
  zone: 'home',
  permissions: [],
  errors,
  calls: {
    getSummary: {
      method: 'GET',
      path: '/apps/:packageName/summary',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      transaction: false,
      summary: 'The stars of an app',
      params: OfApp,
      answer: shape({ ...Rating, withText: amount }),
    },
    listComments: {
      method: 'GET',
      path: '/apps/:packageName/comments',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      transaction: false,
      summary: 'What people say of an app; plain text, never HTML',
      params: OfApp,
      query: shape({
        sort: optional(oneOf(commentSorts)),
        stars: optional(Stars),
        language: optional(Language),
        ...PageQuery,
      }),
      answer: pageOf(PublicComment),
    },
    getOwnComment: {
      method: 'POST',
      path: '/apps/:packageName/own',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      transaction: false,
      summary: 'What the device wrote itself',
      params: OfApp,
      body: shape(OfDevice),
      answer: shape({ comment: nullable(OwnComment) }),
    },
    writeComment: {
      method: 'PUT',
      path: '/apps/:packageName/own',
      who: 'anonymous',
      may: 'none',
      transaction: false,
      summary: 'Writes or changes the one comment of a device that reported an installation',
      params: OfApp,
      body: shape({ ...OfDevice, ...Written }),
      answer: OwnComment,
    },
    deleteComment: {
      method: 'POST',
      path: '/apps/:packageName/own/delete',
      who: 'anonymous',
      may: 'none',
      transaction: false,
      summary: 'Takes the own comment back, with its stars',
      params: OfApp,
      body: shape({ ...OfDevice, revision: Revision }),
    },
    voteHelpful: {
      method: 'PUT',
      path: '/apps/:packageName/comments/:commentId/helpful',
      who: 'anonymous',
      may: 'none',
      transaction: false,
      summary: 'Finds a comment helpful, or no longer; once a device',
      params: shape({ packageName: text(255, 1), commentId: Id }),
      body: shape({ ...OfDevice, helpful: flag() }),
      answer: shape({ helpful: amount }),
    },
  },
})

/** What testers write about a test version; only its developer reads it. */
export const testComments = service({
  name: 'distribute/comments',
  prefix: '/store/testing/v1',
  zone: 'current',
  permissions: [],
  errors,
  calls: {
    writeTestComment: {
      method: 'PUT',
      path: '/comments',
      who: 'anonymous',
      may: 'none',
      summary: 'Writes or changes a comment on a test version; the secret says what the tester may have',
      body: shape({ token: text(300, 1), deviceId: DeviceId, packageName: text(255, 1), ...Written }),
      answer: OwnComment,
    },
  },
})
