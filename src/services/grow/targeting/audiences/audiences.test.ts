import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rule } from '../../../../kernel/targeting/rule.ts'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { appUserDesk } from '../../../build/app-auth/user-desk/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audienceLookup, audiencesKnown } from '../public.ts'
import { ruleSets } from '../rule-sets/contract.ts'
import { nextRefreshAt, shareBounds } from '../rules.ts'
import { fixedAudience, uploadIds } from '../targeting.testkit.ts'
import { audiences } from './contract.ts'

let stage: Stage
let person: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  projectId = (await person.ok(projects, 'createProject', { body: { name: 'Audiences' } })).projectId
})
afterAll(() => stage.close())

let made = 0
const fixed = (csv: string) => fixedAudience(stage, person, projectId, csv)
const upload = (audienceId: string, csv: string, query = '') => uploadIds(stage, person, audienceId, csv, query)
const read = (audienceId: string) => person.ok(audiences, 'getAudience', { params: { audienceId } })
const unitsOf = async (audienceId: string) =>
  (await person.ok(audiences, 'listMembers', { params: { audienceId }, query: { pageSize: 100 } })).list.map(
    one => one.unit,
  )
const told = (audienceId: string) =>
  stage.sql<{ type: string; count: number }>(
    'CN',
    `SELECT type, (data->>'count')::int AS count FROM outbox WHERE entity_id = $1 AND type IN ('audience.entered', 'audience.left')
      ORDER BY event_id`,
    [audienceId],
  )

describe('a static audience', () => {
  it('takes ids from a CSV, each once, and tells who came and left', async () => {
    const audienceId = await fixed('\ufeffann,x\nbob\n"ann"\n\n \nZoë\n')
    expect(await unitsOf(audienceId)).toEqual(['Zoë', 'ann', 'bob'])
    const second = await upload(audienceId, 'id\nbob\ncarl\n', '?hasHeader=true')
    expect(second.body).toMatchObject({ received: 2, repeated: 0, refused: 0 })
    await stage.settle()
    expect(await unitsOf(audienceId)).toEqual(['bob', 'carl'])
    expect(await read(audienceId)).toMatchObject({ size: 2, type: 'STATIC', problem: null })
    expect(await told(audienceId)).toEqual([
      { type: 'audience.entered', count: 3 },
      { type: 'audience.entered', count: 1 },
      { type: 'audience.left', count: 2 },
    ])
  })

  it('is added to and taken from', async () => {
    const audienceId = await fixed('a\nb\n')
    await upload(audienceId, 'b\nc\n', '?mode=ADD')
    await stage.settle()
    expect(await unitsOf(audienceId)).toEqual(['a', 'b', 'c'])
    await upload(audienceId, 'a\nx\n', '?mode=REMOVE')
    await stage.settle()
    expect([await unitsOf(audienceId), (await read(audienceId)).size]).toEqual([['b', 'c'], 2])
  })

  it('keeps those who stay as they were: nobody is out for a moment', async () => {
    const audienceId = await fixed('stays\ngoes\n')
    const rowOf = () =>
      stage.sql('CN', `SELECT ctid, xmin, since FROM targeting_members WHERE audience_id = $1 AND unit = 'stays'`, [
        audienceId,
      ])
    const before = await rowOf()
    await upload(audienceId, 'stays\ncomes\n')
    await stage.settle()
    expect(await rowOf()).toEqual(before)
  })

  it('refuses what is no list of ids and leaves everything as it was', async () => {
    const audienceId = await fixed('a\n')
    expect((await upload(audienceId, '\n \n')).body.ret.code).toBe(audiences.errors.empty[0])
    expect((await upload(audienceId, `"${'x'.repeat(100_000)}`)).body.ret.code).toBe(audiences.errors.unreadable[0])
    expect((await upload(audienceId, `${'x'.repeat(300)}\nb\n`)).body).toMatchObject({ received: 1, refused: 1 })
    await stage.settle()
    expect(await unitsOf(audienceId)).toEqual(['b'])
    const left = await stage.sql('CN', 'SELECT 1 FROM targeting_batch_units')
    expect(left).toEqual([])
  })

  it('takes a hundred thousand ids, and finds one of them', async () => {
    const audienceId = await fixed(Array.from({ length: 100_000 }, (_, at) => `user-${at}`).join('\n'))
    expect((await read(audienceId)).size).toBe(100_000)
    const query = { search: 'user-9999' }
    const found = await person.ok(audiences, 'listMembers', { params: { audienceId }, query })
    expect(found.total).toBe(11)
    const unit = await person.ok(audiences, 'listAudiencesOfUnit', { query: { projectId, unit: 'user-99999' } })
    expect(unit.audienceIds).toEqual([audienceId])
  })

  it('is not removed while a rule set asks for it', async () => {
    const audienceId = await fixed('a\n')
    const code = 'asks'
    const { ruleSetId, revision } = await person.ok(ruleSets, 'createRuleSet', {
      body: { projectId, code, name: 'Asks' },
    })
    const rule: Rule = { attr: 'userId', op: 'inAudience', value: audienceId }
    const draft = [{ name: 'One', isOn: true, rule, payload: null }]
    await person.ok(ruleSets, 'saveRuleSet', { params: { ruleSetId }, body: { draft, revision } })
    const reply = await person.call(audiences, 'deleteAudience', { params: { audienceId } })
    expect([reply.body.ret.code, reply.body['askers']]).toEqual([audiences.errors.isInUse[0], [code]])
    await person.ok(ruleSets, 'deleteRuleSet', { params: { ruleSetId } })
    await person.ok(audiences, 'deleteAudience', { params: { audienceId } })
    expect(await stage.sql('CN', 'SELECT 1 FROM targeting_members WHERE audience_id = $1', [audienceId])).toEqual([])
  })
})

