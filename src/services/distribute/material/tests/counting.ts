import type { Context } from '../../../../server/context.ts'
import type { ArmCounts } from './numbers.ts'
import type { TestRecord, VariantRecord } from './rows.ts'
import type { Metric } from './rules.ts'

/** Under which the control is counted. */
export const controlId = '0'

const dayMs = 86_400_000

/** What a device does in a test; `converted` and `retained` are found out of the others. */
export const seenKinds = ['impression', 'view', 'install', 'open'] as const
export type SeenKind = (typeof seenKinds)[number]

/** A device, as the test knows it, did something. */
export interface Seen {
  testId: string
  variantId: string | null
  device: string
  kind: SeenKind
  at: number
}

/** Of whom, and of whom it counts who did it. */
const kindsOf: Readonly<Record<Metric, readonly [base: string, success: string]>> = {
  first_installs: ['impression', 'install'],
  conversion: ['view', 'converted'],
  retained_1d: ['impression', 'retained'],
}

const columns = 'test_id bigint, variant_id bigint, device text, kind text, at bigint, day text'

/** Writes those of `found` that are new of a device in a running test, and counts them. */
const counting = (found: string) => `WITH sent AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS row(${columns})),
  found AS (${found}),
  fresh AS (
    INSERT INTO material_devices (test_id, device, kind, variant_id, team_id, at)
    SELECT DISTINCT ON (found.test_id, found.device, found.kind)
      found.test_id, found.device, found.kind, found.variant_id, test.team_id, found.at
    FROM found JOIN material_tests test ON test.test_id = found.test_id AND test.state = 'RUNNING'
    ORDER BY found.test_id, found.device, found.kind, found.at
    ON CONFLICT DO NOTHING RETURNING test_id, device, kind, variant_id, team_id, at)
  INSERT INTO material_counts (test_id, variant_id, day, kind, team_id, app_id, devices)
  SELECT fresh.test_id, fresh.variant_id, to_char(to_timestamp(fresh.at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
    fresh.kind, test.team_id, test.app_id, count(*)
  FROM fresh JOIN material_tests test USING (test_id) GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4
  ON CONFLICT (test_id, variant_id, day, kind) DO UPDATE SET devices = material_counts.devices + excluded.devices`

const one = (kind: string, of: string, before: string, when = 'before.at <= sent.at') =>
  `SELECT sent.test_id, before.variant_id, sent.device, '${kind}' AS kind, sent.at FROM sent
    JOIN material_devices before ON before.test_id = sent.test_id AND before.device = sent.device
      AND before.kind = '${before}' AND ${when} WHERE sent.kind = '${of}'`

/** Each step finds what the one before wrote: nobody installs who was not shown the app. */
const steps = [
  "SELECT test_id, variant_id, device, kind, at FROM sent WHERE kind IN ('impression', 'view')",
  `${one('install', 'install', 'impression')} UNION ALL ${one('converted', 'install', 'view')}`,
  one('retained', 'open', 'install', `sent.at - before.at BETWEEN ${dayMs} AND ${2 * dayMs}`),
].map(counting)

/** Counts each device once for what it did. What is of a test that does not run, or of a device not shown it, is passed over. */
export async function countSeen(ctx: Context, seen: readonly Seen[]): Promise<void> {
  const rows = seen.map(({ testId, variantId, device, kind, at }) => ({
    ...{ test_id: testId, variant_id: variantId ?? controlId, device, kind, at },
  }))
  for (const [at, text] of steps.entries()) {
    await ctx.transaction(ctx.zone).query({ name: `material seen ${at}`, text, values: [JSON.stringify(rows)] })
  }
}

/** What came in of each arm, the control first. */
export async function countsOf(
  ctx: Context,
  test: TestRecord,
  variants: readonly VariantRecord[],
): Promise<ArmCounts[]> {
  const days = await daysOf(ctx, [test])
  const arms = [
    { variantId: null, share: test.controlShare },
    ...variants.map(({ variantId, share }) => ({ variantId, share })),
  ]
  return arms.map(arm => {
    const own = days.filter(day => day.variantId === (arm.variantId ?? controlId))
    return { ...arm, impressions: sumOf(own, 'impressions'), installs: sumOf(own, 'installs') }
  })
}

export interface DayCounts {
  testId: string
  variantId: string
  day: string
  impressions: number
  installs: number
}

/** By day and arm what each test's metric counts; one query for all. */
export async function daysOf(
  ctx: Context,
  tests: readonly Pick<TestRecord, 'testId' | 'metric'>[],
  firstDay = '',
): Promise<DayCounts[]> {
  if (tests.length === 0) return []
  const wanted = tests.map(({ testId, metric }) => {
    const [base, success] = kindsOf[metric]
    return { test_id: testId, base, success }
  })
  const { rows } = await ctx.transaction(ctx.zone).query<{
    test_id: string
    variant_id: string
    day: string
    impressions: string
    installs: string
  }>({
    name: 'material days',
    text: `SELECT counted.test_id, variant_id, day,
        coalesce(sum(devices) FILTER (WHERE kind = base), 0) AS impressions,
        coalesce(sum(devices) FILTER (WHERE kind = success), 0) AS installs
      FROM jsonb_to_recordset($1::jsonb) AS wanted(test_id bigint, base text, success text)
      JOIN material_counts counted ON counted.test_id = wanted.test_id AND kind IN (base, success) AND day >= $2
      GROUP BY 1, 2, 3 ORDER BY 3, 2`,
    values: [JSON.stringify(wanted), firstDay],
  })
  return rows.map(row => ({
    testId: String(row.test_id),
    variantId: String(row.variant_id),
    day: row.day,
    impressions: Number(row.impressions),
    installs: Number(row.installs),
  }))
}

const sumOf = (days: readonly DayCounts[], key: 'impressions' | 'installs') =>
  days.reduce((sum, day) => sum + day[key], 0)
