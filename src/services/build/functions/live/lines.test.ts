import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Booted } from '../../../../server/boot.ts'
import { heard } from '../../../../testkit/heard.ts'
import type { Person } from '../../../../testkit/stage.ts'
import { type FunctionStage, openFunctions, until } from '../functions.testkit.ts'
import { functionTesting } from '../testing/contract.ts'

let on: FunctionStage
let other: Booted
beforeAll(async () => {
  on = await openFunctions()
  other = await on.stage.another()
})
afterAll(() => on.close())

const look = async (functionId: string, who: Person = on.owner) =>
  (await who.ok(functionTesting, 'listLiveLines', { params: { functionId } })).list
/** The first look, and every process has heard of it. */
const watch = async (functionId: string) => {
  expect(await look(functionId)).toEqual([])
  await on.stage.heard('CN')
  await heard(other.server, 'CN')
}

describe('lines as copies write them', () => {
  it('are shown while the call still runs, then how it ended, on every server', async () => {
    const { functionId, functionName } = await on.create(`exports.handler = async ({ name }) => {
      console.warn('hello ' + name)
      await new Promise(resolve => setTimeout(resolve, 1500))
      return 1
    }`)
    await watch(functionId)
    let isOver = false
    const running = on.run(functionName, { name: 'Ada' }).then(ran => {
      isOver = true
      return ran
    })
    const there = on.stage.at(other, on.owner)
    const first = await until(
      () => look(functionId, there),
      list => list.length > 0,
    )
    expect(isOver).toBe(false)
    const { requestId } = await running
    expect(first).toMatchObject([{ requestId, version: '$latest', level: 'warn', line: 'hello Ada', end: null }])
    const all = await until(
      () => look(functionId),
      list => list.length > 1,
    )
    expect(all[1]).toMatchObject({ requestId, level: 'info', line: '', end: { outcome: 'SUCCESS' } })
    expect(all[1]?.end?.durationMs).toBeGreaterThan(1400)
  })

  it('tell why a call failed, and what is written outside of calls', async () => {
    const { functionId, functionName } = await on.create(`console.log('loaded')
      exports.handler = async () => { throw new Error('no such order') }`)
    await watch(functionId)
    await on.run(functionName)
    const found = await until(
      () => look(functionId),
      list => list.some(one => one.end !== null),
    )
    expect(found.at(-1)).toMatchObject({ level: 'error', line: 'no such order', end: { outcome: 'ERROR' } })
  })

  it('that come too fast are counted, and the record of the call has them', async () => {
    const { functionId, functionName } = await on.create(`exports.handler = async () => {
      for (let n = 0; n < 900; n++) console.log('line ' + n + ' ' + 'x'.repeat(500))
    }`)
    await watch(functionId)
    const ran = await on.run(functionName)
    expect(ran.logs).toHaveLength(900)
    const found = await until(
      () => look(functionId),
      list => list.some(one => /came faster/.test(one.line)),
    )
    const shown = found.filter(one => /^line/.test(one.line)).length
    const counted = found.map(one => Number(/^(\d+) lines came/.exec(one.line)?.[1] ?? 0))
    const ends = found.filter(one => one.end !== null).length
    expect(shown).toBeGreaterThan(0)
    expect(shown + counted.reduce((sum, one) => sum + one, 0) + ends).toBeGreaterThanOrEqual(900)
  })

  it('are told to nobody where nobody looks, and to nobody of another team', async () => {
    const { functionId, functionName } = await on.create(`exports.handler = async () => { console.log('unseen') }`)
    await on.run(functionName)
    await watch(functionId)
    const stranger = await on.stage.person()
    const reply = await stranger.call(functionTesting, 'listLiveLines', { params: { functionId } })
    expect(reply.status).toBe(404)
    expect(await look(functionId)).toEqual([])
  })
})
