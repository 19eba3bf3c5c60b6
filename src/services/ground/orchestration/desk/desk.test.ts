import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { type Definition, orchestration } from '../contract.ts'
import { definition, made, publish, slowService, wait } from '../orchestration.testkit.ts'
import { processActions, processLifeCycle, processStates } from '../rules.ts'
import { processDesk } from './contract.ts'

let stage: Stage
let owner: Person
let staff: Person
beforeAll(async () => {
  stage = await openStage({ services: [slowService] })
  owner = await stage.person()
  staff = await stage.person({ staff: ['storeAdministrator'] })
})
afterAll(() => stage.close())

const check = async (one: Definition) =>
  (await staff.ok(processDesk, 'checkDefinition', { body: { definition: one } })).problems
const told = async (one: Definition) => (await check(one)).map(({ pointer, rule }) => [pointer, rule])

describe('a definition is refused at its pointer', () => {
  it('with a cycle', async () => {
    const steps = [wait('one', 1, { dependsOn: ['two'] }), wait('two', 1, { when: '$.steps.one.body' })]
    expect(await told(definition('cycle', steps))).toEqual([
      ['/steps/0', 'cycle'],
      ['/steps/1', 'cycle'],
    ])
  })

  it('with a reference to a step that is not there', async () => {
    const steps = [wait('one', 1, { dependsOn: ['none'], when: { $exists: '$.steps.gone.body' } })]
    expect(await told(definition('lost', steps))).toEqual([
      ['/steps/0/dependsOn/0', 'unknown'],
      ['/steps/0/when/$exists', 'unknown'],
    ])
  })

  it('with an output that nobody makes', async () => {
    const output = { one: '$.steps.one.body.waitedMs', two: '$.steps.one.body.none', three: '$.steps.three.body' }
    expect(await told(definition('nobody', [wait('one', 1)], { output }))).toEqual([
      ['/output/two', 'unknown'],
      ['/output/three', 'unknown'],
    ])
  })

  it('with an unknown call, one by an unknown name, and one that leads back to processes', async () => {
    const steps = [
      { id: 'one', call: { service: 'ground/none', name: 'getNothing' } },
      { id: 'two', apiName: 'Nothing.query' },
      { id: 'three', call: { service: 'ground/orchestration', name: 'invokeByPath' } },
      { id: 'four', call: { service: 'ground/generic-gateway', name: 'invoke' } },
      { id: 'five' },
    ]
    expect(await told(definition('calls', steps, { output: {} }))).toEqual([
      ['/steps/0/call', 'unknown'],
      ['/steps/1/apiName', 'unknown'],
      ['/steps/2/call', 'closed'],
      ['/steps/3/call', 'closed'],
      ['/steps/4', 'oneOf'],
    ])
  })

  it('with input that the call does not take, and without what it needs', async () => {
    const steps = [wait('one', 1, { input: { query: { mss: 1 } } }), wait('two', 1, { input: { body: {} } })]
    expect(await told(definition('input', steps))).toEqual([
      ['/steps/0/input/query/mss', 'unknown'],
      ['/steps/0/input/query/ms', 'required'],
      ['/steps/1/input/query/ms', 'required'],
      ['/steps/1/input/body', 'unknown'],
    ])
  })

  it('with a path into prototypes, an operator that is none, and a mapping that is too deep', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 20; level++) deep = [deep]
    const output = { a: '$.in.__proto__', b: { $eval: '1' }, c: deep }
    const problems = await told(definition('proto', [wait('one', 1)], { output }))
    expect(problems).toEqual([
      ['/output/a', 'mapping'],
      ['/output/b', 'mapping'],
      [`/output/c${'/0'.repeat(15)}`, 'depth'],
    ])
  })

  it('with retries of what is no GET, a write without saying so, and a fallback of a required step', async () => {
    const steps = [
      {
        id: 'one',
        call: { service: 'ground/menu', name: 'recordServiceUsage' },
        input: { body: { serviceId: 'x' } },
        retries: 1,
      },
      wait('two', 1, { fallback: {} }),
    ]
    expect(await told(definition('writes', steps, { output: {} }))).toEqual([
      ['/steps/0/retries', 'GET'],
      ['/steps/0', 'writes'],
      ['/steps/1/fallback', 'optional'],
    ])
  })

  it('with a reference to itself, to nothing, or to one that refers further', async () => {
    const same = (sameAs: string) => ({ definitionId: 'tests', processId: 'same', title: 'A test', sameAs })
    expect(await told(same('tests/same'))).toEqual([['/sameAs', 'cycle']])
    expect(await told(same('tests/none'))).toEqual([['/sameAs', 'unknown']])
    expect(await told(same('harmony-app/queryAppList'))).toEqual([['/sameAs', 'chain']])
    expect(await told(same('app/queryAppList'))).toEqual([])
  })

  it('with 10,000 steps, or as a body nested deep', async () => {
    const steps = Array.from({ length: 10_000 }, (_, at) => ({ id: `s${at}`, apiName: 'A' }))
    const many = await staff.call(processDesk, 'checkDefinition', { body: { definition: definition('many', steps) } })
    expect([many.status, many.body.fields?.[0]?.pointer]).toEqual([400, '/definition/steps'])
    const deep = `{"definition":${'{"output":'.repeat(40)}1${'}'.repeat(40)}}`
    const reply = await stage.app.inject({
      ...{ method: 'POST', url: `${processDesk.prefix}/check`, payload: deep },
      headers: { cookie: staff.cookie, 'x-hd-csrf': staff.csrfToken, 'content-type': 'application/json' },
    })
    expect(reply.statusCode).toBe(400)
  })
})