describe('a dynamic audience', () => {
  let own: string
  const uids: string[] = []
  beforeAll(async () => {
    own = (await person.ok(projects, 'createProject', { body: { name: 'With users' } })).projectId
    for (const name of ['ann', 'bob', 'carl']) {
      const { uid } = await person.ok(appUserDesk, 'createUser', {
        body: { projectId: own, email: `${name}@one.example` },
      })
      uids.push(uid)
    }
  })
  const of = (letter: string): Rule => ({ attr: 'email', op: 'startsWith', value: letter })
  const create = (rule: Rule, more: object = {}) =>
    person.ok(audiences, 'createAudience', { body: { projectId: own, name: `Dynamic ${++made}`, rule, ...more } })

  it('has the users of the project whom its rule matches, and follows when the rule changes', async () => {
    const { audienceId, revision } = await create({ op: 'or', args: [of('ann'), of('bob')] })
    await stage.settle()
    expect(await unitsOf(audienceId)).toEqual([uids[0], uids[1]])
    const changed = { rule: { op: 'or', args: [of('bob'), of('carl')] } as Rule, revision }
    await person.ok(audiences, 'updateAudience', { params: { audienceId }, body: changed })
    await stage.settle()
    expect(await unitsOf(audienceId)).toEqual([uids[1], uids[2]])
    expect(await told(audienceId)).toEqual([
      { type: 'audience.entered', count: 2 },
      { type: 'audience.entered', count: 1 },
      { type: 'audience.left', count: 1 },
    ])
  })

  it('is made anew by the clock, and a user who is deleted leaves it', async () => {
    const { audienceId } = await create(
      { attr: 'email', op: 'endsWith', value: '@one.example' },
      { refreshEvery: '15m' },
    )
    await stage.settle()
    const { size, refreshedAt } = await read(audienceId)
    const { uid } = await person.ok(appUserDesk, 'createUser', { body: { projectId: own, email: 'dora@one.example' } })
    stage.clock.turn(16 * 60_000)
    await stage.booted.worker.sweep()
    await stage.settle()
    const later = await read(audienceId)
    expect([later.size, Number(later.refreshedAt) > Number(refreshedAt)]).toEqual([size + 1, true])
    await person.ok(appUserDesk, 'deleteUser', { query: { projectId: own, uid } })
    await stage.settle()
    expect([(await read(audienceId)).size, await unitsOf(audienceId)]).toEqual([size, uids.slice(0, size)])
  })

  it('in real time asks about the context and keeps nobody', async () => {
    const { audienceId } = await create({ attr: 'plan', op: 'eq', value: 'paid' }, { refreshEvery: 'realtime' })
    await stage.settle()
    const isIn = async (attributes: Record<string, unknown>) => {
      const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
      return ctx.transact(async inner => {
        const lookup = await audienceLookup(inner, own, { audienceIds: [audienceId, '99'], attributes, now: 0 })
        return [lookup(audienceId), lookup('99')]
      })
    }
    expect([await isIn({ plan: 'paid' }), await isIn({ plan: 'free' })]).toEqual([
      [true, false],
      [false, false],
    ])
    const reply = await person.call(audiences, 'refreshAudience', { params: { audienceId } })
    expect(reply.body.ret.code).toBe(audiences.errors.keepsNobody[0])
  })

  it('asks for no other audience, takes no upload, and tells what it would hold', async () => {
    const { audienceId } = await create(of('ann'))
    const rule: Rule = { op: 'not', args: [{ attr: 'userId', op: 'inAudience', value: audienceId }] }
    const circle = await person.call(audiences, 'createAudience', { body: { projectId: own, name: 'Circle', rule } })
    expect([circle.status, circle.body.fields?.[0]?.pointer]).toEqual([400, '/rule'])
    expect((await upload(audienceId, 'a\n')).body.ret.code).toBe(audiences.errors.notStatic[0])
    const seen = await person.ok(audiences, 'previewAudience', { body: { projectId: own, rule: of('bob') } })
    expect(seen).toMatchObject({ matched: 1, estimate: 1, low: 1, high: 1, isExact: true })
  })

  it('is listed by name and type, for pages and for other services', async () => {
    const { name, audienceId } = await create(of('x'))
    const { list } = await person.ok(audiences, 'listAudiences', {
      query: { projectId: own, search: name, type: 'DYNAMIC' },
    })
    expect(list.map(one => one.audienceId)).toContain(audienceId)
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const asked = [audienceId, '77', 'x', "1'; SELECT 1"]
    expect(await ctx.transact(inner => audiencesKnown(inner, own, asked))).toEqual(new Set([audienceId]))
  })
})

describe('the numbers of audiences', () => {
  it('are due by their rhythm', () => {
    expect([nextRefreshAt('15m', 0), nextRefreshAt('1d', 0), nextRefreshAt('realtime', 0)]).toEqual([
      900_000,
      86_400_000,
      null,
    ])
  })
  it('have the bounds of Wilson', () => {
    const { low, high } = shareBounds(10, 100)
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.0552', '0.1744'])
    expect(shareBounds(0, 0)).toEqual({ low: 0, high: 1 })
  })
})
