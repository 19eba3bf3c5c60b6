import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FunctionStage, openFunctions } from './functions.testkit.ts'
import { flushRecords } from './recording/recording.ts'
import { limits } from './rules.ts'

let app: FunctionStage
beforeAll(async () => {
  app = await openFunctions()
})
afterAll(() => app.close())

it('forgets calls after their week, and none before', async () => {
  const { stage } = app
  const { functionName } = await app.create('exports.handler = async event => event.n')
  const callAfter = async (ms: number, n: number) => {
    stage.clock.turn(ms)
    return (await app.run(functionName, { n })).requestId
  }
  const left = async () => {
    await flushRecords(stage.booted.server)
    await stage.booted.worker.sweep()
    const rows = await stage.sql<{ id: string }>('CN', 'SELECT request_id AS id FROM fn_invocations ORDER BY id')
    return rows.map(row => row.id)
  }
  const first = await callAfter(0, 1)
  const second = await callAfter(60_000, 2)
  stage.clock.turn(limits.keptLogsMs - 90_000)
  expect(await left()).toEqual([first, second])
  stage.clock.turn(60_000)
  expect(await left()).toEqual([second])
  stage.clock.turn(60_000)
  expect(await left()).toEqual([])
})