describe('versions', () => {
  it('a draft is published and takes the place of the version before, in every process of the server', async () => {
    const other = await stage.another()
    const there = stage.at(other, owner)
    const invoke = await publish(staff, definition('life', [wait('one', 1)]))
    expect((await invoke(there)).status).toBe(200)
    await publish(staff, definition('life', [wait('two', 2)]))
    expect((await invoke(owner)).body.data).toHaveProperty('two')
    for (let tries = 0; tries < 50; tries++) {
      if (Object.hasOwn((await invoke(there)).body.data as object, 'two')) break
      await new Promise(go => setTimeout(go, 50))
    }
    expect((await invoke(there)).body.data).toHaveProperty('two')
    const params = { definitionId: 'tests', processId: 'life' }
    const { versions } = await staff.ok(processDesk, 'getProcess', { params })
    expect(versions.map(one => [one.version, one.state])).toEqual([
      [2, 'active'],
      [1, 'retired'],
    ])
  })

  it('a retired process is unknown, and an old version can be published again', async () => {
    const invoke = await publish(staff, definition('back', [wait('one', 1)]))
    const params = { definitionId: 'tests', processId: 'back' }
    const act = async (action: (typeof processActions)[number]) => {
      const [version] = (await staff.ok(processDesk, 'getProcess', { params })).versions
      const { versionId = '', revision = 0 } = version ?? {}
      return staff.call(processDesk, 'actOnVersion', { params: { versionId }, body: { action, revision } })
    }
    expect((await act('retire')).body.state).toBe('retired')
    expect((await invoke(owner)).body.ret.code).toBe(204280004)
    expect((await act('publish')).body.state).toBe('active')
    expect((await invoke(owner)).status).toBe(200)
  })

  it('a draft that is not sound can be kept, and publishing it is refused with the pointer', async () => {
    const params = { definitionId: 'tests', processId: 'unsound' }
    const one = definition('unsound', [wait('one', 1)], { output: '$.steps.none.body' })
    const { version, problems } = await staff.ok(processDesk, 'saveDraft', { params, body: { definition: one } })
    expect(problems).toHaveLength(1)
    const act = (action: 'publish' | 'discard') =>
      staff.call(processDesk, 'actOnVersion', {
        params: { versionId: version.versionId },
        body: { action, revision: version.revision },
      })
    const refused = await act('publish')
    expect([refused.status, refused.body.ret.code, refused.body.fields?.[0]?.pointer]).toEqual([
      400,
      201130002,
      '/output',
    ])
    expect((await act('discard')).body.state).toBeNull()
    expect((await staff.call(processDesk, 'getProcess', { params })).status).toBe(404)
  })

  it('of two who change one draft the second is told', async () => {
    const params = { definitionId: 'tests', processId: 'race' }
    const save = (revision?: number) =>
      staff.call(processDesk, 'saveDraft', {
        params,
        body: { definition: definition('race', [wait('one', 1)]), ...(revision ? { revision } : {}) },
      })
    expect((await save()).status).toBe(200)
    expect((await save(1)).status).toBe(200)
    expect((await save(1)).status).toBe(409)
    const { status } = await staff.call(processDesk, 'saveDraft', {
      params: { ...params, processId: 'other' },
      body: { definition: definition('race', [wait('one', 1)]) },
    })
    expect(status).toBe(400)
  })

  it('every state times every action is in the life cycle or refused', async () => {
    const moves = processStates.flatMap(state =>
      processActions
        .filter(action => processLifeCycle.moves.some(move => move.from.includes(state) && move.action === action))
        .map(action => `${state} ${action}`),
    )
    expect(moves).toEqual(['draft publish', 'draft discard', 'active retire', 'retired publish'])
  })

  it('who may only read changes nothing and runs nothing', async () => {
    const reader = await stage.person({ staff: ['storeOperator'] })
    const { list } = await reader.ok(processDesk, 'listProcesses', { query: { search: 'queryAppList' } })
    expect(list.map(one => [one.definitionId, one.sameAs, one.usedBy])).toEqual([
      ['app', null, ['harmony-app/queryAppList']],
      ['harmony-app', 'app/queryAppList', []],
    ])
    const body = { definition: definition('none', [wait('one', 1)]), input: {} }
    expect((await reader.call(processDesk, 'dryRun', { body })).status).toBe(403)
  })

  it('the program puts its definitions in once, and a changed one beside what staff published', async () => {
    const count = () => stage.sql('home', `SELECT count(*)::int AS n FROM process_versions WHERE origin = 'shipped'`)
    const before = await count()
    await stage.sql(
      'home',
      `UPDATE process_versions SET digest = 'old' WHERE process_id = 'queryAppList' AND definition_id = 'app'`,
    )
    await publish(staff, {
      definitionId: 'user',
      processId: 'getUserInfo',
      title: 'Ours',
      sameAs: 'user/getUserBriefInfo',
    })
    await stage.sql(
      'home',
      `UPDATE process_versions SET digest = 'old' WHERE process_id = 'getUserInfo' AND origin = 'shipped'`,
    )
    const other = await stage.another()
    await other.close()
    const rows = await stage.sql(
      'home',
      `SELECT process_id AS p, version AS v, state AS s, origin AS o FROM process_versions
        WHERE (definition_id, process_id) IN (('app', 'queryAppList'), ('user', 'getUserInfo')) ORDER BY 1, 2`,
    )
    expect(rows).toEqual([
      { p: 'getUserInfo', v: 1, s: 'retired', o: 'shipped' },
      { p: 'getUserInfo', v: 2, s: 'active', o: 'staff' },
      { p: 'getUserInfo', v: 3, s: 'retired', o: 'shipped' },
      { p: 'queryAppList', v: 1, s: 'retired', o: 'shipped' },
      { p: 'queryAppList', v: 2, s: 'active', o: 'shipped' },
    ])
    expect((await count())[0]?.['n']).toBe((before[0]?.['n'] as number) + 2)
  })
})

