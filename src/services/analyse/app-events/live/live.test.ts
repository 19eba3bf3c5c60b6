import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Booted } from '../../../../server/boot.ts'
import { systemContext } from '../../../../server/context.ts'
import { heard } from '../../../../testkit/heard.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { appEvents } from '../contract.ts'
import { type AppEvent, recordAppEvents } from '../public.ts'

let stage: Stage
let other: Booted
let owner: Person
let projectId = ''
beforeAll(async () => {
  stage = await openStage()
  other = await stage.another()
  owner = await stage.person()
  ;({ projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Watched' } }))
})
afterAll(() => stage.close())

const look = async (of = projectId) => (await owner.ok(appEvents, 'listLiveEvents', { query: { projectId: of } })).list
const report = (on: Booted, events: readonly AppEvent[], to = projectId) =>
  recordAppEvents(systemContext(on.server, 'CN', { name: 'test' }), to, events)

describe('events as they come', () => {
  it('are shown from the first look on, the newest first, whichever server took them', async () => {
    await report(stage.booted, [{ name: 'before', unit: 'ada' }])
    expect(await look()).toEqual([])
    await heard(other.server, 'CN')
    await report(stage.booted, [{ name: 'first', unit: 'ada', value: 2.5, props: { screen: 'cart' } }])
    await report(other, [{ name: 'second', unit: 'lin' }])
    await stage.heard('CN')
    const found = await look()
    expect(found.map(one => [one.name, one.unit, one.value, one.props])).toEqual([
      ['second', 'lin', null, '{}'],
      ['first', 'ada', 2.5, '{"screen":"cart"}'],
    ])
  })

  it('are at most a hundred, of one minute, and short', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({
      name: `many_${n}`,
      unit: 'ada',
      props: { text: 'x'.repeat(900) },
    }))
    for (let batch = 0; batch < 8; batch++) await report(stage.booted, many)
    await stage.heard('CN')
    const found = await look()
    expect(found.length).toBe(100)
    expect(Math.max(...found.map(one => one.props.length))).toBe(300)
    stage.clock.turn(61_000)
    expect(await look()).toEqual([])
  })

  it('are told to nobody of a project that nobody watches any more', async () => {
    await look()
    await stage.heard('CN')
    stage.clock.turn(16_000)
    await report(stage.booted, [{ name: 'unseen', unit: 'ada' }])
    await stage.heard('CN')
    expect(await look()).toEqual([])
  })

  it('are those of the project alone, for those who may see it', async () => {
    const { projectId: second } = await owner.ok(projects, 'createProject', { body: { name: 'Second' } })
    await look()
    await look(second)
    await stage.heard('CN')
    await report(stage.booted, [{ name: 'only_here', unit: 'ada' }])
    await stage.heard('CN')
    expect(await look(second)).toEqual([])
    expect((await look()).map(one => one.name)).toEqual(['only_here'])
    const stranger = await stage.person()
    const reply = await stranger.call(appEvents, 'listLiveEvents', { query: { projectId } })
    expect(reply.status).toBe(404)
  })
})
