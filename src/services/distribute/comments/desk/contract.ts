import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Comment, errors } from '../contract.ts'
import { limits, policies } from '../rules.ts'

export const reportStates = ['OPEN', 'KEPT', 'HIDDEN', 'GONE'] as const

const Report = shape({
  reportId: Id,
  teamId: Id,
  appId: Id,
  appName: Type.String(),
  policyId: oneOf(policies),
  note: Type.String(),
  state: oneOf(reportStates),
  answer: Type.String(),
  createdAt: Instant,
  decidedAt: nullable(Instant),
  comment: Comment,
  revision: Revision,
})

/** Where people of the store judge reported comments. */
export const commentDesk = service({
  name: 'distribute/comments',
  prefix: '/comment/manage',
  zone: 'current',
  permissions: ['review.read', 'review.decide'],
  errors,
  calls: {
    listReports: {
      method: 'GET',
      path: '/reports',
      who: 'manage',
      may: 'review.read',
      summary: 'Reported comments that wait, the oldest first; or decided ones',
      query: shape({ state: optional(oneOf(reportStates)), policyId: optional(oneOf(policies)), ...PageQuery }),
      answer: pageOf(Report),
    },
    decideReport: {
      method: 'PUT',
      path: '/report',
      who: 'manage',
      may: 'review.decide',
      summary: 'Hides the reported comment or keeps it; nobody decides for the own team',
      body: shape({
        reportId: Id,
        verdict: oneOf(['keep', 'hide']),
        answer: optional(text(limits.noteLength)),
        revision: Revision,
      }),
      answer: Report,
    },
    restoreComment: {
      method: 'PUT',
      path: '/restore',
      who: 'manage',
      may: 'review.decide',
      summary: 'Shows a hidden comment again',
      body: shape({ commentId: Id, revision: Revision }),
      answer: Comment,
    },
  },
})
