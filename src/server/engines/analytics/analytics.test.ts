import { copyFileSync, createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ZoneId } from '../../../kernel/zones.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { type BytesArea, openBytes } from '../bytes/open.ts'
import type { BytesEngine } from '../bytes/port.ts'
import { startS3 } from '../bytes/s3.testkit.ts'
import { Analytics, segmentName } from './analytics.ts'
import { installLine, isDuckDbInstalled } from './installed.ts'
import type { Row } from './messages.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-analytics-'))
const opened: Analytics[] = []
let store: Awaited<ReturnType<typeof startS3>>

beforeAll(async () => {
  store = await startS3(path.join(folder, 's3'))
})
afterAll(async () => {
  await Promise.all(opened.map(one => one.close()))
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(name: string, options: ConstructorParameters<typeof Analytics>[3] = {}, bytes = 'files') {
  const config = { ...readConfig({}), dataDir: path.join(folder, name), bytes, analyticsMemoryMb: 128 }
  const engines = new Map<string, BytesEngine>()
  const bytesOf = (zone: ZoneId, area: BytesArea) => {
    const engine = engines.get(zone) ?? openBytes(config, zone, area)
    engines.set(zone, engine)
    return engine
  }
  const analytics = new Analytics(config, bytesOf, createLog('silent'), options)
  opened.push(analytics)
  return { analytics, bytesOf, cache: path.join(config.dataDir, 'cache') }
}

type Opened = ReturnType<typeof open>

/** A file of so many rows in the zone's bytes, as whoever keeps events puts it there. */
async function kept({ analytics, bytesOf }: Opened, rows: readonly Row[]): Promise<string> {
  const columns = { id: 'BIGINT', name: 'VARCHAR', at: 'BIGINT', value: 'DOUBLE' }
  const select = 'id, name, epoch_ms("at") AS "at", value'
  const written = await analytics.write({ source: { columns, rows: [rows] }, select, orderBy: 'name', label: 'one' })
  expect(written.rows).toBe(rows.length)
  const stored = await bytesOf('CN', 'events').put(createReadStream(written.path), { limitBytes: 1e9 })
  await written.remove()
  return segmentName('CN', stored.sha256)
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: String(9_007_199_254_740_993n + BigInt(at)),
    name: at % 3 === 0 ? 'buy' : "o'pen",
    at: 1_760_000_000_000 + at,
    value: at % 2 === 0 ? at / 2 : null,
  }))
const slow = 'SELECT count(*) FROM range(100000000000) t(i) WHERE hash(i) % 7 = 1'
const failure = (kind: string, message: RegExp | string) =>
  expect.objectContaining({ name: 'AnalyticsFailure', kind, message: expect.stringMatching(message) })

describe('queries over files', () => {
  const engine = open('queries')

  it('read the rows that were written, by parameters of every kind', async () => {
    const files = [await kept(engine, rowsOf(3000)), await kept(engine, rowsOf(1))]
    const [all] = await engine.analytics.query({
      sql: `SELECT count(*) AS n, sum(value) AS sum, max(epoch_ms("at"))::double AS latest, min(id) AS least
        FROM read_parquet($files)
        WHERE name = ANY($names) AND "at" >= epoch_ms($from) AND ($no OR value IS NOT DISTINCT FROM value) AND $half < 1`,
      parameters: { names: ["o'pen", 'buy'], from: 1_760_000_000_000, no: false, half: 0.5 },
      files,
    })
    expect(all).toEqual({ n: '3001', sum: 1_124_250, latest: 1_760_000_002_999, least: '9007199254740993' })
    const none = await engine.analytics.query({
      sql: 'SELECT 1 FROM read_parquet($files) WHERE name = ANY($names)',
      parameters: { names: [] },
      files,
    })
    expect(none).toEqual([])
    expect(readdirSync(path.join(engine.cache, 'analytics')).filter(name => name !== 'spilled')).toEqual([])
  })

  it('leave out of the rows for a file what another one holds already', async () => {
    const files = [await kept(engine, rowsOf(5))]
    const source = { columns: { id: 'BIGINT', value: 'DOUBLE' }, rows: [rowsOf(7)], files }
    const where = 'id NOT IN (SELECT id FROM read_parquet($files))'
    const written = await engine.analytics.write({ source: { ...source, where }, orderBy: 'id', label: 'rest' })
    expect(written.rows).toBe(2)
    await written.remove()
  })

  it('write what a query over files answers, sorted', async () => {
    const file = await kept(engine, rowsOf(9))
    const source = { sql: 'SELECT * FROM read_parquet($files) WHERE name <> $gone', parameters: { gone: 'buy' } }
    const written = await engine.analytics.write({ source: { ...source, files: [file] }, orderBy: 'id', label: 'two' })
    expect(written.rows).toBe(6)
    expect(readFileSync(written.path).subarray(0, 4).toString()).toBe('PAR1')
    await written.remove()
  })

  it.each([
    [`SELECT * FROM read_text('/etc/passwd')`],
    [`SELECT * FROM read_csv('/etc/*')`],
    [`SELECT * FROM glob('/etc/*')`],
    [`COPY (SELECT 1) TO '${path.join(folder, 'stolen.csv')}'`],
    [`ATTACH '${path.join(folder, 'other.db')}'`],
    [`INSTALL httpfs`],
    [`LOAD httpfs`],
    [`SELECT * FROM read_parquet('https://example.com/a.parquet')`],
    [`SET memory_limit = '900GB'`],
    [`SET allowed_paths = ['/etc/passwd']`],
    [`SET enable_external_access = true`],
  ])('reach nothing else: %s', async sql => {
    const refused = engine.analytics.query({ sql })
    await expect(refused).rejects.toThrow(failure('refused', /disabled|Cannot change|Cannot enable|Cannot access/i))
    await expect(refused).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining(folder) }))
  })

  it('read no file of a zone that is not served here, nor one that is not there', async () => {
    const sql = 'SELECT 1 FROM read_parquet($files)'
    for (const name of ['../../etc/passwd', 'XX/aa', 'CN'])
      await expect(engine.analytics.query({ sql, files: [name] })).rejects.toThrow(failure('refused', 'no such file'))
    await expect(engine.analytics.query({ sql, files: [segmentName('CN', 'a'.repeat(64))] })).rejects.toThrow()
  })

  it('are refused with what DuckDB says of them', async () => {
    await expect(engine.analytics.query({ sql: 'SELECT nothing' })).rejects.toThrow(failure('refused', /"nothing"/))
    const many = engine.analytics.query({ sql: 'SELECT range FROM range(200000)' })
    await expect(many).rejects.toThrow(failure('tooMany', /more than 100000 rows/))
  })

  it('end at their deadline and when they are not wanted any more, and others go on', async () => {
    await expect(engine.analytics.query({ sql: slow, deadlineSeconds: 0.5 })).rejects.toThrow(failure('late', /0.5 s/))
    const ending = new AbortController()
    const unwanted = engine.analytics.query({ sql: slow, signal: ending.signal })
    const before = engine.analytics.pid
    const other = engine.analytics.query({ sql: 'SELECT 7 AS n' })
    setTimeout(() => ending.abort(), 100)
    await expect(unwanted).rejects.toThrow(failure('cancelled', /cancelled/))
    expect(await other).toEqual([{ n: 7 }])
    expect(engine.analytics.pid).toBe(before)
  })

  it('may use so much memory and no more', async () => {
    const sql = 'SELECT length(list(i)) FROM range(40000000) t(i)'
    await expect(engine.analytics.query({ sql })).rejects.toThrow(failure('memory', /more memory/))
    expect(await engine.analytics.query({ sql: 'SELECT 1 AS one' })).toEqual([{ one: 1 }])
  })
})

