import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { recordAppEvents } from '../../../analyse/app-events/public.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { fixedAudience } from '../targeting.testkit.ts'
import { audiences } from './contract.ts'
import { growthOf } from './rules.ts'
import { thinSizes } from './sizes.ts'

const dayMs = 86_400_000

describe('growth', () => {
  const points = [
    { at: 10, size: 4 },
    { at: 20, size: 7 },
  ]
  it.each([
    ['of then', 20, 2],
    ['of the last time before', 15, 5],
    ['of before the first time', 9, null],
  ])('is told beside the size %s', (_when, since, growth) => expect(growthOf(points, 9, since)).toBe(growth))
})

describe('the size of an audience', () => {
  let stage: Stage
  let person: Person
  let projectId: string
  beforeAll(async () => {
    stage = await openStage()
    person = await stage.person()
    projectId = (await person.ok(projects, 'createProject', { body: { name: 'Sizes' } })).projectId
  })
  afterAll(() => stage.close())

  const zone = () => systemContext(stage.booted.server, 'CN', { name: 'test' })
  const inDays = async (days: number) => {
    stage.clock.turn(days * dayMs)
    // Sessions do not last so long.
    person = await stage.person({ team: person.teamId, roles: ['administrator'] })
  }
  const buy = (...units: string[]) =>
    zone().transact(ctx =>
      recordAppEvents(
        ctx,
        projectId,
        units.map(unit => ({ unit, name: 'buy', at: stage.clock.now() - 1 })),
      ),
    )
  const sizesOf = (audienceId: string, who = person) =>
    who.call(audiences, 'getAudienceSizes', { params: { audienceId } })
  const refresh = async (audienceId: string) => {
    await person.ok(audiences, 'refreshAudience', { params: { audienceId } })
    await stage.settle()
  }

  it('is kept each time it is made anew, with its growth, thinned after a week and dropped after 90 days', async () => {
    await buy('ann')
    const rule = { op: 'did', event: 'buy', times: 1, days: 180 } as const
    const body = { projectId, name: 'Buyers', rule, refreshEvery: 'manual' as const }
    const { audienceId } = await person.ok(audiences, 'createAudience', { body })
    await stage.settle()
    const first = (await sizesOf(audienceId)).body
    expect([first.points.map(one => one.size), first.sinceYesterday, first.sinceLastWeek]).toEqual([[1], null, null])
    // The next six o'clock in UTC, so that an hour more is the same day and all are made within a week.
    await inDays(0.5 - ((stage.clock.now() + dayMs / 4) % (dayMs / 2)) / dayMs)
    await buy('bob', 'eve')
    await refresh(audienceId)
    await inDays(1 / 24)
    await buy('tom')
    await refresh(audienceId)
    await inDays(6)
    await buy('zoe')
    await refresh(audienceId)
    const week = (await sizesOf(audienceId)).body
    expect(week.points.map(one => one.size)).toEqual([1, 3, 4, 5])
    expect([week.sinceYesterday, week.sinceLastWeek]).toEqual([1, null])
    const thinned = async () => {
      await zone().transact(thinSizes)
      return (await sizesOf(audienceId)).body.points.map(one => one.size)
    }
    expect((await thinned()).slice(-3)).toEqual([3, 4, 5])
    await inDays(2)
    expect((await thinned()).slice(-2)).toEqual([4, 5])
    expect((await sizesOf(audienceId)).body.sinceLastWeek).toBe(1)
    await inDays(83)
    expect(await thinned()).toEqual([5])
    await inDays(8)
    expect(await thinned()).toEqual([])
  }, 60_000)

  it('is kept of uploads too, is nobody’s of another team, and goes with the audience', async () => {
    const audienceId = await fixedAudience(stage, person, projectId, 'ann\nbob\n')
    const params = { audienceId }
    expect((await sizesOf(audienceId)).body.points.map(one => one.size)).toEqual([2])
    expect((await sizesOf(audienceId, await stage.person())).status).toBe(404)
    await person.ok(audiences, 'deleteAudience', { params })
    expect(await stage.sql('CN', 'SELECT 1 FROM targeting_sizes WHERE audience_id = $1', [audienceId])).toEqual([])
  })
})
