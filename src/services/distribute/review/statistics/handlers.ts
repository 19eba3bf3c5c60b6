import { implement } from '../../../../server/implement.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { kindTree } from '../../apps/public.ts'
import { reviewStatistics as contract, statisticsLimits } from './contract.ts'
import { categoriesOf, daysOf, nowOf, reviewersOf, totalOf, waitsOf } from './queries.ts'

const day = 86_400_000
const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const withRate = <T extends { firstTime: number; firstPassed: number }>(row: T) => ({
  ...row,
  firstPassRate: shareOf(row.firstPassed, row.firstTime),
})
const nothing = { decided: 0, rejected: 0, automatic: 0, sampled: 0, firstTime: 0, firstPassed: 0 }
const idle = { waiting: 0, claimed: 0, asked: 0, overdue: 0, oldestQueuedAt: null }

export default implement(contract, {
  getStatistics: async (ctx, { query }) => {
    // Whole UTC days, today the last of them.
    const to = Math.floor(ctx.now() / day) * day + day
    const from = to - (query.days ?? statisticsLimits.usualDays) * day
    const reviewers = await reviewersOf(ctx, from, to, statisticsLimits.reviewers)
    const people = await accountsOf(
      ctx,
      reviewers.map(row => row.reviewerId),
    )
    const names = new Map(people.map(one => [one.accountId, one.name]))
    const { oldestQueuedAt, ...now } = (await nowOf(ctx, ctx.now())) ?? idle
    return {
      from,
      to,
      now: { ...now, oldestQueuedAt: oldestQueuedAt === null ? null : Number(oldestQueuedAt) },
      total: withRate((await totalOf(ctx, from, to)) ?? nothing),
      waits: (await waitsOf(ctx, from, to)).map(row => ({ ...row, inTimeRate: shareOf(row.inTime, row.decided) })),
      reviewers: reviewers.map(row => ({ ...withRate(row), name: names.get(row.reviewerId) ?? '' })),
      categories: (await categoriesOf(ctx, from, to, statisticsLimits.categories)).map(row => ({
        ...withRate(row),
        names: kindNames(row.kindMainTag),
      })),
      days: await daysOf(ctx, from, to),
    }
  },
})

function kindNames(kindMainTag: number | null) {
  const {
    zhCN: zh = '',
    enUS: en = '',
    ruRU: ru = '',
  } = kindTree().find(kind => kind.id === kindMainTag)?.nameByLang ?? {}
  return en === '' ? null : { zh, en, ru }
}
