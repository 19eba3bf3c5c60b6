import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { recordAppEvents } from '../../../analyse/app-events/public.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audiences } from './contract.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const many = 25

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

it('twenty-five audiences that are due at once do not wait for one another', async () => {
  const person = await stage.person()
  const { projectId } = await person.ok(projects, 'createProject', { body: { name: 'Together' } })
  const send = (unit: string, daysAgo: number) => ({ unit, name: 'buy', at: stage.clock.now() - daysAgo * dayMs - 1 })
  await systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx =>
    recordAppEvents(ctx, projectId, [send('ann', 0), send('bob', 3), send('eve', 20)]),
  )
  for (let at = 0; at < many; at++) {
    const rule = { op: 'did', event: 'buy', times: 1, days: at + 1 } as const
    const body = { projectId, name: `Buyers of ${at + 1} days`, rule, refreshEvery: '1h' as const }
    await person.ok(audiences, 'createAudience', { body })
  }
  const due = () =>
    stage.sql<{ audience_id: string }>(
      'CN',
      'SELECT audience_id FROM targeting_audiences WHERE refreshed_at IS NULL OR refreshed_at < $1',
      [stage.clock.now() - hourMs / 2],
    )
  await expect.poll(async () => (await due()).length, { timeout: 120_000 }).toBe(0)
  stage.clock.turn(hourMs)
  const began = performance.now()
  await stage.booted.worker.sweep()
  await expect.poll(async () => (await due()).length, { timeout: 120_000, interval: 100 }).toBe(0)
  const seconds = (performance.now() - began) / 1000
  // Sessions do not last so long.
  const later = await stage.person({ team: person.teamId, roles: ['administrator'] })
  const { list } = await later.ok(audiences, 'listAudiences', { query: { projectId, pageSize: 100 } })
  expect(list.map(one => one.size).sort()).toEqual(list.map((_one, at) => (at < 3 ? 1 : at < 20 ? 2 : 3)).sort())
  expect(seconds).toBeLessThan(20)
}, 300_000)
