import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type RolloutView, rollouts } from './contract.ts'
import { openRollouts, type RolloutStage, timed } from './rollouts.testkit.ts'

let stage: Stage
let on: RolloutStage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  on = await openRollouts(stage)
})
afterAll(() => stage.close())

const change = ({ rolloutId, revision }: RolloutView, body: object, who = on.owner) =>
  who.call(rollouts, 'updateRollout', { params: { rolloutId }, body: { revision, ...body } })

describe('a draft of a rollout', () => {
  it('is changed in each of its parts, what is left out stays, and its history says who did', async () => {
    const draft = await on.made()
    const startAt = stage.clock.now() + 3_600_000
    const steps = [{ percent: 20, holdMs: null }, ...timed(40)]
    const { body } = await change(draft, { name: ' Blue ', value: 'blue', steps, srmAction: 'hold', startAt })
    expect(body).toMatchObject({ name: 'Blue', value: 'blue', steps, srmAction: 'hold', startAt, state: 'draft' })
    expect([body.parameter, body.unitAttr, body.revision]).toEqual(['button', 'targetingKey', draft.revision + 1])
    const other = await change(body, { parameter: 'size', value: '2', startAt: null })
    expect(other.body).toMatchObject({ parameter: 'size', condition: null, value: '2', startAt: null, name: 'Blue' })
    expect((await on.historyOf(draft)).map(row => [row.action, row.by?.accountId])).toEqual([
      ['edit', on.owner.accountId],
      ['edit', on.owner.accountId],
    ])
    expect((await on.act('start', other.body)).percent).toBe(20)
  })

  it('of another parameter does not keep the condition of the one before', async () => {
    const draft = await on.made({ condition: 'cn' })
    const { body } = await change(draft, { parameter: 'size', value: '3' })
    expect([body.parameter, body.condition]).toEqual(['size', null])
  })

  it('begins at the time that it says, unless the start says another or none', async () => {
    const startAt = stage.clock.now() + 3_600_000
    const planned = await on.act('start', await on.made({ startAt }))
    expect([planned.state, planned.dueAt, planned.startAt]).toEqual(['scheduled', startAt, null])
    const { body: second } = await change(await on.made({ parameter: 'size', value: '2' }), { startAt })
    expect((await on.act('start', second, { startAt: null })).state).toBe('running')
  })

  it.each<[string, object, string]>([
    ['steps that do not grow', { steps: timed(10, 10) }, '/steps/1/percent'],
    ['a hold of a second', { steps: [{ percent: 5, holdMs: 1_000 }] }, '/steps/0/holdMs'],
    ['a parameter that is not there', { parameter: 'colour' }, '/parameter'],
    ['a condition that it has not', { condition: 'de' }, '/condition'],
    ['the value that is there', { value: 'grey' }, '/value'],
    ['a metric that is not there', { guardrails: ['12'] }, '/guardrails/0'],
    ['a time that has passed', { startAt: 1_000 }, '/startAt'],
  ])('is refused %s, at its field, and stays as it was', async (_what, body, pointer) => {
    const draft = await on.made()
    const reply = await change(draft, body)
    expect([reply.status, reply.body.fields?.map((one: { pointer: string }) => one.pointer)]).toEqual([400, [pointer]])
    expect(await on.look(draft)).toEqual(draft)
    expect(await on.historyOf(draft)).toEqual([])
  })

  it('is changed by who read it last, by who may, of the own team, and while it is a draft', async () => {
    const draft = await on.made()
    const { body: changed } = await change(draft, { value: 'blue' })
    expect((await change(draft, { value: 'pink' })).status).toBe(409)
    const reader = await stage.person({ team: on.owner.teamId, roles: ['customerService'] })
    expect((await change(changed, { value: 'pink' }, reader)).status).toBe(403)
    expect((await change(changed, { value: 'pink' }, await stage.person())).status).toBe(404)
    expect(changed.allowedActions).toContain('edit')
    const running = await on.act('start', changed)
    expect(running.allowedActions).not.toContain('edit')
    expect((await change(running, { value: 'pink' })).status).toBe(422)
    expect((await on.look(running)).value).toBe('blue')
  })
})
