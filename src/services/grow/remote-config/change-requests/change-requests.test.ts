import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveFor } from '../../../../kernel/life-cycle.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, openConfig, parameter } from '../config.testkit.ts'
import { remoteConfigErrors as errors, remoteConfig } from '../contract.ts'
import { remoteConfigReleases as releases } from '../releases/contract.ts'
import { remoteConfigSettings } from '../settings/contract.ts'
import { type ChangeRequestView, changeRequests } from './contract.ts'
import { changeCycle } from './rules.ts'

describe('a change goes draft, submitted, approved, published; or it is refused, overtaken or given up', () => {
  const expected: Record<string, Record<string, string>> = {
    DRAFT: { update: 'DRAFT', submit: 'SUBMITTED', discard: 'DISCARDED', overtake: 'CONFLICT' },
    SUBMITTED: { approve: 'SUBMITTED', reject: 'REJECTED', withdraw: 'DRAFT', overtake: 'CONFLICT' },
    APPROVED: {
      ...{ approve: 'SUBMITTED', reject: 'REJECTED', withdraw: 'DRAFT', overtake: 'CONFLICT' },
      ...{ schedule: 'APPROVED', unschedule: 'APPROVED', publish: 'PUBLISHED' },
    },
    PUBLISHED: {},
    REJECTED: { revise: 'DRAFT', discard: 'DISCARDED' },
    CONFLICT: { revise: 'DRAFT', discard: 'DISCARDED' },
    DISCARDED: {},
  }
  const actions = [...new Set(changeCycle.moves.map(one => one.action))]
  it.each(changeCycle.states.flatMap(state => actions.map(action => [state, action] as const)))(
    '%s, %s',
    (state, action) => {
      const move = moveFor(changeCycle, state, action, () => true)
      const facts = { isOther: true, isFirstTime: true, isEnough: false, hasReason: true, isAhead: true }
      const to = typeof move?.to === 'function' ? move.to(facts) : move?.to
      expect(to).toBe(expected[state]?.[action])
    },
  )
})

