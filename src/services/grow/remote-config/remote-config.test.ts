import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from './config.testkit.ts'
import { remoteConfigErrors as errors, remoteConfig } from './contract.ts'
import { remoteConfigReleases as releases } from './releases/contract.ts'

let stage: Stage
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const fresh = async () => {
  config = await openConfig(stage)
  return config
}
const head = () => config.owner.ok(remoteConfig, 'getHead', { query: config.where })
const addParameter = (key: string, more: object = {}) =>
  config.owner.ok(remoteConfig, 'createParameter', {
    body: { ...config.where, key, valueType: 'STRING', default: { value: 'a' }, ...more } as never,
  })
const addCondition = (name: string, rule: object = inCountry('CN')) =>
  config.owner.ok(remoteConfig, 'createCondition', { body: { ...config.where, name, rule } as never })
const publish = async (etag?: string, description = '') =>
  config.owner.call(releases, 'publishDraft', {
    body: { ...config.where, description },
    headers: { 'if-match': etag ?? (await head()).etag },
  })
const code = (reply: { status: number; body: { ret: { code: number } } }) => [reply.status, reply.body.ret.code]

describe('the draft', () => {
  it('holds parameters with a value for each condition, and nothing of it is in force before it is published', async () => {
    await fresh()
    await addCondition('in China')
    await addParameter('welcome', { conditional: { 'in China': { value: 'ni hao' } } })
    expect(await head()).toMatchObject({ version: 0, isChanged: true, parameters: 1, conditions: 1 })
    const before = await config.owner.ok(releases, 'getTemplate', { params: { projectId: config.projectId } })
    expect([before.version, before.parameters]).toEqual([0, {}])
    const { total, list } = await config.owner.ok(remoteConfig, 'listDraftChanges', { query: config.where })
    expect([total, list.map(one => `${one.change} ${one.thing} ${one.name}`)]).toEqual([
      2,
      ['added parameter welcome', 'added condition in China'],
    ])
    expect((await publish()).body).toMatchObject({ version: 1, added: 2, origin: 'CONSOLE' })
    expect(await head()).toMatchObject({ version: 1, isChanged: false, baseVersion: 1 })
    expect((await publish()).body.ret.code).toBe(errors.unchanged[0])
  })

  it('is searched by key, description and value, and filtered by group, type, condition and change', async () => {
    await fresh()
    await addCondition('beta')
    await config.owner.ok(remoteConfig, 'putGroup', {
      params: { group: 'Shop' },
      body: { ...config.where, description: 'What is sold' },
    })
    await addParameter('price', { valueType: 'NUMBER', default: { value: '12' }, group: 'Shop' })
    await addParameter('banner', { default: { value: 'Sale!' }, conditional: { beta: { value: 'x' } } })
    const keys = async (query: object) => {
      const reply = await config.owner.ok(remoteConfig, 'listParameters', { query: { ...config.where, ...query } })
      return reply.list.map(one => one.key)
    }
    expect(await keys({})).toEqual(['banner', 'price'])
    expect(await keys({ search: 'sale' })).toEqual(['banner'])
    expect(await keys({ group: 'Shop' })).toEqual(['price'])
    expect(await keys({ valueType: 'NUMBER' })).toEqual(['price'])
    expect(await keys({ condition: 'beta' })).toEqual(['banner'])
    await publish()
    expect(await keys({ show: 'changed' })).toEqual([])
    const page = await config.owner.ok(remoteConfig, 'listParameters', { query: { ...config.where, pageSize: 1 } })
    expect([page.total, page.nextCursor !== null]).toEqual([2, true])
    expect(await keys({ pageSize: 1, cursor: page.nextCursor })).toEqual(['price'])
  })

  it('refuses a write of a parameter that somebody else changed since it was read', async () => {
    await fresh()
    const one = await addParameter('color')
    const body = { ...config.where, valueType: 'STRING' as const, default: { value: 'b' }, revision: one.revision }
    const params = { key: 'color' }
    await config.owner.ok(remoteConfig, 'updateParameter', { params, body })
    await addParameter('other')
    expect((await config.owner.call(remoteConfig, 'updateParameter', { params, body })).status).toBe(409)
  })

  it('keeps the seed of a condition that is renamed, and renames it wherever it stands', async () => {
    await fresh()
    const made = await addCondition('old name')
    await addCondition('not old', { attr: 'condition', op: 'ne', value: 'old name' })
    await addParameter('p', { conditional: { 'old name': { value: 'b' } } })
    const renamed = await config.owner.ok(remoteConfig, 'updateCondition', {
      params: { name: 'old name' },
      body: { ...config.where, newName: 'new name', rule: made.rule, revision: made.revision } as never,
    })
    expect([renamed.seed, renamed.parameters]).toEqual([made.seed, 1])
    const other = await config.owner.ok(remoteConfig, 'getCondition', {
      params: { name: 'not old' },
      query: config.where,
    })
    expect(other.rule).toEqual({ attr: 'condition', op: 'ne', value: 'new name' })
    expect((await publish()).status).toBe(200)
  })

  it('gives up a condition that is in use only with its values, and never one that another condition names', async () => {
    await fresh()
    await addCondition('used')
    await addParameter('p', { conditional: { used: { value: 'b' } } })
    const remove = (name: string, force?: boolean) =>
      config.owner.call(remoteConfig, 'deleteCondition', {
        params: { name },
        query: { ...config.where, ...(force && { force }) },
      })
    expect(code(await remove('used'))).toEqual([409, errors.conditionInUse[0]])
    expect((await remove('used', true)).status).toBe(200)
    await addCondition('base')
    await addCondition('more', { attr: 'condition', op: 'eq', value: 'base' })
    expect(code(await remove('base', true))).toEqual([409, errors.conditionInUse[0]])
  })

  it('orders conditions, those that are named among themselves', async () => {
    await fresh()
    for (const name of ['a', 'b', 'c']) await addCondition(name)
    const order = (names: string[]) =>
      config.owner.call(remoteConfig, 'orderConditions', { body: { ...config.where, names } })
    expect((await order(['c', 'a', 'b'])).status).toBe(200)
    const { list } = await config.owner.ok(remoteConfig, 'listConditions', { query: config.where })
    expect(list.map(one => one.name)).toEqual(['c', 'a', 'b'])
    expect((await order(['b', 'c'])).status).toBe(200)
    const after = await config.owner.ok(remoteConfig, 'listConditions', { query: config.where })
    expect(after.list.map(one => one.name)).toEqual(['b', 'a', 'c'])
    for (const names of [['a', 'a', 'b'], ['x']])
      expect(code(await order(names))).toEqual([400, errors.orderUnclear[0]])
  })
})

