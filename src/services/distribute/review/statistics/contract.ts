import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, nullable, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { Count, Queue } from '../contract.ts'

export const statisticsLimits = { days: 366, usualDays: 30, reviewers: 100, categories: 200 } as const

const Span = nullable(Count)
const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }))
const Firsts = { firstTime: Count, firstPassed: Count, firstPassRate: Share }

/** How the desk works: how long developers wait, how much passes at the first try, who decides what. */
export const reviewStatistics = service({
  name: 'distribute/review',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['review.read'],
  errors: {},
  calls: {
    getStatistics: {
      method: 'GET',
      path: '/manage/app/uad/review/statistics',
      who: 'manage',
      may: 'review.read',
      summary: 'Waiting time, first-pass rate, by queue, reviewer and category; the last 30 days unless said',
      query: shape({ days: optional(integer(1, statisticsLimits.days)) }),
      answer: shape({
        from: Instant,
        to: Instant,
        now: shape({ waiting: Count, claimed: Count, asked: Count, overdue: Count, oldestQueuedAt: nullable(Instant) }),
        total: shape({ decided: Count, rejected: Count, automatic: Count, sampled: Count, ...Firsts }),
        /** From queue to decision, of those that somebody looked at. */
        waits: list(
          shape({
            queue: Queue,
            decided: Count,
            p50Ms: Span,
            p90Ms: Span,
            p95Ms: Span,
            longestMs: Span,
            inTimeRate: Share,
          }),
        ),
        reviewers: list(
          shape({
            reviewerId: Id,
            name: text(64),
            decided: Count,
            rejected: Count,
            ...Firsts,
            /** From claim to decision, the median. */
            handlingMs: Span,
            overturned: Count,
          }),
        ),
        categories: list(
          shape({
            kindMainTag: nullable(Type.Integer()),
            /** Of the category; null where the app has none, or one that is no more. */
            names: nullable(shape({ zh: text(100), en: text(100), ru: text(100) })),
            decided: Count,
            rejected: Count,
            ...Firsts,
            p50Ms: Span,
          }),
        ),
        /** One a UTC day, also where nothing happened. */
        days: list(shape({ day: text(10), queued: Count, decided: Count, rejected: Count, automatic: Count })),
      }),
    },
  },
})
