import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FunctionStage, openFunctions } from '../functions.testkit.ts'
import { recordedCalls } from '../recording/recorded.ts'
import { flushRecords } from '../recording/recording.ts'
import { functionSummary } from './contract.ts'

let app: FunctionStage
beforeAll(async () => {
  app = await openFunctions()
})
afterAll(() => app.close())

const code = `exports.handler = async event => { console.log('asked for', event.what); if (event.fails) throw new Error('no'); return event.what }`

it('shows functions with what was really called of them', async () => {
  const { owner, projectId, stage } = app
  const { functionName } = await app.create(code, { functionName: 'summed' })
  await app.create(code, { functionName: 'quiet' })
  const test = (event: object) =>
    owner.ok(functionSummary, 'testSummaryFunction', {
      params: { functionName },
      query: { projectId },
      body: { event },
    })
  expect(await test({ what: 'bread' })).toMatchObject({ outcome: 'SUCCESS', result: 'bread', coldStart: false })
  expect(await test({ what: 'milk', fails: true })).toMatchObject({ outcome: 'ERROR', statusCode: 500 })
  // As if these had been two hours ago.
  await flushRecords(stage.booted.server)
  await stage.sql('CN', 'UPDATE fn_invocations SET started_at = started_at - $1', [2 * 3_600_000])
  await test({ what: 'salt' })

  const { list, total } = await owner.ok(functionSummary, 'listSummaries', { query: { projectId } })
  expect(total).toBe(2)
  expect(list.map(one => [one.function.functionName, one.calls, one.failures])).toEqual([
    ['quiet', 0, 0],
    ['summed', 3, 1],
  ])
  expect(list[0]?.lastCalledAt).toBeNull()
  expect(list.map(one => [one.byHour.length, one.byHour.slice(-3)])).toEqual([
    [24, [0, 0, 0]],
    [24, [2, 0, 1]],
  ])
  const lately = await owner.ok(functionSummary, 'listSummaries', { query: { projectId, hours: 1, keyword: 'sum' } })
  expect(lately.list).toMatchObject([{ calls: 1, failures: 0 }])

  const one = await owner.ok(functionSummary, 'getSummary', {
    params: { functionName },
    query: { projectId, hours: 4 },
  })
  expect([one.calls, one.failures, one.refused]).toEqual([3, 1, 0])
  expect(one.points.map(point => point.calls)).toEqual([0, 2, 0, 1])

  const usage = await owner.ok(functionSummary, 'getUsage', { query: { projectId, hours: 168 } })
  expect([usage.calls, usage.failures, usage.functions, usage.points.length]).toEqual([3, 1, 2, 168])
  expect(usage.until - usage.from).toBe(168 * 3_600_000)
  const { quotas } = await owner.ok(functionSummary, 'getQuota', { query: { projectId } })
  expect(quotas).toContainEqual({ metric: 'functions', limit: 400, used: 2 })

  const logs = await owner.ok(functionSummary, 'listSummaryLogs', {
    params: { functionName },
    query: { projectId, keyword: 'milk' },
  })
  expect(logs.list).toMatchObject([{ outcome: 'ERROR', lines: [{ level: 'info', line: 'asked for milk' }] }])
})

it('has the times of calls that ran, however many were refused', async () => {
  const { owner, projectId, stage } = app
  const { functionId, functionName } = await app.create(
    'exports.handler = () => new Promise(done => setTimeout(() => done(1), 30))',
  )
  await app.run(functionName)
  await flushRecords(stage.booted.server)
  await stage.sql(
    'CN',
    `INSERT INTO fn_invocations SELECT (jsonb_populate_record(NULL::fn_invocations, to_jsonb(call) || to_jsonb(f)
        || jsonb_build_object('request_id', request_id + n, 'outcome', 'REFUSED', 'run_ms', 0))).*
      FROM ${recordedCalls} AS call JOIN fn_functions f USING (function_id), generate_series(1, 9) AS n
      WHERE function_id = $1`,
    [functionId],
  )
  const one = await owner.ok(functionSummary, 'getSummary', {
    params: { functionName },
    query: { projectId, hours: 2 },
  })
  expect([one.calls, one.failures, one.refused]).toEqual([10, 9, 9])
  expect(one.points.find(point => point.calls > 0)?.medianMs).toBeGreaterThanOrEqual(25)
})

it('is of one project, and of what is there', async () => {
  const { owner, projectId, stage } = app
  const missing = { params: { functionName: 'nobody' }, query: { projectId } }
  expect((await owner.call(functionSummary, 'getSummary', missing)).status).toBe(404)
  expect((await owner.call(functionSummary, 'listSummaryLogs', missing)).status).toBe(404)
  const long = { query: { projectId, hours: 169 } }
  expect((await owner.call(functionSummary, 'getUsage', long)).status).toBe(400)
  const stranger = await stage.person()
  for (const name of ['listSummaries', 'getUsage', 'getQuota'] as const)
    expect((await stranger.call(functionSummary, name, { query: { projectId } })).status).toBe(404)
  const theirs = { params: { functionName: 'summed' }, query: { projectId } }
  expect((await stranger.call(functionSummary, 'getSummary', theirs)).status).toBe(404)
})
