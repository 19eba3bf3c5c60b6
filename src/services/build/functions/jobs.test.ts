import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FunctionStage, openFunctions } from './functions.testkit.ts'
import { recordedCalls } from './recording/recorded.ts'
import { flushRecords } from './recording/recording.ts'
import { limits } from './rules.ts'

let app: FunctionStage
beforeAll(async () => {
  app = await openFunctions()
})
afterAll(() => app.close())

it('forgets calls of every function after their week, also of one that is gone, and none before', async () => {
  const { stage } = app
  const code = 'exports.handler = async event => { if (event.says) console.log(event.says) }'
  const [one, other] = [await app.create(code), await app.create(code)]
  const callAfter = async (ms: number, { functionName }: typeof one, event: object = {}) => {
    stage.clock.turn(ms)
    return (await app.run(functionName, event)).requestId
  }
  const left = async () => {
    await flushRecords(stage.booted.server)
    await stage.booted.worker.sweep()
    const rows = await stage.sql<{ id: string }>(
      'CN',
      `SELECT request_id AS id FROM ${recordedCalls} AS call ORDER BY id`,
    )
    return rows.map(row => row.id)
  }
  const says = { says: 'something' }
  const first = [await callAfter(0, one), await callAfter(0, other, says)]
  await flushRecords(stage.booted.server)
  const second = [await callAfter(60_000, one, says), await callAfter(0, other)]
  await flushRecords(stage.booted.server)
  await stage.sql(
    'CN',
    ['fn_invocations', 'fn_calls_alike']
      .map(
        table => `CREATE TEMP TABLE gone AS SELECT * FROM ${table} WHERE function_id = ${one.functionId};
          UPDATE gone SET function_id = 1; INSERT INTO ${table} SELECT * FROM gone; DROP TABLE gone`,
      )
      .join(';'),
  )
  // Of those that say nothing: one of each function, and one of a function that is gone.
  expect(await stage.sql('CN', 'SELECT calls FROM fn_calls_alike')).toEqual([1, 1, 1].map(calls => ({ calls })))
  const twice = ([ofOne, ofOther]: string[]) => [ofOne, ofOne, ofOther]
  stage.clock.turn(limits.keptLogsMs - 90_000)
  expect(await left()).toEqual([...twice(first), ...twice(second)])
  stage.clock.turn(60_000)
  expect(await left()).toEqual(twice(second))
  stage.clock.turn(60_000)
  expect(await left()).toEqual([])
})
