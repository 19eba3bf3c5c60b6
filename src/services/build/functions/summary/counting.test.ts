import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { Batch, type Recorded } from '../recording/batch.ts'
import { calledOf, pointsOf, spanOf } from './counting.ts'

const hourMs = 3_600_000
let stage: Stage
beforeAll(async () => {
  stage = await openStage({ zones: ['CN'] })
})
afterAll(() => stage.close())

it('counts each call in the hour that it began in, also of those that were written together over the end of an hour', async () => {
  const { server } = stage.booted
  const own = systemContext(server, 'CN', { name: 'functions' })
  const hour = Math.floor(server.clock.now() / hourMs) * hourMs
  /** Of one batch each: milliseconds after the hour at which its calls began, and those of them that failed. */
  const batches = [
    { began: [-hourMs - 1, -hourMs - 2], failed: [] },
    { began: [-3, 4, -2, 5, 0], failed: [4] },
    { began: [6, 7, 8], failed: [6, 8] },
    { began: [9], failed: [] },
  ]
  const [functionId, teamId, projectId] = ['31', '13', '12']
  for (const { began, failed } of batches) {
    const batch = new Batch()
    const runnable = { zone: 'CN', functionId, teamId, projectId, version: '3' }
    for (const after of began) {
      const phases = { queueMs: 0, bootMs: 0, initMs: 0, isCold: false, runMs: 10 + after / hourMs }
      const outcome = failed.some(one => one === after) ? 'TIMEOUT' : 'SUCCESS'
      const about = { outcome, refusal: null, fault: null, phases, memPeakMb: 30, logs: [] }
      const ran = { ...about, requestId: server.ids.next(), startedAt: hour + after }
      batch.add({ ran, runnable, qualifier: '$latest', source: 'APP' } as unknown as Recorded)
    }
    await own.transact(async ctx => {
      for (const insert of batch.inserts()) await ctx.transaction('CN').query(insert)
    })
  }
  const span = spanOf(hour, 3)
  const { called, points } = await own.transact(async ctx => ({
    called: (await calledOf(ctx, [functionId], span))(functionId),
    points: await pointsOf(ctx, [functionId], span),
  }))
  const byHour = [2, 2, 7]
  expect(called).toEqual({
    ...{ calls: 11, failures: 3, refused: 0, cold: 0, runMs: 9 * 2 + 10 * 9, lastCalledAt: hour + 9, byHour },
  })
  expect(points.map(point => [point.calls, point.failures, point.runMs])).toEqual([
    [2, 0, 18],
    [2, 0, 20],
    [7, 3, 70],
  ])
  const lately = await own.transact(ctx => calledOf(ctx, [functionId], spanOf(hour, 1)))
  expect(lately(functionId)).toMatchObject({ calls: 7, failures: 3, byHour: [7] })
})
