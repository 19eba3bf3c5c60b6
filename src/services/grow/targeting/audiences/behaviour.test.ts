import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { recordAppEvents, segmentsOf } from '../../../analyse/app-events/public.ts'
import { appUserDesk } from '../../../build/app-auth/user-desk/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audienceLookup } from '../public.ts'
import { ruleSets } from '../rule-sets/contract.ts'
import { audiences } from './contract.ts'
import { giveUp, runRefresh } from './refreshing.ts'
import type { AudienceRule, EventFilter } from './rules.ts'

const dayMs = 86_400_000
let stage: Stage
let person: Person
let projectId: string
const contextOf = () => systemContext(stage.booted.server, 'CN', { name: 'test', teamId: person.teamId })

type Sent = { unit: string; name?: string; daysAgo?: number; value?: number; props?: Record<string, string | number> }
const send = (events: readonly Sent[], into = projectId) =>
  contextOf().transact(ctx =>
    recordAppEvents(
      ctx,
      into,
      events.map(({ daysAgo = 0, name = 'buy', ...rest }) => ({
        ...{ ...rest, name, at: stage.clock.now() - daysAgo * dayMs - 1000 },
      })),
    ),
  )

beforeAll(async () => {
  stage = await openStage()
  // A sweep passes over what the clock's own sweep is at: here there is none.
  stage.booted.worker.stopSweeping()
  person = await stage.person()
  projectId = (await person.ok(projects, 'createProject', { body: { name: 'Behaviour' } })).projectId
  await send([
    ...[{ unit: 'ann' }, { unit: 'ann', daysAgo: 1, value: 20, props: { country: 'DE', items: 3 } }],
    ...[{ unit: 'bob', daysAgo: 20, value: 5, props: { country: 'FR', items: 10 } }],
    ...[{ unit: "o'hara", name: 'open', daysAgo: 2, props: { country: 'Zo\u00eb' } }],
  ])
})
afterAll(() => stage.close())

const did = (times: number, days: number, where?: EventFilter[]): AudienceRule => ({
  ...{ op: 'did', event: 'buy', times, days, ...(where && { where }) },
})
let made = 0
const create = async (rule: AudienceRule, into = projectId, refreshEvery: '1h' | 'manual' = 'manual') => {
  const body = { projectId: into, name: `Behaviour ${++made}`, rule, refreshEvery }
  const { audienceId } = await person.ok(audiences, 'createAudience', { body })
  await stage.settle()
  return audienceId
}
const read = (audienceId: string) => person.ok(audiences, 'getAudience', { params: { audienceId } })
const unitsOf = async (audienceId: string) =>
  (await person.ok(audiences, 'listMembers', { params: { audienceId } })).list.map(one => one.unit)
const refresh = async (audienceId: string) => {
  await person.ok(audiences, 'refreshAudience', { params: { audienceId } })
  await stage.settle()
}
const told = async (audienceId: string) =>
  (
    await stage.sql<{ told: string }>(
      'CN',
      `SELECT type || ' ' || (data->>'count') AS told FROM outbox
      WHERE entity_id = $1 AND type IN ('audience.entered', 'audience.left') ORDER BY event_id`,
      [audienceId],
    )
  ).map(one => one.told)

