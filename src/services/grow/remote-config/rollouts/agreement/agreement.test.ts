import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../../testkit/stage.ts'
import { remoteConfigErrors as errors } from '../../contract.ts'
import { remoteConfigSettings } from '../../settings/contract.ts'
import { type RolloutView, rollouts } from '../contract.ts'
import { hold, openRollouts, type RolloutStage, timed } from '../rollouts.testkit.ts'
import { rolloutAgreement } from './contract.ts'

let stage: Stage
let on: RolloutStage
let author: Person
let one: Person
let two: Person
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  on = await openRollouts(stage)
  const colleague = () => stage.person({ team: on.owner.teamId, roles: ['operations'] })
  author = await colleague()
  one = await colleague()
  two = await colleague()
})
afterAll(() => stage.close())

const need = (approvals: number) =>
  on.owner.ok(remoteConfigSettings, 'putSettings', {
    body: { projectId: on.projectId, minFetchIntervalSec: 60, approvals },
  })
const made = async (body: object = {}): Promise<RolloutView> => {
  const plan = { name: 'Green', parameter: 'button', value: 'green', steps: timed(10, 50, 100), ...body }
  return author.ok(rollouts, 'createRollout', { body: { ...on.where, ...plan } })
}
type Call = 'askAboutRollout' | 'agreeToRollout' | 'refuseRollout' | 'withdrawRollout'
const call = (who: Person, name: Call, { rolloutId, revision }: RolloutView, more: object = {}) =>
  who.call(rolloutAgreement, name, { params: { rolloutId }, body: { revision, ...more } as never })
const ask = (of: RolloutView, action: 'start' | 'complete', more: object = {}, who = author) =>
  call(who, 'askAboutRollout', of, { action, ...more })
const agree = (who: Person, of: RolloutView, reason = '') => call(who, 'agreeToRollout', of, { reason })
const seenBy = (who: Person, { rolloutId }: RolloutView) => who.ok(rollouts, 'getRollout', { params: { rolloutId } })
const code = (reply: { status: number; body: { ret: { code: number } } }) => [reply.status, reply.body.ret.code]
const valueFor = async (targetingKey: string): Promise<string> => {
  await stage.heard('CN')
  const reply = await stage.app.inject({
    ...{ method: 'POST', url: '/rcs/v1/config', payload: JSON.stringify({ context: { targetingKey } }) },
    headers: { 'x-api-key': on.apiKey, 'content-type': 'application/json' },
  })
  return reply.json().entries.button.v
}
const told = (kind: string) => stage.sql('CN', 'SELECT 1 FROM notices WHERE kind = $1', [kind])