describe('what cannot be', () => {
  const create = (key: string, more: object) =>
    config.owner.call(remoteConfig, 'createParameter', {
      body: { ...config.where, key, valueType: 'STRING', default: { value: 'a' }, ...more } as never,
    })
  const stars = { type: 'object', properties: { stars: { type: 'integer', maximum: 5 } }, required: ['stars'] }

  it.each([
    ['a number that is none', { valueType: 'NUMBER', default: { value: '0x10' } }, errors.valueFails],
    ['a number without an end', { valueType: 'NUMBER', default: { value: 'Infinity' } }, errors.valueFails],
    ['a truth that is none', { valueType: 'BOOLEAN', default: { value: 'yes' } }, errors.valueFails],
    ['JSON that is none', { valueType: 'JSON', default: { value: '{' } }, errors.valueFails],
    ['against its schema', { valueType: 'JSON', schema: stars, default: { value: '{"stars":6}' } }, errors.valueFails],
    ['a schema elsewhere', { schema: { $ref: 'http://127.0.0.1:9/schema.json' } }, errors.notValid],
    ['a schema in itself', { schema: { $defs: { a: { $ref: '#/$defs/a' } } } }, errors.notValid],
    ['a schema that is none', { schema: { type: 'colour' } }, errors.notValid],
    ['a pattern without an end', { schema: { pattern: 'x'.repeat(300) } }, errors.notValid],
    ['a pattern that looks back', { schema: { pattern: '(a)\\1' } }, errors.notValid],
    ['a huge schema', { schema: { enum: Array.from({ length: 5_000 }, (_, n) => `value ${n}`) } }, errors.notValid],
    ['a condition that is not there', { conditional: { nowhere: { value: 'b' } } }, errors.notThere],
    ['a group that is not there', { group: 'nowhere' }, errors.notThere],
  ])('%s is refused in the draft already', async (_what, more, row) => {
    config ??= await fresh()
    expect(code(await create('p', more))).toEqual([row[1], row[0]])
  })

  it('a pattern that takes others minutes is answered at once', async () => {
    await fresh()
    const schema = { type: 'string', pattern: '^(a+)+$' }
    const begin = performance.now()
    const reply = await create('p', { schema, default: { value: `${'a'.repeat(60_000)}!` } })
    expect(code(reply)).toEqual([400, errors.valueFails[0]])
    expect(performance.now() - begin).toBeLessThan(2_000)
  })

  it('two parameters of one key, keys of programs, and a second kind of template is another', async () => {
    await fresh()
    await addParameter('p')
    expect(code(await create('p', {}))).toEqual([409, errors.keyTaken[0]])
    expect(code(await create('constructor', {}))).toEqual([400, errors.badKey[0]])
    expect((await create('9lives', {})).status).toBe(400)
    const { total } = await config.owner.ok(remoteConfig, 'listParameters', {
      query: { ...config.where, kind: 'server' },
    })
    expect(total).toBe(0)
  })

  it('conditions that name each other in a circle, or what is not there', async () => {
    await fresh()
    await addCondition('a')
    await addCondition('b', { attr: 'condition', op: 'eq', value: 'a' })
    const { revision } = await config.owner.ok(remoteConfig, 'getCondition', {
      params: { name: 'a' },
      query: config.where,
    })
    const rule = { attr: 'condition', op: 'eq', value: 'b' }
    const update = await config.owner.call(remoteConfig, 'updateCondition', {
      params: { name: 'a' },
      body: { ...config.where, rule, revision } as never,
    })
    expect([...code(update), /asks for itself/.test(update.text)]).toEqual([422, errors.notValid[0], true])
    for (const bad of [
      { attr: 'condition', op: 'eq', value: 'c' },
      { attr: 'condition', op: 'gt', value: 'a' },
      { attr: 'x', op: 'regex', value: '(a)\\1' },
      { attr: 'x', op: 'resembles', value: 1 },
    ]) {
      const body = { ...config.where, name: 'c2', rule: bad } as never
      expect(code(await config.owner.call(remoteConfig, 'createCondition', { body }))).toEqual([
        422,
        errors.notValid[0],
      ])
    }
  })

  it('conditions that double with each name are refused before they are large', async () => {
    await fresh()
    const conditions = [condition('c0', { op: 'and', args: [{ op: 'and', args: [] }] })]
    for (let at = 1; at < 40; at++) {
      const twice = { attr: 'condition', op: 'eq', value: `c${at - 1}` }
      conditions.push(condition(`c${at}`, { op: 'and', args: [twice, twice] }))
    }
    const { ok, problems } = await config.owner.ok(releases, 'validateTemplate', {
      params: { projectId: config.projectId },
      body: { conditions, parameters: {}, groups: {} } as never,
    })
    expect([ok, problems.length > 20]).toEqual([false, true])
  })

  it('3,001 parameters, and values of more than a million characters', async () => {
    await fresh()
    const many = Object.fromEntries(Array.from({ length: 3_001 }, (_, at) => [`p${at}`, parameter('x')]))
    const put = (parameters: object) =>
      config.owner.call(releases, 'publishTemplate', {
        params: { projectId: config.projectId },
        body: { conditions: [], groups: {}, parameters } as never,
        headers: { 'if-match': '*' },
      })
    expect(code(await put(many))).toEqual([422, errors.limit[0]])
    const { p3000: _one, ...fits } = many
    expect((await put(fits)).status).toBe(200)
    expect(code(await put({ big: parameter('x'.repeat(600_000)), big2: parameter('x'.repeat(600_000)) }))).toEqual([
      422,
      errors.limit[0],
    ])
  })
})

