import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, nullable, optional, PageQuery, pageOf, shape, text } from '../../../../kernel/shape.ts'
import { limits } from '../rules.ts'

/** Apps whose reviews need two reviewers. */
export const sensitiveApps = service({
  name: 'distribute/review',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.senior'],
  errors: {},
  calls: {
    listSensitiveApps: {
      method: 'GET',
      path: '/manage/app/uad/review/sensitive',
      who: 'manage',
      may: 'review.read',
      summary: 'Apps where two reviewers must agree, and why',
      query: shape({ ...PageQuery }),
      answer: pageOf(
        shape({
          appId: Id,
          teamId: Id,
          appName: text(200),
          packageName: nullable(text(255)),
          reason: text(limits.reasonMax),
          setBy: nullable(text(64)),
          at: Instant,
        }),
      ),
    },
    updateSensitiveApp: {
      method: 'PUT',
      path: '/manage/app/uad/review/sensitive',
      who: 'manage',
      may: 'review.senior',
      summary: 'Says whether two reviewers must agree about an app',
      body: shape({
        appId: Id,
        isSensitive: flag(),
        reason: optional(text(limits.reasonMax, limits.reasonMin)),
      }),
    },
  },
})
