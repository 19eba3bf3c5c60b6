import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FunctionStage, openFunctions } from './functions.testkit.ts'
import { flushRecords } from './recording/recording.ts'
import { limits } from './rules.ts'

let app: FunctionStage
beforeAll(async () => {
  app = await openFunctions()
})
afterAll(() => app.close())

it('forgets calls of every function after their week, also of one that is gone, and none before', async () => {
  const { stage } = app
  const code = 'exports.handler = async event => event.n'
  const [one, other] = [await app.create(code), await app.create(code)]
  const callAfter = async (ms: number, { functionName }: typeof one) => {
    stage.clock.turn(ms)
    return (await app.run(functionName, { n: 1 })).requestId
  }
  const left = async () => {
    await flushRecords(stage.booted.server)
    await stage.booted.worker.sweep()
    const rows = await stage.sql<{ id: string }>('CN', 'SELECT request_id AS id FROM fn_invocations ORDER BY id')
    return rows.map(row => row.id)
  }
  const first = [await callAfter(0, one), await callAfter(0, other)]
  const second = [await callAfter(60_000, one), await callAfter(0, other)]
  await flushRecords(stage.booted.server)
  await stage.sql(
    'CN',
    `CREATE TEMP TABLE gone AS SELECT * FROM fn_invocations WHERE function_id = ${one.functionId};
    UPDATE gone SET function_id = 1; INSERT INTO fn_invocations SELECT * FROM gone`,
  )
  const twice = ([ofOne, ofOther]: string[]) => [ofOne, ofOne, ofOther]
  stage.clock.turn(limits.keptLogsMs - 90_000)
  expect(await left()).toEqual([...twice(first), ...twice(second)])
  stage.clock.turn(60_000)
  expect(await left()).toEqual(twice(second))
  stage.clock.turn(60_000)
  expect(await left()).toEqual([])
})