describe('the process', () => {
  it('has nothing of the server, and the server nothing of DuckDB', async () => {
    const { analytics } = open('apart')
    expect(analytics.pid).toBeUndefined()
    await analytics.query({ sql: 'SELECT 1' })
    const environment = readFileSync(`/proc/${analytics.pid}/environ`, 'utf8')
    expect(environment.split('\0').map(one => one.split('=')[0])).toEqual(['TZ', 'PATH', ''])
    expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain('libduckdb')
    expect(readFileSync(`/proc/${analytics.pid}/maps`, 'utf8')).toContain('libduckdb')
  })

  it('fails what it was doing when it is killed, and the next query has a new one', async () => {
    const { analytics } = open('killed')
    await analytics.query({ sql: 'SELECT 1' })
    const first = analytics.pid ?? 0
    const lost = analytics.query({ sql: slow })
    setTimeout(() => process.kill(first, 'SIGKILL'), 100)
    await expect(lost).rejects.toThrow(failure('crashed', 'the analytics process ended \\(SIGKILL\\)'))
    expect(await analytics.query({ sql: 'SELECT 2 AS two' })).toEqual([{ two: 2 }])
    expect(analytics.pid).not.toBe(first)
  })

  it('ends when nobody asked for a while, and begins again', async () => {
    const { analytics } = open('idle', { idleMs: 50 })
    await analytics.query({ sql: 'SELECT 1' })
    const first = analytics.pid
    await vi.waitFor(() => expect(existsProcess(first)).toBe(false), { timeout: 10_000 })
    expect(await analytics.query({ sql: 'SELECT 3 AS three' })).toEqual([{ three: 3 }])
    await analytics.close()
    expect(analytics.pid).toBeUndefined()
  })

  it('says how to install DuckDB where it cannot be loaded', async () => {
    const alone = mkdtempSync(path.join(os.tmpdir(), 'loggia-alone-'))
    try {
      for (const name of ['child.ts', 'messages.ts'])
        copyFileSync(fileURLToPath(new URL(name, import.meta.url)), path.join(alone, name))
      const { analytics } = open('missing', { program: path.join(alone, 'child.ts') })
      await expect(analytics.query({ sql: 'SELECT 1' })).rejects.toThrow(failure('missing', installLine))
      expect(isDuckDbInstalled(path.join(alone, 'child.ts'))).toBe(false)
      expect(isDuckDbInstalled()).toBe(true)
    } finally {
      rmSync(alone, { recursive: true })
    }
  })

  it('is installed by the line that is pinned', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(installLine).toContain(`@duckdb/node-api@${optionalDependencies['@duckdb/node-api']}`)
  })
})

it('files on S3 are fetched once for queries that follow each other, and not kept when idle', async () => {
  const address = `s3://bytes?endpoint=${encodeURIComponent(store.endpoint)}&region=us-east-1`
  const engine = open('s3-cache', { idleMs: 5_000 }, address)
  const file = await kept(engine, rowsOf(10))
  const copies = () => readdirSync(path.join(engine.cache, 'events', 'cn'))
  const ask = () => engine.analytics.query({ sql: 'SELECT count(*) AS n FROM read_parquet($files)', files: [file] })
  expect(await ask()).toEqual([{ n: '10' }])
  const [copy] = copies()
  expect(await ask()).toEqual([{ n: '10' }])
  expect(copies()).toEqual([copy])
  await vi.waitFor(() => expect(copies()).toEqual([]), { timeout: 60_000, interval: 200 })
  expect(await ask()).toEqual([{ n: '10' }])
})

function existsProcess(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0)
    return true
  } catch {
    return false
  }
}