describe('publishing', () => {
  it('of two that read the same etag one wins, and the other gets the difference of three', async () => {
    await fresh()
    await config.publish({ parameters: { a: parameter('1'), b: parameter('1') } })
    const { etag } = await head()
    const put = (value: object) =>
      config.owner.call(releases, 'publishTemplate', {
        params: { projectId: config.projectId },
        body: { conditions: [], groups: {}, parameters: value } as never,
        headers: { 'if-match': etag },
      })
    const replies = await Promise.all([
      put({ a: parameter('2'), b: parameter('1') }),
      put({ a: parameter('3'), b: parameter('4') }),
    ])
    expect(replies.map(one => one.status).sort()).toEqual([200, 412])
    const lost = replies.find(one => one.status === 412)!
    expect(lost.body).toMatchObject({ ret: { code: errors.etagMoved[0] }, version: 2, baseVersion: 1, conflicts: 1 })
    const [first] = lost.body['changes'] as { name: string; isConflict: boolean; base: unknown; mine: unknown }[]
    expect(first).toMatchObject({ name: 'a', isConflict: true, base: parameter('1') })
  })

  it('asks for an etag, and takes * only of who may force', async () => {
    await fresh()
    const operator = await stage.person({ team: config.owner.teamId, roles: ['operations'] })
    const put = (headers: Record<string, string>) =>
      operator.call(releases, 'publishTemplate', {
        params: { projectId: config.projectId },
        body: { conditions: [], groups: {}, parameters: {} } as never,
        headers,
      })
    expect((await put({})).status).toBe(428)
    expect((await put({ 'if-match': '*' })).status).toBe(403)
    expect((await put({ 'if-match': '"etag-1-0"' })).status).toBe(412)
    expect((await put({ 'if-match': (await head()).etag })).status).toBe(200)
    const developer = await stage.person({ team: config.owner.teamId, roles: ['developer'] })
    const reply = await developer.call(releases, 'publishDraft', { body: config.where, headers: { 'if-match': '*' } })
    expect(reply.status).toBe(403)
  })

  it('a draft that was begun before somebody else published is put onto that first', async () => {
    await fresh()
    await config.publish({ parameters: { a: parameter('1'), b: parameter('1') } })
    await addParameter('mine')
    await config.publish({ parameters: { a: parameter('2'), b: parameter('1') } })
    const reply = await publish()
    expect([...code(reply), (await head()).baseVersion]).toEqual([412, errors.etagMoved[0], 1])
    const rebased = await config.owner.ok(remoteConfig, 'rebaseDraft', { body: { ...config.where, prefer: 'mine' } })
    expect(rebased).toMatchObject({ baseVersion: 2, version: 2, parameters: 3 })
    expect((await publish()).status).toBe(200)
    const now = await config.owner.ok(releases, 'getTemplate', { params: { projectId: config.projectId } })
    expect([now.parameters['a']?.default, Object.keys(now.parameters).sort()]).toEqual([
      { value: '2' },
      ['a', 'b', 'mine'],
    ])
  })

  it('a draft that is dropped is what is in force again', async () => {
    await fresh()
    await config.publish({ parameters: { a: parameter('1') } })
    await addParameter('mine')
    const { isChanged, parameters } = await config.owner.ok(remoteConfig, 'discardDraft', { query: config.where })
    expect([isChanged, parameters]).toEqual([false, 1])
  })
})

