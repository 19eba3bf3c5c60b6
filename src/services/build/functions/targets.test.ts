import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type FunctionStage, openFunctions } from './functions.testkit.ts'
import { controlsChannel } from './governance/controls.ts'
import { targetsOf } from './targets.ts'

let on: FunctionStage
beforeAll(async () => {
  on = await openFunctions()
})
afterAll(() => on.close())

/** How often a function was read with its versions meanwhile: by whoever calls it, and by what keeps its copies. */
async function loadsIn(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const texts = query.mock.calls.map(([asked]) => String((asked as unknown as { text?: string }).text ?? asked))
  query.mockRestore()
  return texts.filter(text => /from "fn_versions" where "fn_versions"."function_id" = \$1/.test(text)).length
}

it('what a name means is answered from memory, and after a change read once for all who call meanwhile', async () => {
  const { functionId, functionName } = await on.create('exports.handler = async () => 1')
  await on.stage.heard('CN')
  const targets = targetsOf(on.stage.booted.server)
  const named = () => targets.named('CN', on.projectId, `${functionName}-$latest`)
  const all = () => Promise.all(Array.from({ length: 50 }, named))
  await all()
  expect(named()).not.toBeInstanceOf(Promise)
  expect(await loadsIn(all)).toBe(0)
  // As another process changes it: of its own changes a process is told twice, at once and by NOTIFY.
  const change = async () => {
    await on.stage.sql('CN', `UPDATE fn_functions SET description = 'another' WHERE function_id = $1`, [functionId])
    await on.stage.sql('CN', 'SELECT pg_notify($1, $2)', [controlsChannel, functionId])
    await on.stage.heard('CN')
    await all()
  }
  expect(await loadsIn(change)).toBe(1)
  expect((await named()).known.row.description).toBe('another')
})
