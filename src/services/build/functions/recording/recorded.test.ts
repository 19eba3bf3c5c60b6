import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { Batch, type Recorded } from './batch.ts'
import { listCalls } from './recorded.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ zones: ['CN'] })
})
afterAll(() => stage.close())

const inZone = <T>(work: Parameters<ReturnType<typeof systemContext>['transact']>[0]) =>
  systemContext(stage.booted.server, 'CN', { name: 'functions' }).transact(work) as Promise<T>

type Kind = 'alike' | 'of an alias' | 'failed' | 'says'
const kinds: readonly Kind[] = ['alike', 'of an alias', 'failed', 'says']

function call(functionId: string, id: number, kind: Kind): Recorded {
  const phases = { queueMs: 1, bootMs: 0, initMs: 0, isCold: false, runMs: id }
  const fault = kind === 'failed' ? { kind: 'uncaught', name: 'Bad', message: `no ${id}`, stack: '' } : null
  const logs = kind === 'says' ? [{ at: 1, level: 'info', line: `line ${id}` }] : []
  const outcome = fault ? 'ERROR' : 'SUCCESS'
  const ran = { requestId: String(id), outcome, refusal: null, fault, phases, memPeakMb: 30, logs, startedAt: id }
  const runnable = { zone: 'CN', functionId, teamId: '13', projectId: '12', version: '3' }
  return { ran, runnable, qualifier: kind === 'of an alias' ? 'live' : '$latest', source: 'APP' } as unknown as Recorded
}

/** Batches as several processes write them: what is in one is between what is in others. */
async function write(batches: readonly (readonly Recorded[])[]): Promise<void> {
  for (const calls of batches) {
    const batch = new Batch()
    const runnables = new Map(calls.map(one => [one.runnable.functionId, one.runnable]))
    for (const one of calls) batch.add({ ...one, runnable: runnables.get(one.runnable.functionId) as never })
    await inZone(async ctx => {
      for (const insert of batch.inserts()) await ctx.transaction('CN').query(insert)
    })
  }
}

/** Numbers that look as if there were no order in them, the same each time. */
function* shuffled(count: number): Generator<number> {
  for (let at = 0, number = 7; at < count; at++) {
    number = (number * 1_103_515_245 + 12_345) % 2 ** 31
    yield number
  }
}

describe('calls of a function are listed, the newest first', () => {
  const functionId = '21'
  const all = [...shuffled(300)].map((number, at) => call(functionId, at + 1, kinds[number % 7] ?? 'alike'))
  beforeAll(async () => {
    const batches: Recorded[][] = Array.from({ length: 12 }, () => [])
    for (const [at, number] of [...shuffled(300)].entries())
      batches[Math.floor(at / 60) * 2 + (number % 3 === 0 ? 1 : 0)]?.push(all[at] as Recorded)
    // Somebody else's, which are none of these.
    await write([...batches.map(batch => batch.toReversed()), [call('22', 150, 'alike'), call('22', 400, 'failed')]])
  })

  async function pages(wanted: Omit<Parameters<typeof listCalls>[2], 'pageSize' | 'cursor'>, pageSize: number) {
    const found: string[] = []
    const totals = new Set<number>()
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listCalls>> = await inZone(ctx =>
        listCalls(ctx, functionId, { ...wanted, pageSize, ...(cursor === null ? {} : { cursor }) }),
      )
      expect(page.list.length).toBeLessThanOrEqual(pageSize)
      found.push(...page.list.map(one => one.requestId))
      totals.add(page.total)
      cursor = page.nextCursor
    } while (cursor !== null)
    return { found, totals: [...totals] }
  }
  const idsOf = (calls: readonly Recorded[]) => calls.map(one => one.ran.requestId).reverse()

  it.each([1, 7, 20, 299, 300])('each once over pages of %d', async pageSize => {
    expect(await pages({}, pageSize)).toEqual({ found: idsOf(all), totals: [300] })
  })

  it.each(['SUCCESS', 'ERROR'] as const)('with the outcome %s', async outcome => {
    const wanted = idsOf(all.filter(one => one.ran.outcome === outcome))
    expect(await pages({ outcome }, 9)).toEqual({ found: wanted, totals: [wanted.length] })
  })

  it.each([
    ['line 1', (one: Recorded) => one.ran.logs.some(log => log.line.includes('line 1'))],
    ['bad', (one: Recorded) => one.ran.fault !== null],
  ] as const)('with the words "%s" in them', async (keyword, isWanted) => {
    const wanted = idsOf(all.filter(isWanted))
    expect(wanted.length).toBeGreaterThan(9)
    expect(await pages({ keyword }, 9)).toEqual({ found: wanted, totals: [wanted.length] })
  })

  it('by an id, each of them', async () => {
    for (const { ran } of all) {
      const { found, totals } = await pages({ requestId: ran.requestId }, 2)
      expect([ran.requestId, found, totals]).toEqual([ran.requestId, [ran.requestId], [1]])
    }
    expect(await pages({ requestId: '301' }, 2)).toEqual({ found: [], totals: [0] })
    expect(await pages({ requestId: '5', keyword: 'nobody says so' }, 2)).toEqual({ found: [], totals: [0] })
  })

  it.each(['9223372036854775806', '9223372036854775807', '9223372036854775808', '9999999999999999999'])(
    'by the id %s, which is nobody’s, on whatever page',
    async requestId => {
      for (const cursor of [undefined, '5', '9223372036854775807', '9999999999999999999']) {
        const wanted = { requestId, pageSize: 2, ...(cursor === undefined ? {} : { cursor }) }
        expect(await inZone(ctx => listCalls(ctx, functionId, wanted))).toEqual({
          total: 0,
          list: [],
          nextCursor: null,
        })
      }
    },
  )

  it('from the newest on where the cursor is none that was given out', async () => {
    for (const cursor of ['', '-1', 'x', '9999999999999999999']) {
      const page = await inZone<Awaited<ReturnType<typeof listCalls>>>(ctx =>
        listCalls(ctx, functionId, { cursor, pageSize: 2 }),
      )
      expect(page.list.map(one => one.requestId)).toEqual(['300', '299'])
    }
  })

  it('with all that is known of each', async () => {
    const { list } = await inZone<Awaited<ReturnType<typeof listCalls>>>(ctx =>
      listCalls(ctx, functionId, { pageSize: 300 }),
    )
    for (const { ran, qualifier, runnable } of all) {
      expect(list.find(one => one.requestId === ran.requestId)).toEqual({
        ...{ requestId: ran.requestId, functionId, qualifier, version: runnable.version, source: 'APP' },
        ...{ outcome: ran.outcome, errorType: ran.fault?.name ?? null, errorMessage: ran.fault?.message ?? null },
        ...{ isCold: false, queueMs: 1, bootMs: 0, initMs: 0, runMs: ran.phases.runMs, memPeakMb: 30 },
        ...{ startedAt: ran.startedAt, lines: ran.logs },
      })
    }
  })
})
