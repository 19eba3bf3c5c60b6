import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import type { Ran } from '../invocation.ts'
import { Batch, type Recorded } from './batch.ts'
import { recordedCalls } from './recorded.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ zones: ['CN'] })
})
afterAll(() => stage.close())

const warm = { queueMs: 1.4, bootMs: 0, initMs: 0, isCold: false, runMs: 2.6 }
const runnable = { zone: 'CN', functionId: '11', teamId: '13', projectId: '12', version: '3' }
let asked = 0

/** A call that went as most of them go, but for what is said. */
function callWith(ran: Partial<Ran> = {}, more: object = {}): Recorded {
  const usual = { outcome: 'SUCCESS', refusal: null, fault: null, phases: warm, memPeakMb: 30.2, logs: [] }
  const made = { ...usual, requestId: String(9_007_199_254_740_993n + BigInt(asked++)), startedAt: 1_796_000_000_123 }
  return { ran: { ...made, ...ran }, runnable, qualifier: '$latest', source: 'APP', ...more } as unknown as Recorded
}

async function written(calls: Recorded[]) {
  const batch = new Batch()
  for (const call of calls) batch.add(call)
  expect(batch.size).toBe(calls.length)
  return systemContext(stage.booted.server, 'CN', { name: 'functions' }).transact(async ctx => {
    const transaction = ctx.transaction('CN')
    for (const insert of batch.inserts()) await transaction.query(insert)
    const ids = calls.map(call => call.ran.requestId)
    const { rows } = await transaction.query<Record<string, unknown>>({
      text: `SELECT * FROM ${recordedCalls} AS call WHERE request_id = ANY($1::bigint[]) ORDER BY request_id`,
      values: [ids],
    })
    const alike = await transaction.query<Record<string, unknown>>({
      text: 'SELECT * FROM fn_calls_alike WHERE request_ids && $1::bigint[] ORDER BY first_id',
      values: [ids],
    })
    return { rows, alike: alike.rows }
  })
}

describe('calls that are written together', () => {
  it('have each of their numbers, and what they have in common once', async () => {
    const calls = [callWith(), callWith({ phases: { ...warm, queueMs: 40 } }), callWith({ memPeakMb: 99 })]
    const { rows, alike } = await written(calls)
    const ids = calls.map(call => call.ran.requestId)
    expect(alike).toMatchObject([
      { calls: 3, first_id: ids[0], last_id: ids[2], team_id: '13', project_id: '12', request_ids: ids },
    ])
    const same = {
      function_id: '11',
      version: '3',
      source: 'APP',
      outcome: 'SUCCESS',
      is_cold: false,
    }
    expect(rows).toMatchObject([
      { ...same, queue_ms: 1, run_ms: 3, mem_peak_mb: 30, started_at: '1796000000123', lines: [] },
      { ...same, queue_ms: 40, run_ms: 3, mem_peak_mb: 30 },
      { ...same, queue_ms: 1, run_ms: 3, mem_peak_mb: 99 },
    ])
    expect(rows.map(row => row['request_id'])).toEqual(ids)
  })

  it.each<[string, Recorded, Record<string, unknown>]>([
    ['failed', callWith({ outcome: 'CRASH' }), { outcome: 'CRASH' }],
    [
      'has an error',
      callWith({ outcome: 'ERROR', fault: { kind: 'uncaught', name: 'Bad\u0000', message: 'for \ud800', stack: '' } }),
      { outcome: 'ERROR', error_type: 'Bad\ufffd', error_message: 'for \ufffd' },
    ],
    [
      'was refused',
      callWith({ outcome: 'REFUSED', refusal: { row: [4711, 429, 'later'], detail: {} } } as never),
      { outcome: 'REFUSED', error_type: '4711', error_message: null },
    ],
    [
      'began a copy',
      callWith({ phases: { ...warm, isCold: true, bootMs: 50.4, initMs: 7 } }),
      { is_cold: true, boot_ms: 50, init_ms: 7 },
    ],
    [
      'wrote lines',
      callWith({ logs: [{ at: 5, level: 'info', line: 'a "line"\u0000' }] }),
      { lines: [{ at: 5, level: 'info', line: 'a "line"\ufffd' }] },
    ],
    ['was of another alias', callWith({}, { qualifier: 'live' }), { qualifier: 'live' }],
    ['came from elsewhere', callWith({}, { source: 'TRIGGER' }), { source: 'TRIGGER' }],
    ['was of another version', callWith({}, { runnable: { ...runnable, version: '4' } }), { version: '4' }],
  ])('are told from one that %s', async (_what, other, wanted) => {
    const { rows, alike } = await written([callWith(), other, callWith()])
    const isAlike = rows.filter(row => row['is_alike'])
    expect(isAlike).toHaveLength(alike.reduce((sum, row) => sum + Number(row['calls']), 0))
    expect(alike.map(row => row['calls'])).toContain(2)
    const usual = { outcome: 'SUCCESS', qualifier: '$latest', source: 'APP', version: '3', is_cold: false, lines: [] }
    const byId = (call: Recorded) => rows.find(row => row['request_id'] === call.ran.requestId)
    expect(byId(other)).toMatchObject(wanted)
    expect(rows.filter(row => row !== byId(other))).toMatchObject([usual, usual])
  })

  it('may be as many as are written at once, each of a kind of its own', async () => {
    const line = (at: number) => [{ at, level: 'info' as const, line: `line ${at}` }]
    const { rows } = await written(Array.from({ length: 2_000 }, (_, at) => callWith({ logs: line(at) })))
    expect(rows.map(row => row['lines'])).toEqual(Array.from({ length: 2_000 }, (_, at) => line(at)))
  })
})
