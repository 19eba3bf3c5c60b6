import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { cpmsDelegates, dgsDelegates, projects } from '../contract.ts'
import { homeChangesOf } from './rules.ts'

let stage: Stage
let leader: Person
const appId = '900000000000000011'
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  leader = await stage.person()
})
afterAll(() => stage.close())

async function tell(type: string, entityId: string, data: Record<string, unknown>, zone: 'CN' | 'DE' = 'DE') {
  await systemContext(stage.booted.server, zone, { name: 'test', teamId: leader.teamId }).transact(async ctx => {
    ctx.emit({ type, entity: type.split('.')[0] ?? '', entityId, data })
  })
  stage.clock.turn(1000)
  await stage.settle()
}

describe('the home page of a team', () => {
  it('tells what failed, what waits for somebody and what was released, until that is over', async () => {
    const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'One', zone: 'DE' } })
    await tell('app.created', appId, { projectId, name: 'Notes' })
    await tell('app.updated', appId, { name: 'Notes 2' })
    await tell('package.failed', '31', { appId })
    await tell('package.failed', '32', { appId })
    await tell('version.rejected', '41', { appId, from: 'IN_REVIEW', to: 'REJECTED' })
    await tell('version.review.question', '42', { appId, from: 'IN_REVIEW', to: 'IN_REVIEW' })
    await tell('version.on_shelf', '43', { appId, from: 'PENDING_RELEASE', to: 'ON_SHELF' })
    const home = await leader.ok(dgsDelegates, 'getAggregate')
    expect(home).toMatchObject({
      projects: 1,
      apps: 1,
      failedPackages: {
        total: 2,
        list: [{ entityId: '32', appName: 'Notes 2', zone: 'DE', projectId }, { entityId: '31' }],
      },
      openTasks: {
        total: 2,
        list: [
          { entityId: '42', need: 'answer' },
          { entityId: '41', need: 'fix' },
        ],
      },
      recentReleases: { total: 1, list: [{ entityId: '43' }] },
    })
    await tell('package.ready', '31', { appId })
    await tell('version.submitted', '41', { appId, from: 'REJECTED', to: 'PRECHECK' })
    expect(await leader.ok(cpmsDelegates, 'getAggregate')).toMatchObject({
      failedPackages: { total: 1 },
      openTasks: { total: 1 },
    })
    const stranger = await stage.person()
    expect(await stranger.ok(dgsDelegates, 'getAggregate')).toMatchObject({
      projects: 0,
      openTasks: { total: 0, list: [] },
    })
    await tell('app.deleted', appId, { projectId })
    expect(await leader.ok(dgsDelegates, 'getAggregate')).toMatchObject({
      failedPackages: { total: 0 },
      recentReleases: { total: 0 },
    })
  })

  it('shows five of each and says how many there are', async () => {
    for (let n = 0; n < 7; n++)
      await tell('version.rejected', String(100 + n), { appId: '77', from: 'IN_REVIEW', to: 'REJECTED' })
    const { openTasks } = await leader.ok(dgsDelegates, 'getAggregate')
    expect([openTasks.total, openTasks.list.length, openTasks.list[0]?.entityId]).toEqual([7, 5, '106'])
  })

  it.each([
    ['version.on_shelf', 'ON_SHELF', ['task', 'release']],
    ['version.rejected', 'REJECTED', ['task']],
    ['version.shelfoff.requested', undefined, []],
    ['app.created', undefined, []],
  ])('hears of %s', (type, to, kinds) => {
    expect(homeChangesOf(type, { to }).map(change => change.kind)).toEqual(kinds)
  })

  it('asks nobody to release what waits for the others of its submission', () => {
    const needs = (data: Record<string, unknown>) => homeChangesOf('version.approved', data).map(change => change.need)
    expect(needs({ to: 'PENDING_RELEASE' })).toEqual(['release'])
    expect(needs({ to: 'PENDING_RELEASE', heldBy: '7' })).toEqual([null])
  })
})