describe('versions', () => {
  it('tell what they have otherwise, and go back as a new one', async () => {
    await fresh()
    await config.publish({ parameters: { a: parameter('1') } })
    await config.publish({ parameters: { a: parameter('2'), b: parameter('1') } })
    const diff = await config.owner.ok(releases, 'compareReleases', {
      params: { version: 1, other: 2 },
      query: config.where,
    })
    expect(diff.list.map(one => `${one.change} ${one.name}`)).toEqual(['changed a', 'added b'])
    const back = await config.owner.ok(releases, 'rollbackRelease', { params: { version: 1 }, body: config.where })
    expect(back).toMatchObject({ version: 3, origin: 'ROLLBACK', rollbackSource: 1, isInForce: true })
    const { list } = await config.owner.ok(releases, 'listReleases', { query: config.where })
    expect(list.map(one => [one.version, one.isInForce])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ])
    for (const version of [3, 4, 999_999])
      expect(
        (await config.owner.call(releases, 'rollbackRelease', { params: { version }, body: config.where })).status,
      ).toBe(404)
    expect(await head()).toMatchObject({ isChanged: false, baseVersion: 3, parameters: 1 })
  })

  it('are kept 300 and 90 days, the one in force however old it is', async () => {
    await fresh()
    await config.publish({ parameters: { a: parameter('0') } })
    await stage.sql('CN', `UPDATE rcs_versions SET published_at = 1 WHERE project_id = $1`, [config.projectId])
    await config.publish({ parameters: { a: parameter('1') } })
    await stage.sql('CN', `UPDATE rcs_versions SET published_at = 1 WHERE project_id = $1`, [config.projectId])
    await stage.booted.worker.sweep()
    const { list } = await config.owner.ok(releases, 'listReleases', { query: config.where })
    expect(list.map(one => one.version)).toEqual([2])
  })
})