describe('a change that others agree to', () => {
  let stage: Stage
  let config: ConfigStage
  let author: Person
  let one: Person
  let two: Person
  beforeAll(async () => {
    stage = await openStage()
    config = await openConfig(stage)
    const team = config.owner.teamId
    author = await stage.person({ team, roles: ['operations'] })
    one = await stage.person({ team, roles: ['operations'] })
    two = await stage.person({ team, roles: ['operations'] })
  })
  afterAll(() => stage.close())

  const head = () => config.owner.ok(remoteConfig, 'getHead', { query: config.where })
  const need = (approvals: number, who = config.owner) =>
    who.call(remoteConfigSettings, 'putSettings', {
      body: { projectId: config.projectId, minFetchIntervalSec: 60, approvals },
    })
  const begin = async (approvals: number) => {
    config = await openConfig(stage, config.owner)
    await config.publish({ parameters: { a: parameter('1'), b: parameter('1') } })
    expect((await need(approvals)).status).toBe(200)
  }
  const write = (key: string, value = 'x', who = author) =>
    who.ok(remoteConfig, 'createParameter', {
      body: { ...config.where, key, valueType: 'STRING', default: { value } },
    })
  const ask = async (submit = true, who = author) =>
    who.ok(changeRequests, 'createChangeRequest', { body: { ...config.where, title: 'A sale', submit } })
  const at = ({ changeRequestId }: ChangeRequestView) => ({ params: { changeRequestId } })
  const read = (of: ChangeRequestView, who = author) => who.ok(changeRequests, 'getChangeRequest', at(of))
  const approve = (of: ChangeRequestView, who: Person, revision = of.revision) =>
    who.call(changeRequests, 'approveChangeRequest', { ...at(of), body: { revision } })
  const publish = (of: ChangeRequestView, who = author) =>
    who.call(changeRequests, 'publishChangeRequest', { ...at(of), body: {} })
  const code = (reply: { status: number; body: { ret: { code: number } } }) => [reply.status, reply.body.ret.code]
  const told = (kind: string, title: string) =>
    stage.sql('CN', `SELECT 1 FROM notices WHERE kind = $1 AND title::text LIKE $2`, [kind, `%${title}%`])

  it('is in force after as many others agreed as the project asks for, each once and never the author', async () => {
    await begin(2)
    await write('sale')
    const made = await ask()
    expect([made.state, made.allowedActions]).toEqual(['SUBMITTED', ['withdraw']])
    expect(code(await approve(made, author))).toEqual([403, errors.notOther[0]])
    const first = await approve(made, one)
    expect(first.body).toMatchObject({ state: 'SUBMITTED', approvals: 1, approvalsNeeded: 2 })
    expect(code(await approve(made, one, first.body.revision))).toEqual([409, errors.votedAlready[0]])
    expect(code(await publish(made))[0]).toBe(422)
    expect((await approve(made, two)).status).toBe(409)
    const second = await approve(made, two, first.body.revision)
    expect(second.body).toMatchObject({ state: 'APPROVED', approvals: 2 })
    expect(second.body.votes.map(vote => vote.by?.accountId)).toEqual([one.accountId, two.accountId])
    expect((await publish(made)).body).toMatchObject({ state: 'PUBLISHED', publishedVersion: 2, allowedActions: [] })
    expect(await head()).toMatchObject({ version: 2, isChanged: false, parameters: 3 })
  })

  it('who wrote the draft does not agree to it, whoever asked', async () => {
    await begin(1)
    await write('sale', 'x', one)
    const made = await ask(true, author)
    expect(code(await approve(made, one))).toEqual([403, errors.notOther[0]])
    expect((await approve(made, two)).body.state).toBe('APPROVED')
  })

  it('keeps everybody from publishing past it but who may force, and from doing away with it', async () => {
    await begin(1)
    await write('sale')
    const { etag } = await head()
    const draft = { body: config.where, headers: { 'if-match': etag } }
    expect(code(await author.call(releases, 'publishDraft', draft))).toEqual([422, errors.approvalsNeeded[0]])
    const template = { conditions: [], parameters: {}, groups: {} } as never
    const put = await author.call(releases, 'publishTemplate', {
      params: { projectId: config.projectId },
      body: template,
      headers: { 'if-match': etag },
    })
    expect(code(put)).toEqual([422, errors.approvalsNeeded[0]])
    const later = { body: { ...config.where, dueAt: stage.clock.now() + 60_000 }, headers: { 'if-match': '*' } }
    expect(code(await config.owner.call(releases, 'scheduleDraft', later))).toEqual([422, errors.approvalsNeeded[0]])
    expect((await need(0, author)).status).toBe(403)
    const forced = { body: config.where, headers: { 'if-match': '*' } }
    expect((await author.call(releases, 'publishDraft', forced)).status).toBe(403)
    expect((await config.owner.call(releases, 'publishDraft', forced)).status).toBe(200)
  })

  it('is approved at once where nobody must agree', async () => {
    await begin(0)
    await write('sale')
    expect((await ask()).state).toBe('APPROVED')
  })

  it('asks anew when the project asks for more than agreed', async () => {
    await begin(1)
    await write('sale')
    const made = await ask()
    await approve(made, one)
    await need(2)
    expect(code(await publish(made))).toEqual([422, errors.notEnough[0]])
    const { revision } = await read(made)
    expect((await approve(made, two, revision)).body.state).toBe('APPROVED')
    expect((await publish(made)).body.state).toBe('PUBLISHED')
  })

  it('is refused with a reason, and begins anew without the votes it had', async () => {
    await begin(1)
    await write('sale')
    const made = await ask()
    const reject = (reason: string) =>
      one.call(changeRequests, 'rejectChangeRequest', { ...at(made), body: { reason, revision: made.revision } })
    expect(code(await reject('  '))).toEqual([400, errors.reasonMissing[0]])
    expect((await reject('The text is wrong')).body).toMatchObject({ state: 'REJECTED' })
    const revised = await author.ok(changeRequests, 'reviseChangeRequest', { ...at(made), body: {} })
    expect(revised).toMatchObject({ state: 'DRAFT', round: 2, approvals: 0 })
    await write('more')
    const taken = await author.ok(changeRequests, 'updateChangeRequest', {
      ...at(made),
      body: { title: 'A better sale', takeDraft: true, revision: revised.revision },
    })
    expect(taken.title).toBe('A better sale')
    const { list } = await author.ok(changeRequests, 'listRequestedChanges', at(made))
    expect(list.map(change => change.name)).toEqual(['more', 'sale'])
    await author.ok(changeRequests, 'submitChangeRequest', { ...at(made), body: {} })
    await stage.settle()
    expect(await told('remote_config.change_rejected', 'A sale')).toHaveLength(1)
    expect((await told('remote_config.change_submitted', 'A better sale')).length).toBeGreaterThanOrEqual(2)
  })

  it('becomes a conflict when its base moves, says what both sides changed, and is put onto the new one by its author', async () => {
    await begin(1)
    const { revision } = await author.ok(remoteConfig, 'getParameter', { params: { key: 'a' }, query: config.where })
    await author.ok(remoteConfig, 'updateParameter', {
      params: { key: 'a' },
      body: { ...config.where, valueType: 'STRING', default: { value: 'mine' }, revision },
    })
    const made = await ask()
    await approve(made, one)
    await config.publish({ parameters: { a: parameter('theirs'), b: parameter('2') } })
    await stage.settle()
    expect(await read(made)).toMatchObject({ state: 'CONFLICT', baseVersion: 1, version: 2 })
    expect(await told('remote_config.change_conflict', 'A sale')).toHaveLength(1)
    const { list } = await author.ok(changeRequests, 'listConflicts', at(made))
    expect(list.map(each => [each.name, each.isConflict])).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(list[0]).toMatchObject({ base: parameter('1'), theirs: parameter('theirs'), mine: parameter('mine') })
    const revised = await author.ok(changeRequests, 'reviseChangeRequest', { ...at(made), body: { prefer: 'mine' } })
    expect(revised).toMatchObject({ state: 'DRAFT', baseVersion: 2, approvals: 0 })
    const again = await author.ok(changeRequests, 'submitChangeRequest', { ...at(made), body: {} })
    await approve(again, two)
    expect((await publish(made)).body.state).toBe('PUBLISHED')
    const now = await author.ok(releases, 'getTemplate', { params: { projectId: config.projectId } })
    expect([now.parameters['a']?.default, now.parameters['b']?.default]).toEqual([{ value: 'mine' }, { value: '2' }])
  })

  it('of a publication that comes between, the answer is the conflict and nothing is overruled', async () => {
    await begin(1)
    await write('sale')
    const made = await ask()
    await approve(made, one)
    await config.publish({ parameters: { a: parameter('theirs') } })
    for (const isHeard of [false, true]) {
      if (isHeard) await stage.settle()
      const reply = await publish(made)
      expect([reply.status, reply.body.state]).toEqual([200, 'CONFLICT'])
    }
    expect((await head()).version).toBe(2)
  })

  it('of two that publish it at the same time one does, and it is one version', async () => {
    await begin(1)
    await write('sale')
    const made = await ask()
    await approve(made, one)
    const replies = await Promise.all([publish(made), publish(made, two), publish(made, one)])
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422, 422])
    expect((await head()).version).toBe(2)
  })

  it('is published at its time, once', async () => {
    await begin(1)
    await write('sale')
    const made = await ask()
    const plan = (dueAt: number | null) =>
      two.call(changeRequests, 'scheduleChangeRequest', { ...at(made), body: { dueAt } })
    expect((await plan(stage.clock.now() + 60_000)).status).toBe(422)
    await approve(made, one)
    expect(code(await plan(stage.clock.now()))).toEqual([400, errors.tooEarly[0]])
    expect((await plan(stage.clock.now() + 60_000)).body.allowedActions).toContain('unschedule')
    expect((await plan(null)).body.dueAt).toBeNull()
    await plan(stage.clock.now() + 60_000)
    await stage.booted.worker.sweep()
    expect((await head()).version).toBe(1)
    stage.clock.turn(61_000)
    await stage.booted.worker.sweep()
    await stage.booted.worker.sweep()
    expect(await read(made)).toMatchObject({ state: 'PUBLISHED', publishedVersion: 2, dueAt: null })
    const { list } = await author.ok(releases, 'listReleases', { query: config.where })
    expect(list[0]).toMatchObject({ version: 2, origin: 'SCHEDULE', description: 'A sale' })
  })

  it('is nobody’s of another team', async () => {
    await begin(1)
    await write('sale')
    const made = await ask()
    const stranger = await stage.person()
    for (const reply of [
      await stranger.call(changeRequests, 'getChangeRequest', at(made)),
      await approve(made, stranger),
      await publish(made, stranger),
    ])
      expect(reply.status).toBe(404)
  })
})