describe('an audience of what apps report', () => {
  const where = (prop: string, op: EventFilter['op'], value: EventFilter['value']) => did(1, 30, [{ prop, op, value }])
  const quote = { prop: 'country', op: 'eq', value: "x' OR '1'='1" } as const
  it.each<[string, AudienceRule, string[]]>([
    ['did', did(1, 7), ['ann']],
    ['did for longer', did(1, 30), ['ann', 'bob']],
    ['did so often', did(2, 7), ['ann']],
    ['did not so often', did(3, 30), []],
    ['did not', { op: 'didNot', event: 'buy', times: 1, days: 7 }, ['bob', "o'hara"]],
    ['did not so often', { op: 'didNot', event: 'buy', times: 2, days: 30 }, ['bob', "o'hara"]],
    ['an event nobody had', { op: 'did', event: 'fly', times: 1, days: 7 }, []],
    ['first seen', { op: 'firstSeenWithin', days: 7 }, ['ann', "o'hara"]],
    ['not', { op: 'not', args: [did(1, 7)] }, ['bob', "o'hara"]],
    ['and', { op: 'and', args: [did(1, 30), { op: 'not', args: [did(1, 7)] }] }, ['bob']],
    ['or', { op: 'or', args: [did(1, 7), { op: 'did', event: 'open', times: 1, days: 7 }] }, ['ann', "o'hara"]],
    ['an id', { op: 'and', args: [did(1, 30), { attr: 'userId', op: 'ne', value: 'ann' }] }, ['bob']],
    ['eq', where('country', 'eq', 'DE'), ['ann']],
    ['eq of a number', where('items', 'eq', 10), ['bob']],
    ['ne', where('country', 'ne', 'FR'), ['ann']],
    ['gt as numbers', where('items', 'gt', 9), ['bob']],
    ['lte', where('items', 'lte', 3), ['ann']],
    ['gte of the value', where('$value', 'gte', 20), ['ann']],
    ['contains', where('country', 'contains', 'R'), ['bob']],
    ['exists', where('items', 'exists', true), ['ann', 'bob']],
    ['exists not', where('items', 'exists', false), ['ann']],
    ['a text that looks like SQL', did(1, 30, [quote]), []],
    [
      'text in another form',
      { ...(where('country', 'eq', 'Zoe\u0308') as object), event: 'open' } as never,
      ["o'hara"],
    ],
  ])('has who %s', async (_name, rule, units) => {
    const audienceId = await create(rule)
    expect(await unitsOf(audienceId)).toEqual(units)
    expect(await read(audienceId)).toMatchObject({ size: units.length, problem: null, work: { state: 'done' } })
  })

  it('has users of the project without events where it asks for what was not done, by their attributes', async () => {
    const own = (await person.ok(projects, 'createProject', { body: { name: 'With users' } })).projectId
    const uids: string[] = []
    for (const name of ['ann', 'bob']) {
      const body = { projectId: own, email: `${name}@one.example` }
      uids.push((await person.ok(appUserDesk, 'createUser', { body })).uid)
    }
    const [ann, bob] = uids as [string, string]
    await send([{ unit: ann }, { unit: 'device' }, { unit: '9999999999999999999' }], own)
    const isOne: AudienceRule = { attr: 'email', op: 'endsWith', value: '@one.example' }
    const without: AudienceRule = { op: 'didNot', event: 'buy', times: 1, days: 7 }
    expect(await unitsOf(await create({ op: 'and', args: [isOne, without] }, own))).toEqual([bob])
    expect(await unitsOf(await create({ op: 'and', args: [isOne, did(1, 7)] }, own))).toEqual([ann])
  })

  it('has each of many units, once', async () => {
    const own = (await person.ok(projects, 'createProject', { body: { name: 'Many' } })).projectId
    const many = Array.from({ length: 60_000 }, (_one, at) => ({
      unit: `unit-${at}`,
      name: at % 3 === 0 ? 'buy' : 'open',
    }))
    for (let at = 0; at < many.length; at += 5000) await send(many.slice(at, at + 5000), own)
    expect((await read(await create(did(1, 7), own))).size).toBe(20_000)
    expect((await read(await create({ op: 'not', args: [did(1, 7)] }, own))).size).toBe(40_000)
  })

  it('follows what is done and what is long ago, and only the difference is told', async () => {
    const own = (await person.ok(projects, 'createProject', { body: { name: 'Follows' } })).projectId
    await send([{ unit: 'early', daysAgo: 6 }, { unit: 'stays' }], own)
    const audienceId = await create(did(1, 7), own, '1h')
    const rowOf = () =>
      stage.sql('CN', `SELECT ctid, xmin FROM targeting_members WHERE audience_id = $1 AND unit = 'stays'`, [
        audienceId,
      ])
    const before = await rowOf()
    await refresh(audienceId)
    expect(await told(audienceId)).toEqual(['audience.entered 2'])
    stage.clock.turn(2 * dayMs)
    person = await stage.person({ team: person.teamId, roles: ['administrator'] })
    await send([{ unit: 'late' }, { unit: 'later' }], own)
    // By the turned clock a file that is written beside the sweep is days old, and of nobody until its row is there.
    await segmentsOf(contextOf(), own, { from: 0, to: Number.MAX_SAFE_INTEGER })
    await stage.booted.worker.sweep()
    await stage.settle()
    expect(await unitsOf(audienceId)).toEqual(['late', 'later', 'stays'])
    expect(await told(audienceId)).toEqual(['audience.entered 2', 'audience.entered 2', 'audience.left 1'])
    expect(await rowOf()).toEqual(before)
    const { refreshedAt, nextRefreshAt } = await read(audienceId)
    expect(Number(nextRefreshAt) - Number(refreshedAt)).toBeLessThanOrEqual(3_600_000)
  })

  it('says why it could not be made anew, when the bytes of its events are gone', async () => {
    const own = (await person.ok(projects, 'createProject', { body: { name: 'Gone' } })).projectId
    await send([{ unit: 'ann' }], own)
    const { files } = await segmentsOf(contextOf(), own, { from: 0, to: Number.MAX_SAFE_INTEGER })
    for (const file of files) await stage.booted.server.bytes('CN', 'events').remove(file.split('/')[1] as string)
    expect(await read(await create(did(1, 7), own))).toMatchObject({
      ...{ size: 0, work: { state: 'failed' } },
      problem: expect.any(String),
    })
  })

  it('keeps its members when a refresh is killed or fails, and says why', async () => {
    const own = (await person.ok(projects, 'createProject', { body: { name: 'Fails' } })).projectId
    await send([{ unit: 'ann' }], own)
    const audienceId = await create(did(1, 7), own)
    await send([{ unit: 'bob' }], own)
    const jobId = '99000000000000009'
    const job = (die: (step: string) => void) => ({
      ...{ jobId, input: { audienceId }, teamId: person.teamId, zone: 'CN' as const, attempt: 1 },
      ...{ signal: AbortSignal.timeout(60_000), progress: async (step: string) => die(step) },
    })
    const killed = job(step => {
      if (step.startsWith('events ')) throw new Error('killed')
    })
    await expect(runRefresh(contextOf(), killed)).rejects.toThrow('killed')
    expect(await unitsOf(audienceId)).toEqual(['ann'])
    await stage.sql('CN', 'UPDATE targeting_audiences SET job_id = $2 WHERE audience_id = $1', [audienceId, jobId])
    await contextOf().transact(ctx => giveUp(ctx, killed, 'the analytics process ended'))
    expect(await read(audienceId)).toMatchObject({ size: 1, problem: 'the analytics process ended' })
    expect(await stage.sql('CN', 'SELECT 1 FROM targeting_batch_units')).toEqual([])
    // A file of the events that is not there.
    const set = (to: string, from: string) =>
      stage.sql('CN', 'UPDATE app_event_segments SET sha256 = replace(sha256, $2, $3) WHERE project_id = $1', [
        ...[own, from, to],
      ])
    const [kept] = await stage.sql<{ sha256: string }>(
      'CN',
      'SELECT sha256 FROM app_event_segments WHERE project_id = $1 LIMIT 1',
      [own],
    )
    await set('0'.repeat(64), kept?.sha256 ?? '')
    await expect(
      runRefresh(
        contextOf(),
        job(() => undefined),
      ),
    ).rejects.toThrow()
    expect(await unitsOf(audienceId)).toEqual(['ann'])
    await set(kept?.sha256 ?? '', '0'.repeat(64))
    await refresh(audienceId)
    expect([await unitsOf(audienceId), (await read(audienceId)).problem]).toEqual([['ann', 'bob'], null])
  })

  it('is what rules ask for, and explained', async () => {
    const audienceId = await create(did(1, 7))
    const code = 'buyers'
    const set = await person.ok(ruleSets, 'createRuleSet', { body: { projectId, code, name: 'Buyers' } })
    const params = { ruleSetId: set.ruleSetId }
    const rule = { attr: 'userId', op: 'inAudience', value: audienceId } as const
    const draft = [{ name: 'One', isOn: true, rule, payload: 'offer' }]
    const saved = await person.ok(ruleSets, 'saveRuleSet', { params, body: { draft, revision: set.revision } })
    await person.ok(ruleSets, 'publishRuleSet', { params, body: { revision: saved.revision } })
    const match = (userId: string) =>
      person.ok(ruleSets, 'matchRules', { body: { ruleSetCode: code, context: { userId }, explain: true } })
    await send([{ unit: 'ann' }])
    await refresh(audienceId)
    const [ann, bob] = [await match('ann'), await match('bob')]
    expect([ann.first?.payload, ann.explained?.[0]?.outcome]).toEqual(['offer', 'true'])
    expect([bob.first, bob.explained?.[0]?.outcome]).toEqual([null, 'false'])
    const reply = await person.call(audiences, 'deleteAudience', { params: { audienceId } })
    expect(reply.body.ret.code).toBe(audiences.errors.isInUse[0])
  })

  it('is of its team and project alone', async () => {
    const audienceId = await create(did(1, 7))
    await send([{ unit: 'ann' }])
    await refresh(audienceId)
    const other = await stage.person()
    const theirs = (await other.ok(projects, 'createProject', { body: { name: 'Other' } })).projectId
    for (const call of ['getAudience', 'listMembers', 'refreshAudience'] as const)
      expect((await other.call(audiences, call, { params: { audienceId } })).status).toBe(404)
    const body = { projectId, name: 'Theirs', rule: did(1, 7) }
    expect((await other.call(audiences, 'createAudience', { body })).status).toBe(404)
    const mine = await other.ok(audiences, 'createAudience', { body: { ...body, projectId: theirs } })
    await stage.settle()
    const params = { audienceId: mine.audienceId }
    expect((await other.ok(audiences, 'getAudience', { params })).size).toBe(0)
    const isIn = (id: string) =>
      contextOf().transact(async ctx => {
        const asked = { audienceIds: [audienceId], attributes: { userId: 'ann' }, now: 0 }
        return (await audienceLookup(ctx, id, asked))(audienceId)
      })
    expect([await isIn(projectId), await isIn(theirs)]).toEqual([true, false])
  })

  it('is refused with the place of what is wrong, and nothing is written', async () => {
    const before = (await person.ok(audiences, 'listAudiences', { query: { projectId } })).total
    const tricks: AudienceRule[] = [
      { op: 'did', event: 'buy"; DROP TABLE x; --', times: 1, days: 7 },
      did(1, 7, [{ prop: `a"') OR ('1'='1`, op: 'eq', value: 'x' }]),
      did(1, 181),
      did(0, 7),
    ]
    const pointers = []
    for (const rule of tricks) {
      const reply = await person.call(audiences, 'createAudience', { body: { projectId, name: 'Wrong', rule } })
      pointers.push([reply.status, reply.body.fields?.[0]?.pointer])
    }
    expect(pointers).toEqual([
      [400, '/rule/event'],
      [400, '/rule/where/0/prop'],
      [400, '/rule/days'],
      [400, '/rule/times'],
    ])
    const audienceId = await create(did(1, 7))
    const { revision } = await read(audienceId)
    const body = { refreshEvery: 'realtime' as const, revision }
    const live = await person.call(audiences, 'updateAudience', { params: { audienceId }, body })
    expect([live.status, live.body.ret.code]).toEqual([422, audiences.errors.asksForEvents[0]])
    expect((await person.ok(audiences, 'listAudiences', { query: { projectId } })).total).toBe(before + 1)
  })
})

it('a text is compared as a number only where it is one', async () => {
  const texts = ['nan', 'inf', ' 7 ', '7', '1e3']
  await send(texts.map((items, at) => ({ unit: `odd-${at}`, name: 'odd', props: { items } })))
  const where: EventFilter[] = [{ prop: 'items', op: 'gte', value: 7 }]
  const audienceId = await create({ op: 'did', event: 'odd', times: 1, days: 7, where })
  expect((await unitsOf(audienceId)).sort()).toEqual(['odd-3', 'odd-4'])
})