describe('a time to publish', () => {
  const plan = async (dueAt: number) =>
    config.owner.call(releases, 'scheduleDraft', {
      body: { ...config.where, dueAt },
      headers: { 'if-match': (await head()).etag },
    })

  it('is kept, once', async () => {
    await fresh()
    await addParameter('later')
    expect((await plan(stage.clock.now())).status).toBe(400)
    expect((await plan(stage.clock.now() + 60_000)).status).toBe(200)
    await stage.booted.worker.sweep()
    expect((await head()).version).toBe(0)
    stage.clock.turn(61_000)
    await stage.booted.worker.sweep()
    await stage.booted.worker.sweep()
    expect(await head()).toMatchObject({ version: 1, isChanged: false })
    const { list } = await config.owner.ok(releases, 'listSchedules', { query: config.where })
    expect(list).toMatchObject([{ state: 'PUBLISHED', version: 1 }])
  })

  it('overrules nobody: what was published meanwhile stays, and who set it is told', async () => {
    await fresh()
    await addParameter('later')
    await plan(stage.clock.now() + 60_000)
    await config.publish({ parameters: { a: parameter('1') } })
    stage.clock.turn(61_000)
    await stage.booted.worker.sweep()
    await stage.settle()
    const { list } = await config.owner.ok(releases, 'listSchedules', { query: config.where })
    expect(list).toMatchObject([{ state: 'CONFLICT', version: 1 }])
    expect((await head()).version).toBe(1)
    const told = await stage.sql('CN', `SELECT 1 FROM notices WHERE kind = 'remoteConfig.scheduleConflict'`)
    expect(told).toHaveLength(1)
  })

  it('is taken back once', async () => {
    await fresh()
    await addParameter('later')
    const made = await plan(stage.clock.now() + 60_000)
    const params = { scheduleId: made.body.scheduleId }
    const cancel = () => config.owner.call(releases, 'cancelSchedule', { params, query: config.where })
    expect((await cancel()).body).toMatchObject({ state: 'CANCELLED' })
    expect((await cancel()).status).toBe(422)
  })
})