describe('where others must agree, a rollout', () => {
  it('starts when as many others agreed as the project asks for, each once and never who wrote or asked', async () => {
    await need(2)
    const draft = await made({ steps: timed(100) })
    expect(code(await on.by(author, 'start', draft))).toEqual([422, errors.othersMustAgree[0]])
    expect(draft.allowedActions).toEqual(['cancel', 'randomise', 'edit', 'askStart', 'remove'])
    const asked = (await ask(draft, 'start', { reason: 'The new button sells' })).body
    expect(asked).toMatchObject({ state: 'draft', percent: 0, approvalsNeeded: 2 })
    expect(asked.asked).toMatchObject({ action: 'start', reason: 'The new button sells', agreed: [] })
    expect(asked.asked?.by?.accountId).toBe(author.accountId)
    expect((await seenBy(author, asked)).allowedActions).toEqual(['cancel', 'withdraw', 'remove'])
    expect((await seenBy(one, asked)).allowedActions).toEqual(['cancel', 'agree', 'refuse', 'withdraw', 'remove'])
    expect(code(await agree(author, asked))).toEqual([403, errors.notOther[0]])
    const first = await agree(one, asked, 'Fine by me')
    expect(first.body.asked?.agreed.map(row => [row.by?.accountId, row.reason])).toEqual([
      [one.accountId, 'Fine by me'],
    ])
    expect(code(await agree(one, first.body))).toEqual([409, errors.votedAlready[0]])
    expect((await agree(two, asked)).status).toBe(409)
    expect(await valueFor('a')).toBe('grey')
    const second = await agree(two, first.body)
    expect(second.body).toMatchObject({ state: 'running', percent: 100, asked: null })
    expect(await valueFor('a')).toBe('green')
    const history = (await on.historyOf(draft)).map(row => [row.action, row.by?.accountId, row.isForced])
    expect(history).toEqual([
      ['start', two.accountId, false],
      ['agree', two.accountId, false],
      ['agree', one.accountId, false],
      ['askStart', author.accountId, false],
    ])
    await stage.settle()
    expect((await told('remoteConfig.rollout.asked')).length).toBeGreaterThanOrEqual(3)
    expect(await told('remoteConfig.rollout.agreed')).toHaveLength(1)
  })

  it('is not agreed to by who changed the draft last, whoever asks', async () => {
    await need(1)
    const draft = await made()
    const params = { rolloutId: draft.rolloutId }
    const changed = await one.ok(rollouts, 'updateRollout', {
      params,
      body: { value: 'blue', revision: draft.revision },
    })
    const asked = (await ask(changed, 'start', {}, two)).body
    for (const who of [author, one, two]) expect(code(await agree(who, asked))).toEqual([403, errors.notOther[0]])
    expect((await agree(on.owner, asked)).body.state).toBe('running')
  })

  it('starts at the time that was asked for, and not sooner', async () => {
    await need(1)
    const startAt = stage.clock.now() + hold
    const asked = (await ask(await made(), 'start', { startAt })).body
    expect([asked.startAt, asked.state]).toEqual([startAt, 'draft'])
    const agreed = (await agree(one, asked)).body
    expect([agreed.state, agreed.dueAt]).toEqual(['scheduled', startAt])
    stage.clock.turn(hold)
    await stage.booted.worker.sweep()
    expect((await on.look(agreed)).state).toBe('running')
  })

  it('is completed when others agreed; until then its steps go on, and a rollback waits for nobody', async () => {
    await need(1)
    const running = (await agree(one, (await ask(await made(), 'start')).body)).body
    expect(code(await on.by(author, 'complete', running))).toEqual([422, errors.othersMustAgree[0]])
    const asked = (await ask(running, 'complete')).body
    stage.clock.turn(hold)
    await stage.booted.worker.sweep()
    const later = await on.look(asked)
    expect([later.percent, later.asked?.action]).toEqual([50, 'complete'])
    const done = (await agree(one, later)).body
    expect([done.state, done.percent, done.asked]).toEqual(['completed', 100, null])
    expect(await valueFor('a')).toBe('green')
    const second = (await agree(one, (await ask(await made({ value: 'blue' }), 'start')).body)).body
    const waiting = (await ask(second, 'complete')).body
    const back = await on.by(author, 'rollBack', waiting)
    expect([back.body.state, back.body.asked]).toEqual(['rolledBack', null])
    expect((await agree(one, back.body)).status).toBe(422)
    expect(code(await on.by(author, 'start', back.body))).toEqual([422, errors.othersMustAgree[0]])
  })

  it('is refused with a reason, which who asked hears, and asked for anew without the votes it had', async () => {
    await need(2)
    const asked = (await ask(await made(), 'start')).body
    const first = (await agree(one, asked)).body
    expect(code(await call(two, 'refuseRollout', first, { reason: ' ' }))).toEqual([400, errors.reasonMissing[0]])
    expect(code(await call(author, 'refuseRollout', first, { reason: 'no' }))).toEqual([403, errors.notOther[0]])
    const refused = (await call(two, 'refuseRollout', first, { reason: 'Too green' })).body
    expect([refused.state, refused.asked]).toEqual(['draft', null])
    expect((await on.historyOf(refused))[0]).toMatchObject({ action: 'refuse', reason: 'Too green' })
    await stage.settle()
    expect(await told('remoteConfig.rollout.refused')).toHaveLength(1)
    const again = (await ask(refused, 'start')).body
    expect(again.asked?.agreed).toEqual([])
    expect((await agree(one, again)).body.state).toBe('draft')
  })

  it('is taken back, changed and asked for again; while it is asked for, nothing of it changes', async () => {
    await need(1)
    const asked = (await ask(await made(), 'start')).body
    const params = { rolloutId: asked.rolloutId }
    const change = ({ revision }: RolloutView) =>
      author.call(rollouts, 'updateRollout', { params, body: { value: 'blue', revision } })
    expect(code(await change(asked))).toEqual([409, errors.othersAsked[0]])
    expect(code(await on.by(author, 'randomise', asked))).toEqual([409, errors.othersAsked[0]])
    expect(code(await ask(asked, 'start'))).toEqual([409, errors.othersAsked[0]])
    const back = (await call(author, 'withdrawRollout', asked)).body
    expect((await agree(one, back)).status).toBe(422)
    const again = (await ask((await change(back)).body, 'start')).body
    expect((await agree(one, again)).body).toMatchObject({ state: 'running', value: 'blue' })
  })

  it('is started without them by who may force it and says why, and the history keeps that', async () => {
    await need(1)
    const asked = (await ask(await made(), 'start')).body
    expect(code(await on.by(author, 'start', asked, { reason: 'at once' }))).toEqual([422, errors.othersMustAgree[0]])
    expect(code(await on.by(on.owner, 'start', asked))).toEqual([422, errors.othersMustAgree[0]])
    const forced = (await on.by(on.owner, 'start', asked, { reason: 'The shop is on fire' })).body
    expect([forced.state, forced.asked]).toEqual(['running', null])
    const [last] = await on.historyOf(forced)
    expect(last).toMatchObject({ action: 'start', isForced: true, reason: 'The shop is on fire' })
    expect(last?.by?.accountId).toBe(on.owner.accountId)
  })

  it('cannot be asked to start where that would be refused, and is not started when it would be by then', async () => {
    await need(1)
    const first = await made()
    const second = await made({ name: 'Second' })
    const asked = (await ask(second, 'start')).body
    await agree(one, (await ask(first, 'start')).body)
    expect((await ask(await made({ name: 'Size', parameter: 'size', value: '2' }), 'start')).status).toBe(200)
    const late = await agree(one, asked)
    expect(code(late)).toEqual([409, errors.parameterTaken[0]])
    expect((await on.look(second)).asked?.agreed).toEqual([])
    const back = (await call(author, 'withdrawRollout', asked)).body
    expect(code(await ask(back, 'start'))).toEqual([409, errors.parameterTaken[0]])
    expect((await on.look(second)).asked).toBeNull()
    expect((await ask(back, 'start', { startAt: 1_000 })).body.fields?.[0]?.pointer).toBe('/startAt')
  })

  it('is free again when the project asks for fewer', async () => {
    await need(2)
    const first = (await agree(one, (await ask(await made(), 'start')).body)).body
    await need(1)
    expect((await seenBy(author, first)).allowedActions).toContain('start')
    const started = await on.by(author, 'start', first)
    expect([started.body.state, started.body.asked]).toEqual(['running', null])
    expect((await on.historyOf(first))[0]).toMatchObject({ action: 'start', isForced: false })
  })

  it('is nobody’s of another team', async () => {
    await need(1)
    const asked = (await ask(await made(), 'start')).body
    const stranger = await stage.person()
    for (const reply of [
      await agree(stranger, asked),
      await call(stranger, 'refuseRollout', asked, { reason: 'no' }),
      await call(stranger, 'withdrawRollout', asked),
      await ask(asked, 'start', {}, stranger),
    ])
      expect(reply.status).toBe(404)
  })
})

describe('where nobody must agree, a rollout', () => {
  it('asks nobody', async () => {
    const draft = await made()
    expect(draft.allowedActions).not.toContain('askStart')
    expect((await ask(draft, 'start')).status).toBe(422)
    expect((await on.by(author, 'start', draft)).body.state).toBe('running')
  })
})