describe('a dry run', () => {
  it('goes with the own session of the member of staff and shows the trace', async () => {
    const body = { definition: definition('dry', [wait('one', 20), wait('two', 5)]), input: {} }
    const alone = await staff.ok(processDesk, 'dryRun', { body })
    expect([alone.refusal?.code, alone.refusal?.status]).toEqual([204281002, 400])
    const both = await stage.person({ team: owner.teamId, staff: ['storeAdministrator'] })
    made.calls = 0
    const { data, trace, refusal } = await both.ok(processDesk, 'dryRun', { body: { ...body, teamId: owner.teamId } })
    expect([refusal, made.calls, data]).toEqual([null, 2, expect.objectContaining({ one: expect.anything() })])
    expect(trace.find(one => one.step === 'one')?.ms).toBeGreaterThan(15)
  })

  it('in a team that one is no member of is refused by the gate', async () => {
    const stranger = await stage.person()
    const body = { definition: definition('dry', [wait('one', 1)]), input: {}, teamId: stranger.teamId }
    const { refusal } = await staff.ok(processDesk, 'dryRun', { body })
    expect(refusal?.status).toBe(403)
  })

  it('is not for developers', async () => {
    const body = { definition: definition('dry', [wait('one', 1)]), input: {} }
    expect((await owner.call(processDesk, 'dryRun', { body })).status).toBe(403)
    const params = { definition: 'tests', process: 'dry' }
    expect((await owner.call(orchestration, 'invokeByPath', { params, body: {} })).status).toBe(404)
  })
})
