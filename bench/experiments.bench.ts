import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { analysisSql } from '../src/services/grow/experiments/analysis/analysis-sql.ts'
import { snapshotOf } from '../src/services/grow/experiments/analysis/gather.ts'
import { resultsOf } from '../src/services/grow/experiments/analysis/results.ts'
import type { MetricDefinition } from '../src/services/grow/experiments/metrics/rules.ts'
import { newDesign } from '../src/services/grow/experiments/rules.ts'

/**
 * One analysis of an experiment as the service makes it: first exposures of a million units, what they did in ten million events,
 * ten metrics of all kinds with what was before, sums by day. On two threads. Processor time is the steady figure.
 */
const units = 1_000_000
const events = 10_000_000
const wantedSeconds = 10
const dayMs = 86_400_000
const start = Date.UTC(2026, 10, 1)
const phaseFrom = start + 7 * dayMs
const until = start + 28 * dayMs

const metric = (event: string, more: Partial<MetricDefinition> = {}): MetricDefinition => ({
  ...{ kind: 'proportion', event, of: 'count', denominator: null, quantile: null, fromHours: 0, toHours: null },
  ...{ cap: null, direction: 'up', ...more },
})
const definitions = [
  metric('e0', { toHours: 72 }),
  metric('e1', { kind: 'mean', of: 'sum' }),
  metric('e2', { kind: 'mean', of: 'sum', cap: { by: 'percentile', at: 99.9 } }),
  metric('e3', { kind: 'ratio', of: 'sum', denominator: { event: 'e4', of: 'count' } }),
  metric('e5', { kind: 'quantile', of: 'max', quantile: 0.9 }),
  metric('e6', { kind: 'retention', fromHours: 24, toHours: 48 }),
  metric('e7', { kind: 'mean' }),
  metric('e8'),
  metric('e9', { kind: 'mean', of: 'sum', cap: { by: 'value', at: 500 } }),
  metric('e1', { toHours: 168 }),
]
const metrics = definitions.map((definition, at) => ({ metricId: `${at}`, name: `${at}`, definition }))

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-bench-'))
const file = process.env['BENCH_PARQUET'] ?? path.join(folder, 'events.parquet')
const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const connection = await instance.connect()
if (!existsSync(file))
  await connection.run(`COPY (SELECT row_number() OVER () AS id, * FROM (
    SELECT '$exposure' AS name, 'user-' || i AS unit, NULL::DOUBLE AS value, '71' AS experiment,
      make_timestamp_ms(${phaseFrom} + (hash(i) % ${14 * dayMs})::BIGINT) AS "at",
      CASE WHEN hash(i * 7) % 2 = 0 THEN 'control' ELSE 'treatment' END AS variant, '{}' AS props FROM range(${units}) t(i)
    UNION ALL BY NAME
    SELECT 'e' || (i % 10) AS name, 'user-' || (hash(i * 11) % ${units}) AS unit, (hash(i * 17) % 10000) / 100.0 AS value,
      make_timestamp_ms(${start} + (hash(i * 13) % ${28 * dayMs})::BIGINT) AS "at",
      NULL AS experiment, NULL AS variant, '{}' AS props FROM range(${events}) t(i)
    ) ORDER BY "at") TO '${file}' (FORMAT parquet, COMPRESSION zstd)`)

const design = {
  ...newDesign(),
  metrics: metrics.map(({ metricId }, at) => ({
    ...{ metricId, isPostHoc: false },
    role: at < 3 ? ('goal' as const) : ('secondary' as const),
  })),
}
const { sql, parameters } = analysisSql({
  ...{ source: `read_parquet('${file}')`, experimentId: '71', variants: ['control', 'treatment'], startedAt: start },
  ...{ phaseFrom, until, pauses: [], cupedDays: 14, metrics, segments: [], testUnits: [] },
})
const bound = Object.fromEntries(Object.entries(parameters)) as Record<string, DuckDBValue>

const runs: { seconds: number; cpuSeconds: number }[] = []
let compared = 0
for (let run = 0; run < 3; run++) {
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const reader = await connection.runAndReadAll(sql, bound)
  const snapshot = snapshotOf({ phase: 1, from: phaseFrom, until, design }, metrics, reader.getRowObjectsJson())
  compared = resultsOf(snapshot).metrics.filter(one => one.variants[0]?.lift !== null).length
  const cpu = process.cpuUsage(cpuBefore)
  runs.push({ seconds: (performance.now() - began) / 1000, cpuSeconds: (cpu.user + cpu.system) / 1e6 })
}
const best = [...runs].sort((a, b) => a.seconds - b.seconds)[0] ?? { seconds: 0, cpuSeconds: 0 }
process.stdout.write(
  `analysis of ${units} units and ${events} events, ${metrics.length} metrics: ${best.seconds.toFixed(1)} s ` +
    `(${best.seconds <= wantedSeconds ? 'within' : 'OVER'} ${wantedSeconds}), ${best.cpuSeconds.toFixed(1)} s of processor on two threads; ` +
    `${compared} metrics compared; file ${Math.round(statSync(file).size / 1e6)} MB\n`,
)
connection.closeSync()
rmSync(folder, { recursive: true, force: true })
