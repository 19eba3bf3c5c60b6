import type { Answer, Input } from '../../../../kernel/contract.ts'
import type { Language } from '../../../../kernel/language.ts'
import { wilson } from '../../../../kernel/statistics/proportions.ts'
import type { Context } from '../../../../server/context.ts'
import { spreadsheet } from '../../../../server/spreadsheet.ts'
import { toResult } from './answer.ts'
import type { materialTests } from './contract.ts'
import { controlId, countsOf, daysOf } from './counting.ts'
import { findingsOf } from './numbers.ts'
import { loadTest, type TestRecord, variantsOf } from './rows.ts'

type Calls = typeof materialTests.calls
type Report = Answer<Calls['getReport']>

/** What came in by the end of each day, and what it says: as it was last looked at, or now where nobody looked yet. */
export async function reportOf(ctx: Context, test: TestRecord): Promise<Report> {
  const variants = await variantsOf(ctx, [test.testId])
  const arms = [{ variantId: null, name: null }, ...variants.map(({ variantId, name }) => ({ variantId, name }))]
  const byDay = Map.groupBy(await daysOf(ctx, [test]), one => one.day)
  const sums = arms.map(() => ({ impressions: 0, installs: 0 }))
  const confidence = 1 - (100 - test.confidencePercent) / 100 / Math.max(1, variants.length)
  const days = [...byDay].map(([day, counts]) => {
    for (const [at, { variantId }] of arms.entries()) {
      const own = counts.find(one => one.variantId === (variantId ?? controlId))
      const sum = sums[at]!
      sum.impressions += own?.impressions ?? 0
      sum.installs += own?.installs ?? 0
    }
    return { day, arms: sums.map(sum => rated(sum, confidence)) }
  })
  const findings = test.findings ?? findingsOf(test, await countsOf(ctx, test, variants), null, ctx.now())
  return { arms, days, result: toResult(findings, variants) }
}

function rated({ impressions, installs }: { impressions: number; installs: number }, confidence: number) {
  const { low, high } = wilson({ n: impressions, sum: installs }, confidence)
  return {
    impressions,
    installs,
    rate: impressions === 0 ? null : installs / impressions,
    rateLow: low,
    rateHigh: high,
  }
}

const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: ['日期', '版本', '设备数', '达成数', '比率', '区间下限', '区间上限'],
  en: ['Day', 'Variant', 'Devices', 'Reached', 'Rate', 'Interval from', 'Interval to'],
  ru: ['День', 'Вариант', 'Устройства', 'Достигли цели', 'Доля', 'Интервал от', 'Интервал до'],
}
const controlNames: Readonly<Record<Language, string>> = { zh: '对照组', en: 'Control', ru: 'Контроль' }

export async function exportReport(ctx: Context, query: Input<Calls['exportReport']>['query']) {
  const language = query.language ?? ctx.place.language
  const { arms, days } = await ctx.transact(async inner => reportOf(inner, await loadTest(inner, query.testId)))
  const rows = days.flatMap(({ day, arms: counts }) =>
    counts.map((count, at) => [
      ...[day, arms[at]?.name ?? controlNames[language], count.impressions, count.installs],
      ...[count.rate, count.rateLow, count.rateHigh],
    ]),
  )
  return spreadsheet(query.format, {
    fileName: `material-test-${query.testId}`,
    columns: columns[language],
    rows: (async function* () {
      yield* rows
    })(),
  })
}
